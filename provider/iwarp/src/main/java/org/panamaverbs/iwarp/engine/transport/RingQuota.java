package org.panamaverbs.iwarp.engine.transport;

import java.util.concurrent.atomic.AtomicInteger;

/** How many streams of a context may share memory at once: each has a file of its own. Any thread. */
final class RingQuota {
    private final int most;
    private final AtomicInteger taken = new AtomicInteger();

    /** Makes a quota of {@code most} streams. */
    RingQuota(int most) {
        this.most = most;
    }

    /** Takes a place; false if there is none. */
    boolean take() {
        if (taken.incrementAndGet() <= most) {
            return true;
        }
        taken.decrementAndGet();
        return false;
    }

    /** Gives a place back. */
    void giveBack() {
        taken.decrementAndGet();
    }

    /** Returns in words that there is none. */
    String full() {
        return "shm.max=" + most + " connections of this context already use shared memory";
    }
}
