package org.panamaverbs.testkit.soak.line;

import java.util.concurrent.atomic.LongAccumulator;

/** One process of a peer, from its start to its death. Any thread. */
public final class Life {
    private final LongAccumulator worstNanos;
    private volatile boolean killed;
    private volatile long killedNanos;

    /** Creates a life that tells {@code worstNanos} how long lines live after their peer. */
    public Life(LongAccumulator worstNanos) {
        this.worstNanos = worstNanos;
    }

    /** Notes that the process is killed now. */
    public void kill(long now) {
        killedNanos = now;
        killed = true;
    }

    /** Tells whether the process was killed. */
    public boolean isKilled() {
        return killed;
    }

    /** Returns when the process was killed, {@code otherwise} if it was not. */
    long killedNanos(long otherwise) {
        return killed ? killedNanos : otherwise;
    }

    /** A line to it has all its completions, and might have had since {@code sinceNanos}. */
    void ended(long sinceNanos) {
        worstNanos.accumulate(System.nanoTime() - sinceNanos);
    }
}
