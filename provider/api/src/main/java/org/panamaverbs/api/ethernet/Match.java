package org.panamaverbs.api.ethernet;

/**
 * What a field of a header must be: {@code value} in the bits of {@code mask}, and anything in the others.
 *
 * @param value in the order of numbers, not of the wire; has no bit that the mask has not
 * @param mask the bits that count
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
            throw new IllegalArgumentException(
                    "the mask 0x%x leaves out bits of the value 0x%x".formatted(mask, value));
        }
    }

    /** Returns what all {@code bits} low bits of a field must be, 1 to 63. */
    static Match exactly(long value, int bits) {
        return new Match(value, (1L << bits) - 1);
    }

    /** Does nothing if it fits into a field of {@code bits} bits, 1 to 63, called {@code name}. */
    void requireFits(String name, int bits) {
        if (mask >>> bits != 0) {
            throw new IllegalArgumentException("%s has %d bits, got a mask of 0x%x".formatted(name, bits, mask));
        }
    }
}
