package org.panamaverbs.api.cm;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.config.Fields;
import org.panamaverbs.api.device.Capabilities;

/**
 * The retransmission times of a reliable connection of InfiniBand or RoCE, as adapters encode them; needs
 * {@link Capabilities.Feature#RETRY_TIMES}. {@link ConnectionConfig} has the retry counts. Immutable; fields may be
 * added.
 */
public final class RetryTimes implements Cloneable {
    /** A time that is left to the provider. */
    public static final int UNSET = -1;

    /** The greatest code of both. */
    private static final int MOST = 31;

    // InfiniBand Architecture, volume 1, table 46: hundredths of a millisecond by code.
    private static final int[] RNR_HUNDREDTHS = {
        65_536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024, 1_536, 2_048, 3_072,
        4_096, 6_144, 8_192, 12_288, 16_384, 24_576, 32_768, 49_152
    };
    private static final long NANOS_OF_HUNDREDTH = 10_000;
    private static final long ACK_UNIT_NANOS = 4_096;

    private static final Fields<RetryTimes> FIELDS = new Fields<>(
            RetryTimes.class,
            RetryTimes::check,
            fields -> fields.and("ackTimeout", config -> config.ackTimeout)
                    .and("minRnrTimer", config -> config.minRnrTimer));
    private static final RetryTimes DEFAULT = FIELDS.made(new RetryTimes());

    private int ackTimeout = UNSET;
    private int minRnrTimer = UNSET;

    private RetryTimes() {}

    /** Returns both unset. */
    public static RetryTimes defaults() {
        return DEFAULT;
    }

    /**
     * Returns times by their codes, each 0 to 31 or {@link #UNSET}.
     *
     * @throws IllegalArgumentException if one is neither
     */
    public static RetryTimes ofCodes(int ackTimeout, int minRnrTimer) {
        return DEFAULT.with(copy -> {
            copy.ackTimeout = ackTimeout;
            copy.minRnrTimer = minRnrTimer;
        });
    }

    /**
     * Returns the time without an acknowledgement after which this side retransmits, {@code timeout} of {@code struct
     * ibv_qp_attr}: 4.096 us times 2 to this power, 1 to 31; 0 for never; {@link #UNSET}, the default, for the route's
     * value ({@code RDMA_OPTION_ID_ACK_TIMEOUT}).
     */
    public int ackTimeout() {
        return ackTimeout;
    }

    /**
     * Returns the time the peer waits before it retransmits if this side had no receive, {@code min_rnr_timer} of
     * {@code struct ibv_qp_attr}, a 5-bit code: 1 is 0.01 ms, 12 is 0.64 ms, 31 is 491.52 ms, 0 is 655.36 ms;
     * {@link #UNSET}, the default, for 0.64 ms. The kernel's connection manager itself uses 0.
     */
    public int minRnrTimer() {
        return minRnrTimer;
    }

    /**
     * Returns a copy with the shortest acknowledgement timeout of at least {@code atLeast}. Adapters may wait up to
     * four times as long, and some enforce a minimum of their own.
     *
     * @throws IllegalArgumentException if {@code atLeast} is not positive or exceeds 8,796 s
     */
    public RetryTimes withAckTimeout(Duration atLeast) {
        for (int code = 1; code <= MOST; code++) {
            if (positive(atLeast).compareTo(Duration.ofNanos(ACK_UNIT_NANOS << code)) <= 0) {
                int found = code;
                return with(copy -> copy.ackTimeout = found);
            }
        }
        throw new IllegalArgumentException("an acknowledgement timeout must be at most "
                + Duration.ofNanos(ACK_UNIT_NANOS << MOST).toSeconds() + " s, got " + atLeast);
    }

    /**
     * Returns a copy with the shortest receiver-not-ready delay of at least {@code atLeast}.
     *
     * @throws IllegalArgumentException if {@code atLeast} is not positive or exceeds 655.36 ms
     */
    public RetryTimes withMinRnrTimer(Duration atLeast) {
        for (int code = 1; code <= MOST; code++) {
            if (positive(atLeast).compareTo(rnrWait(code)) <= 0) {
                int found = code;
                return with(copy -> copy.minRnrTimer = found);
            }
        }
        if (atLeast.compareTo(rnrWait(0)) <= 0) {
            return with(copy -> copy.minRnrTimer = 0);
        }
        throw new IllegalArgumentException("a receiver-not-ready wait must be at most 655.36 ms, got " + atLeast);
    }

    /**
     * Returns the delay of a peer that receives {@code code}.
     *
     * @throws IllegalArgumentException if {@code code} is not from 0 to 31
     */
    public static Duration rnrWait(int code) {
        if (code < 0 || code > MOST) {
            throw new IllegalArgumentException("a code of minRnrTimer must be 0 to " + MOST + ", got " + code);
        }
        return Duration.ofNanos(NANOS_OF_HUNDREDTH * RNR_HUNDREDTHS[code]);
    }

    private static Duration positive(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a retransmission time must be positive, got " + time);
        }
        return time;
    }

    private RetryTimes with(Consumer<RetryTimes> change) {
        return FIELDS.changed(super::clone, change);
    }

    private void check() {
        check("ackTimeout", ackTimeout);
        check("minRnrTimer", minRnrTimer);
    }

    private static void check(String what, int code) {
        if (code < UNSET || code > MOST) {
            throw new IllegalArgumentException(what + " must be a code of 0 to " + MOST + ", or UNSET, got " + code);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return FIELDS.equal(this, other);
    }

    @Override
    public int hashCode() {
        return FIELDS.hash(this);
    }

    @Override
    public String toString() {
        return FIELDS.toString(this);
    }
}
