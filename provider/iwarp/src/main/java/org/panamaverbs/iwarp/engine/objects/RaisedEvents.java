package org.panamaverbs.iwarp.engine.objects;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.stack.KeepingQueue;

/**
 * The queues of a channel whose events nobody has taken yet, in the order in which they raised them, each once. A call
 * that lacks memory or stack has added and removed nothing. Any thread.
 */
final class RaisedEvents {
    /** Whether the oldest is taken: stored, with the monitor of this object, by who got it from {@link #oldest}. */
    boolean oldestTaken;

    // Guarded by this, as the rest.
    private final KeepingQueue<EventSource> queues = new KeepingQueue<>();

    /** Returns the queue whose event is the oldest, null if there is none; it stays until {@link #oldestTaken}. */
    synchronized @Nullable EventSource oldest() {
        dropTaken();
        return queues.peek();
    }

    /** Adds the event of {@code queue}, unless it is there. */
    synchronized void add(EventSource queue) {
        dropTaken();
        if (!queues.contains(queue)) {
            queues.add(queue);
        }
    }

    /** Drops the event of {@code queue}, if it is there. */
    synchronized void remove(EventSource queue) {
        dropTaken();
        queues.remove(queue);
    }

    /** Tells whether there is none. */
    synchronized boolean isEmpty() {
        dropTaken();
        return queues.isEmpty();
    }

    private void dropTaken() {
        if (oldestTaken) {
            queues.poll();
            oldestTaken = false;
        }
    }
}
