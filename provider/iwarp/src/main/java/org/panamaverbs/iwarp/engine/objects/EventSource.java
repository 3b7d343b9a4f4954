package org.panamaverbs.iwarp.engine.objects;

import org.panamaverbs.api.CompletionQueue;

/** A completion queue as its channel knows it. Any thread. */
interface EventSource extends CompletionQueue {
    /** Tells whether it has an event that could not be raised, for lack of memory or stack. */
    boolean hasUnraised();

    /** Hears that its event is about to be handed out: whatever has completed so far will be found. */
    void handedOut();
}
