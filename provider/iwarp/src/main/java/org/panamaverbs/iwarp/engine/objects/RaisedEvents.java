package org.panamaverbs.iwarp.engine.objects;

import org.jspecify.annotations.Nullable;

/**
 * The queues of a channel whose events nobody has taken yet, in the order in which they raised them, each once. A call
 * that lacks memory or stack has added and removed nothing. Any thread.
 */
final class RaisedEvents {
    // A power of two, as each size that follows.
    private static final int FEW = 16;

    /** Whether the oldest is taken: stored, with the monitor of this object, by who got it from {@link #oldest}. */
    boolean oldestTaken;

    // Guarded by this, as the rest. Not a deque of the JDK's: where that has no memory to grow it has lost all events.
    private @Nullable EventSource[] ring = new EventSource[FEW];
    private int first;
    private int count;

    /** Returns the queue whose event is the oldest, null if there is none; it stays until {@link #oldestTaken}. */
    synchronized @Nullable EventSource oldest() {
        dropTaken();
        return ring[first];
    }

    /** Adds the event of {@code queue}, unless it is there. */
    synchronized void add(EventSource queue) {
        dropTaken();
        for (int i = 0; i < count; i++) {
            if (queue.equals(ring[(first + i) & (ring.length - 1)])) {
                return;
            }
        }
        makeRoom();
        ring[(first + count) & (ring.length - 1)] = queue;
        count++;
    }

    private void makeRoom() {
        if (count < ring.length) {
            return;
        }
        @Nullable EventSource[] larger = new EventSource[2 * count];
        for (int i = 0; i < count; i++) {
            larger[i] = ring[(first + i) & (ring.length - 1)];
        }
        ring = larger;
        first = 0;
    }

    /** Drops the event of {@code queue}, if it is there. */
    synchronized void remove(EventSource queue) {
        dropTaken();
        int mask = ring.length - 1;
        int found = 0;
        while (found < count && !queue.equals(ring[(first + found) & mask])) {
            found++;
        }
        if (found < count) {
            // By stores: what is behind it moves up.
            for (int i = found; i < count - 1; i++) {
                ring[(first + i) & mask] = ring[(first + i + 1) & mask];
            }
            count--;
            ring[(first + count) & mask] = null;
        }
    }

    /** Tells whether there is none. */
    synchronized boolean isEmpty() {
        dropTaken();
        return count == 0;
    }

    private void dropTaken() {
        if (oldestTaken) {
            oldestTaken = false;
            ring[first] = null;
            first = (first + 1) & (ring.length - 1);
            count--;
        }
    }
}
