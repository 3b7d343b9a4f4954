package org.panamaverbs.api;

/**
 * How fast a device's clock goes, {@code hca_core_clock} of {@code ibv_query_device_ex(3)}.
 *
 * @param kilohertz thousands of ticks a second, at least 1
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

    /** Returns how many nanoseconds a tick takes. */
    public double nanosPerTick() {
        return (double) MILLIS_IN_NANOS / kilohertz;
    }

    /**
     * Returns how many whole nanoseconds {@code ticks} take at this rate, which the device's quartz has but nearly:
     * good for spans of up to a second; {@code api.clock.TimestampConverter} follows the quartz.
     *
     * @param ticks from 0
     * @throws ArithmeticException if they are more than 292 years
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
