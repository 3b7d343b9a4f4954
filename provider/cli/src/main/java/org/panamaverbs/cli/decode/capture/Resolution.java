package org.panamaverbs.cli.decode.capture;

/**
 * The unit of an interface's timestamps in a pcapng: if_tsresol and if_tsoffset.
 *
 * @param tsresol the option's octet: 0x80 says that the rest is a power of 2 rather than of 10, negated
 * @param offsetSeconds to be added to each timestamp
 */
record Resolution(int tsresol, long offsetSeconds) {
    /** Microseconds, where an interface has no option. */
    static final Resolution DEFAULT = new Resolution(6, 0);

    private static final int BINARY = 0x80;
    private static final int EXPONENT_MASK = 0x7F;
    private static final int NANO_DIGITS = 9;
    private static final int MAX_DIGITS = 18;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** A timestamp of this unit, unsigned, in nanoseconds since 1970; wraps where a long does. */
    long nanos(long ticks) {
        return offsetSeconds * NANOS_PER_SECOND + ((tsresol & BINARY) == 0 ? decimal(ticks) : binary(ticks));
    }

    private long decimal(long ticks) {
        int digits = tsresol & EXPONENT_MASK;
        if (digits <= NANO_DIGITS) {
            return ticks * power(NANO_DIGITS - digits);
        }
        int more = digits - NANO_DIGITS;
        return more > MAX_DIGITS ? 0 : Long.divideUnsigned(ticks, power(more));
    }

    private long binary(long ticks) {
        int shift = tsresol & EXPONENT_MASK;
        long high = Math.unsignedMultiplyHigh(ticks, NANOS_PER_SECOND);
        long low = ticks * NANOS_PER_SECOND;
        if (shift == 0) {
            return low;
        }
        return shift < Long.SIZE ? low >>> shift | high << (Long.SIZE - shift) : high >>> (shift - Long.SIZE);
    }

    private static long power(int digits) {
        long power = 1;
        for (int i = 0; i < digits; i++) {
            power *= 10;
        }
        return power;
    }
}
