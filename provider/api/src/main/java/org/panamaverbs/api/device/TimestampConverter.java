package org.panamaverbs.api.device;

import java.util.function.LongSupplier;
import org.panamaverbs.api.Verbs;

/**
 * Converts completion timestamps to the time of {@code System.nanoTime()}. Oscillators drift apart by some tens of
 * microseconds per second; therefore {@link #sample} reads both clocks repeatedly, and the measured rate replaces the
 * device's nominal one.
 *
 * <pre>{@code
 * var converter = TimestampConverter.of(verbs.clock());
 * // once a second, on a thread that may wait:
 * converter.sample();
 * // per completion:
 * long sinceCompletion = System.nanoTime() - converter.toNanos(completion.timestamp());
 * }</pre>
 *
 * <p>Any thread may call any method; converting allocates nothing and takes no lock.
 */
public final class TimestampConverter {
    /** Readings of the device's clock a sample, of which the one counts that took the shortest time. */
    private static final int READINGS = 8;

    /** How far quartz may be from what it says; what is farther off is no drift. */
    private static final double MOST_DRIFT = 500e-6;

    /**
     * Over which time the rate is measured: long beside the error of a reading, short beside that of a day's warmth.
     */
    private static final long BASELINE_NANOS = 60_000_000_000L;

    /** How well a rate must be measured to be taken: what is worse is no better than the nominal one. */
    private static final double FINE = 10e-6;

    private final DeviceClock clock;
    private final LongSupplier host;
    private final ClockRate nominal;
    private final int unusedBits;
    // What the rate is measured from, and what takes its place in time; guarded by this.
    private Reading base;
    private Reading next;
    private volatile Line line;
    private volatile long jumps;

    /**
     * Both clocks at one time: the host's is uncertain by {@code halfWidth} nanoseconds to either side. {@code total}
     * counts the ticks since the first reading, also beyond the clock's end.
     */
    private record Reading(long ticks, long total, long nanos, long halfWidth) {
        Reading after(long totalTicks) {
            return new Reading(ticks, totalTicks, nanos, halfWidth);
        }
    }

    /** Where the clocks were last, and how many nanoseconds a tick takes since. */
    private record Line(Reading last, double nanosPerTick) {}

    private TimestampConverter(DeviceClock clock, LongSupplier host) {
        this.clock = clock;
        this.host = host;
        nominal = clock.rate();
        unusedBits = Long.numberOfLeadingZeros(clock.mask());
        base = read();
        next = base;
        line = new Line(base, nominal.nanosPerTick());
    }

    /**
     * Creates a converter with one sample and the device's nominal rate.
     *
     * @param clock {@link Verbs#clock()}
     * @throws org.panamaverbs.api.ResourceException if the clock cannot be read
     */
    public static TimestampConverter of(DeviceClock clock) {
        return new TimestampConverter(clock, System::nanoTime);
    }

    /**
     * Creates a converter to another host clock; otherwise as {@link #of(DeviceClock)}.
     *
     * @param host a clock in nanoseconds that never goes back
     */
    public static TimestampConverter of(DeviceClock clock, LongSupplier host) {
        return new TimestampConverter(clock, host);
    }

    /**
     * Reads both clocks and corrects the rate. Call it about once a second, and at least twice within the wrap-around
     * time of the device's clock. If the device's clock has jumped further than drift explains (a reset, a suspended
     * machine), the converter starts over with the nominal rate.
     *
     * @return false if there was a jump
     * @throws org.panamaverbs.api.ResourceException if the clock cannot be read; the converter is unchanged
     * @throws IllegalStateException if the device is closed
     */
    public synchronized boolean sample() {
        Reading before = line.last;
        Reading read = read();
        Reading now = read.after(before.total + difference(read.ticks, before.ticks));
        long expected = before.nanos + nanos(now.ticks, line);
        double tolerance = uncertainty(now, before) + (now.nanos - before.nanos) * MOST_DRIFT;
        if (Math.abs(now.nanos - expected) > tolerance) {
            base = now;
            next = now;
            line = new Line(now, nominal.nanosPerTick());
            jumps++;
            return false;
        }
        if (now.nanos - next.nanos > BASELINE_NANOS) {
            base = next;
            next = now;
        }
        line = new Line(now, rate(now));
        return true;
    }

    /** Returns the rate since the base, or the one of before while nothing better can be said. */
    private double rate(Reading now) {
        long nanos = now.nanos - base.nanos;
        return uncertainty(now, base) <= nanos * FINE ? (double) nanos / (now.total - base.total) : line.nanosPerTick;
    }

    /** Returns by how much the time between two readings is uncertain: a clock may be a tick farther than it says. */
    private double uncertainty(Reading one, Reading other) {
        return one.halfWidth + other.halfWidth + nominal.nanosPerTick();
    }

    /**
     * Returns {@code timestamp} as a time of {@code System.nanoTime()}, accurate to {@link #uncertaintyNanos()} near
     * the last sample and as long after it as the rate holds.
     *
     * @param timestamp {@link org.panamaverbs.api.WorkCompletion#timestamp()}, within half the clock's range of the
     *     last sample
     */
    public long toNanos(long timestamp) {
        Line now = line;
        return now.last.nanos + nanos(timestamp, now);
    }

    private long nanos(long ticks, Line from) {
        return Math.round(difference(ticks, from.last.ticks) * from.nanosPerTick);
    }

    /** Returns how many ticks {@code later} is after {@code earlier}, below 0 if it is before, over the clock's end. */
    private long difference(long later, long earlier) {
        return (later - earlier) << unusedBits >> unusedBits;
    }

    /** Returns the uncertainty of the last sample, in nanoseconds to either side. */
    public long uncertaintyNanos() {
        return line.last.halfWidth;
    }

    /** Returns how much faster than nominal the device's clock runs, in millionths, according to the last samples. */
    public double driftPartsPerMillion() {
        return (nominal.nanosPerTick() / line.nanosPerTick - 1) * 1e6;
    }

    /** Returns the number of jumps of the device's clock. */
    public long jumps() {
        return jumps;
    }

    private Reading read() {
        Reading best = reading();
        for (int i = 1; i < READINGS; i++) {
            Reading other = reading();
            best = other.halfWidth < best.halfWidth ? other : best;
        }
        return best;
    }

    private Reading reading() {
        long before = host.getAsLong();
        long ticks = clock.read();
        long halfWidth = (host.getAsLong() - before + 1) / 2;
        return new Reading(ticks, 0, before + halfWidth, halfWidth);
    }
}
