package org.panamaverbs.iwarp.engine.cm;

import org.jspecify.annotations.Nullable;

/**
 * The requests of a listener that nobody has taken, oldest first. It needs no memory of its own: a request that was
 * taken in vain can always be put back. Not for several threads at once.
 */
final class ReadyRequests {
    private @Nullable Setup oldest;
    private @Nullable Setup newest;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Setup setup) {
        setup.nextReady = null;
        if (newest == null) {
            oldest = setup;
        } else {
            newest.nextReady = setup;
        }
        newest = setup;
        size++;
    }

    void addFirst(Setup setup) {
        setup.nextReady = oldest;
        oldest = setup;
        if (newest == null) {
            newest = setup;
        }
        size++;
    }

    /** Takes the oldest, null if there is none. */
    @Nullable
    Setup poll() {
        Setup first = oldest;
        if (first != null) {
            unlink(null, first);
        }
        return first;
    }

    /** Takes {@code setup} out if it is there. */
    void remove(Setup setup) {
        Setup before = null;
        for (Setup at = oldest; at != null; at = at.nextReady) {
            if (at == setup) {
                unlink(before, at);
                return;
            }
            before = at;
        }
    }

    private void unlink(@Nullable Setup before, Setup setup) {
        Setup next = setup.nextReady;
        if (before == null) {
            oldest = next;
        } else {
            before.nextReady = next;
        }
        if (next == null) {
            newest = before;
        }
        setup.nextReady = null;
        size--;
    }
}
