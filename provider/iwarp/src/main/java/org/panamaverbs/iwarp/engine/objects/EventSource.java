package org.panamaverbs.iwarp.engine.objects;

import java.util.Optional;
import org.panamaverbs.api.CompletionQueue;

/** A completion queue as its channel knows it. Any thread. */
interface EventSource extends CompletionQueue {
    /** Tells whether it has an event that could not be raised, for lack of memory or stack. */
    boolean hasUnraised();

    /**
     * Returns itself, whose event is handed out: whatever has completed so far will be found. Should memory or stack
     * end in this call, nothing was changed.
     */
    Optional<CompletionQueue> handOut();
}
