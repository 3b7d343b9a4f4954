package org.panamaverbs.iwarp.engine.cm;

import org.jspecify.annotations.Nullable;

/**
 * The requests of a listener that nobody has taken, oldest first. It needs no memory of its own: a request that was
 * taken in vain can always be put back. Not for several threads at once.
 */
final class ReadyRequests {
    private @Nullable Handshake oldest;
    private @Nullable Handshake newest;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Handshake handshake) {
        handshake.nextReady = null;
        if (newest == null) {
            oldest = handshake;
        } else {
            newest.nextReady = handshake;
        }
        newest = handshake;
        size++;
    }

    void addFirst(Handshake handshake) {
        handshake.nextReady = oldest;
        oldest = handshake;
        if (newest == null) {
            newest = handshake;
        }
        size++;
    }

    /** Takes the oldest, null if there is none. */
    @Nullable
    Handshake poll() {
        Handshake first = oldest;
        if (first != null) {
            unlink(null, first);
        }
        return first;
    }

    /** Takes {@code handshake} out if it is there. */
    void remove(Handshake handshake) {
        Handshake before = null;
        for (Handshake at = oldest; at != null; at = at.nextReady) {
            if (at == handshake) {
                unlink(before, at);
                return;
            }
            before = at;
        }
    }

    private void unlink(@Nullable Handshake before, Handshake handshake) {
        Handshake next = handshake.nextReady;
        if (before == null) {
            oldest = next;
        } else {
            before.nextReady = next;
        }
        if (next == null) {
            newest = before;
        }
        handshake.nextReady = null;
        size--;
    }
}
