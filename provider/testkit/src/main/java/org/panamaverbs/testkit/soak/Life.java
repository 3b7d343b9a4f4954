package org.panamaverbs.testkit.soak;

import java.util.concurrent.atomic.LongAccumulator;

/** One process of a peer, from its start to its death. Any thread. */
final class Life {
    private final LongAccumulator worstNanos;
    private volatile boolean killed;
    private volatile long killedNanos;

    /** Makes one that tells {@code worstNanos} how long lines live after their peer. */
    Life(LongAccumulator worstNanos) {
        this.worstNanos = worstNanos;
    }

    /** Is killed now. */
    void kill(long now) {
        killedNanos = now;
        killed = true;
    }

    /** Tells whether it was killed. */
    boolean isKilled() {
        return killed;
    }

    /** Returns when it was killed, {@code otherwise} if it was not. */
    long killedNanos(long otherwise) {
        return killed ? killedNanos : otherwise;
    }

    /** A line to it has all its completions, and might have had since {@code sinceNanos}. */
    void ended(long sinceNanos) {
        worstNanos.accumulate(System.nanoTime() - sinceNanos);
    }
}
