package org.panamaverbs.local.connect;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.spi.support.Readiness;

/** The attempts that wait at a port for an answer. Used with the lock of {@link Fabric} held. */
final class Backlog {
    private final int capacity;
    private final Readiness readiness = new Readiness();
    private final Deque<Attempt> waiting = new ArrayDeque<>();

    Backlog(int capacity) {
        this.capacity = capacity;
    }

    /** Adds {@code attempt}; false if there are too many. */
    boolean offer(Attempt attempt) {
        if (waiting.size() >= capacity) {
            return false;
        }
        waiting.add(attempt);
        Fabric.LOCK.notifyAll();
        readiness.changed();
        return true;
    }

    /** Returns what says that somebody waits. */
    Readiness readiness() {
        return readiness;
    }

    void withdraw(Attempt attempt) {
        waiting.remove(attempt);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Takes the oldest, null if there is none. */
    @Nullable
    Attempt poll() {
        return waiting.poll();
    }

    /** Has {@code end} end each, and forgets them. */
    void clear(Consumer<Attempt> end) {
        waiting.forEach(end);
        waiting.clear();
    }
}
