package org.panamaverbs.sockets.channel;

import java.util.concurrent.TimeUnit;

/** Times to wait, as sockets have them and as channels count them. */
final class Timeouts {
    /** For ever. */
    static final long NEVER = -1;

    private Timeouts() {}

    /** Returns {@code millis}, 0 for ever, in nanoseconds. */
    static long nanos(int millis) {
        return millis == 0 ? NEVER : TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Returns {@code nanos} in milliseconds, from 1 on. */
    static int millis(long nanos) {
        return Math.clamp(TimeUnit.NANOSECONDS.toMillis(nanos + 999_999), 1, Integer.MAX_VALUE);
    }

    /** Returns {@code millis} if it is a time. */
    static int checked(int millis) {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout can't be negative: " + millis);
        }
        return millis;
    }
}
