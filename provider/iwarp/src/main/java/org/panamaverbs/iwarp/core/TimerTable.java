package org.panamaverbs.iwarp.core;

/** The timers of a stream in one table: each is set for a time, or not set. Without a clock; allocates nothing. */
final class TimerTable {
    /** What a stream can wait for; each has one deadline at a time. */
    enum Timer {
        /** A local request that waits for another thread is to be tried again. */
        RETRY(0),
        /** The peer has had its time to close. */
        LINGER(1),
        /** What the peer's TCP has acknowledged is to be looked at. */
        LOOK(2),
        /** The first FPDU of the peer has been awaited long enough. */
        FIRST_FPDU(3),
        /** A peer that is silent from the beginning is to be probed. */
        PROBE(4);

        private final int index;
        private final int bit;

        Timer(int index) {
            this.index = index;
            bit = 1 << index;
        }
    }

    // Of each timer at its index; counts only while its bit is set.
    private final long[] deadlines = new long[Timer.values().length];
    private int set;

    /** Sets {@code timer} for {@code deadline}, in place of what it was set for. */
    void set(Timer timer, long deadline) {
        deadlines[timer.index] = deadline;
        set |= timer.bit;
    }

    void stop(Timer timer) {
        set &= ~timer.bit;
    }

    boolean isSet(Timer timer) {
        return (set & timer.bit) != 0;
    }

    /** Tells whether any timer is set. */
    boolean isAnySet() {
        return set != 0;
    }

    /** Tells whether {@code timer} is set and its time has come. */
    boolean isDue(Timer timer, long now) {
        return isSet(timer) && now - deadlines[timer.index] >= 0;
    }

    /** Stops {@code timer} if it is due; tells whether it was. */
    boolean take(Timer timer, long now) {
        boolean due = isDue(timer, now);
        if (due) {
            stop(timer);
        }
        return due;
    }

    /** Returns the earliest deadline; valid only if a timer is set. */
    long earliest() {
        long earliest = 0;
        for (int left = set; left != 0; left &= left - 1) {
            long deadline = deadlines[Integer.numberOfTrailingZeros(left)];
            // Times wrap around: only their distance tells which is earlier.
            if (left == set || deadline - earliest < 0) {
                earliest = deadline;
            }
        }
        return earliest;
    }
}
