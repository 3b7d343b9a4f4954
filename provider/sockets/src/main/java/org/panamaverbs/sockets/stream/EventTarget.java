package org.panamaverbs.sockets.stream;

import org.panamaverbs.api.Event;

/** What the {@link Driver} tells of its events. */
interface EventTarget {
    /** Takes an event, on the thread that drives; waits for nothing. */
    void happened(Event event);

    /**
     * Tells whether it is at rest, and goes on to be told of what completes; on the thread that drives, from time to
     * time after it was told of that. Until it is, threads of the application serve it.
     */
    default boolean isAtRest() {
        return true;
    }
}
