package org.panamaverbs.iwarp.core.stream;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.fault.Fault;
import org.panamaverbs.iwarp.core.fault.StreamEvent;

/** Hears of a stream's events, in the middle of its work: must not call back into it. */
@FunctionalInterface
public interface StreamListener {
    /** Something happened; {@code fault} says why if it is an error. */
    void event(StreamEvent event, @Nullable Fault fault);
}
