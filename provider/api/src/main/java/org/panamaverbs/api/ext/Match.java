package org.panamaverbs.api.ext;

/**
 * A condition on a header field: {@code value} in the bits of {@code mask}, anything in the others.
 *
 * @param value in host order, within {@code mask}
 * @param mask the bits that are compared
 */
public record Match(long value, long mask) {
    /** Matches anything. */
    public static final Match ANY = new Match(0, 0);

    /**
     * Checks that the mask covers the value.
     *
     * @throws IllegalArgumentException if it does not
     */
    public Match {
        if ((value & ~mask) != 0) {
            throw new IllegalArgumentException("the mask 0x%x does not cover the value 0x%x".formatted(mask, value));
        }
    }

    /** Returns the condition that all {@code bits} low bits, 1 to 63, equal {@code value}. */
    static Match exactly(long value, int bits) {
        return new Match(value, (1L << bits) - 1);
    }

    /** Checks that it fits into the field {@code name} of {@code bits} bits, 1 to 63. */
    void requireFits(String name, int bits) {
        if (mask >>> bits != 0) {
            throw new IllegalArgumentException("%s has %d bits, got a mask of 0x%x".formatted(name, bits, mask));
        }
    }
}
