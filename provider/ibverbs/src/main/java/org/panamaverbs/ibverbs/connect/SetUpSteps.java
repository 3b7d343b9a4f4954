package org.panamaverbs.ibverbs.connect;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmId;

/** The steps of a set-up, each after an event of its id. For one thread at a time; what it throws ends the set-up. */
interface SetUpSteps {
    /** Makes the first step. */
    void begin();

    /** Makes the next step after {@code event}; returns the connection after the last one, null before. */
    @Nullable
    IbvConnection next(CmEvent event);

    /** Returns the id whose events are awaited. */
    CmId id();

    /** Returns what says that the deadline passed, and what was awaited. */
    DeadlineExceededException late();
}
