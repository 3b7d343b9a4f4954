package org.panamaverbs.api;

import java.time.Duration;

/**
 * How long a reliable connection of InfiniBand or RoCE waits before it sends again, as the codes that adapters know;
 * needs {@link Capabilities.Feature#RETRY_TIMES}. How often it sends again are the retry counts of
 * {@link ConnectionConfig}.
 *
 * @param ackTimeout after how long without an acknowledgement this side sends again: 4.096 us times 2 to this power, 1
 *     to 31, or 0 for never; {@link #UNSET} for what the route says ({@code RDMA_OPTION_ID_ACK_TIMEOUT})
 * @param minRnrTimer how long the peer is asked to wait before it sends again where this side had no receive, a code of
 *     5 bits: 1 is 0.01 ms, 12 is 0.64 ms, 31 is 491.52 ms, 0 is 655.36 ms; {@link #UNSET} for 0.64 ms. The kernel's
 *     connection manager itself has 0
 */
public record RetryTimes(int ackTimeout, int minRnrTimer) {
    /** Stands for a time that is left to the provider. */
    public static final int UNSET = -1;

    /** The longest code of both. */
    private static final int MOST = 31;

    // InfiniBand Architecture, volume 1, table 46: hundredths of a millisecond by code.
    private static final int[] RNR_HUNDREDTHS = {
        65_536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024, 1_536, 2_048, 3_072,
        4_096, 6_144, 8_192, 12_288, 16_384, 24_576, 32_768, 49_152
    };
    private static final long NANOS_OF_HUNDREDTH = 10_000;
    private static final long ACK_UNIT_NANOS = 4_096;

    private static final RetryTimes DEFAULT = new RetryTimes(UNSET, UNSET);

    /**
     * Checks both codes.
     *
     * @throws IllegalArgumentException if one is neither {@link #UNSET} nor from 0 to 31
     */
    public RetryTimes {
        check("ackTimeout", ackTimeout);
        check("minRnrTimer", minRnrTimer);
    }

    /** Returns both unset. */
    public static RetryTimes defaults() {
        return DEFAULT;
    }

    /**
     * Returns a copy with the shortest acknowledgement timeout that is not shorter than {@code atLeast}. Adapters may
     * wait up to four times as long, and some not less than what they hold for right.
     *
     * @throws IllegalArgumentException if {@code atLeast} is not positive or above 8,796 s
     */
    public RetryTimes withAckTimeout(Duration atLeast) {
        for (int code = 1; code <= MOST; code++) {
            if (positive(atLeast).compareTo(Duration.ofNanos(ACK_UNIT_NANOS << code)) <= 0) {
                return new RetryTimes(code, minRnrTimer);
            }
        }
        throw new IllegalArgumentException("an acknowledgement timeout has at most "
                + Duration.ofNanos(ACK_UNIT_NANOS << MOST).toSeconds() + " s, not " + atLeast);
    }

    /**
     * Returns a copy that asks peers for the shortest wait for a receive that is not shorter than {@code atLeast}.
     *
     * @throws IllegalArgumentException if {@code atLeast} is not positive or above 655.36 ms
     */
    public RetryTimes withMinRnrTimer(Duration atLeast) {
        for (int code = 1; code <= MOST; code++) {
            if (positive(atLeast).compareTo(rnrWait(code)) <= 0) {
                return new RetryTimes(ackTimeout, code);
            }
        }
        if (atLeast.compareTo(rnrWait(0)) <= 0) {
            return new RetryTimes(ackTimeout, 0);
        }
        throw new IllegalArgumentException("a wait for a receive has at most 655.36 ms, not " + atLeast);
    }

    /**
     * Returns how long a peer waits that is told {@code code}.
     *
     * @throws IllegalArgumentException if {@code code} is not from 0 to 31
     */
    public static Duration rnrWait(int code) {
        if (code < 0 || code > MOST) {
            throw new IllegalArgumentException("a code of minRnrTimer is 0 to " + MOST + ", not " + code);
        }
        return Duration.ofNanos(NANOS_OF_HUNDREDTH * RNR_HUNDREDTHS[code]);
    }

    private static Duration positive(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a time before sending again must be positive, got " + time);
        }
        return time;
    }

    private static void check(String what, int code) {
        if (code < UNSET || code > MOST) {
            throw new IllegalArgumentException(what + " must be a code of 0 to " + MOST + ", or UNSET, got " + code);
        }
    }
}
