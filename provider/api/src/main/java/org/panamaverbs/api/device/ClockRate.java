package org.panamaverbs.api.device;

/**
 * The nominal rate of a device's clock, {@code hca_core_clock} of {@code ibv_query_device_ex(3)}.
 *
 * @param kilohertz thousands of ticks per second, at least 1
 */
public record ClockRate(long kilohertz) {
    private static final long MILLIS_IN_NANOS = 1_000_000;

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public ClockRate {
        if (kilohertz < 1) {
            throw new IllegalArgumentException("a clock has at least 1 kHz, got " + kilohertz);
        }
    }

    /** Returns the nanoseconds per tick. */
    public double nanosPerTick() {
        return (double) MILLIS_IN_NANOS / kilohertz;
    }

    /**
     * Returns the whole nanoseconds of {@code ticks} at the nominal rate, from which the device's oscillator deviates:
     * suitable for spans of up to a second. {@link TimestampConverter} tracks the deviation.
     *
     * @param ticks from 0
     * @throws ArithmeticException if the result exceeds 292 years
     */
    public long toNanos(long ticks) {
        return Math.addExact(
                Math.multiplyExact(ticks / kilohertz, MILLIS_IN_NANOS),
                Math.multiplyExact(ticks % kilohertz, MILLIS_IN_NANOS) / kilohertz);
    }

    @Override
    public String toString() {
        return kilohertz + " kHz";
    }
}
