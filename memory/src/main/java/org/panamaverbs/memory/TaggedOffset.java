package org.panamaverbs.memory;

/**
 * A Tagged Offset, the unsigned 64-bit address of a byte in a memory region: {@code iova} or {@code remote_addr} in
 * libibverbs. The static methods do its unsigned arithmetic on {@code long}s, for the data path.
 *
 * @param value the offset, unsigned: {@code -1L} is 2^64 - 1
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5041#section-2.3">RFC 5041, section 2.3</a>
 */
public record TaggedOffset(long value) implements Comparable<TaggedOffset> {
    /** Returns the offset with these 64 bits. */
    public static TaggedOffset of(long value) {
        return new TaggedOffset(value);
    }

    /**
     * Returns whether a range extends beyond the last tagged offset, 2^64 - 1.
     *
     * @param taggedOffset first byte of the range, unsigned
     * @param length bytes in the range, unsigned; an empty range never wraps
     */
    // RFC 5041 section 7.1: "A 64-bit unsigned sum of the DDP Segment payload length and
    // the TO does not wrap." The byte at 2^64 - 1 is legal here, as the last of a range.
    public static boolean wraps(long taggedOffset, long length) {
        return length != 0 && Long.compareUnsigned(taggedOffset + (length - 1), taggedOffset) < 0;
    }

    /**
     * Returns whether a range lies wholly within another, without intermediate overflow. An empty range is within if it
     * starts from {@code base} to {@code base + size} inclusive.
     *
     * @param taggedOffset first byte of the inner range, unsigned
     * @param length bytes in the inner range, unsigned
     * @param base first byte of the outer range, unsigned
     * @param size bytes in the outer range, unsigned; the outer range must not {@link #wraps wrap}
     */
    public static boolean within(long taggedOffset, long length, long base, long size) {
        long offset = taggedOffset - base;
        return Long.compareUnsigned(taggedOffset, base) >= 0
                && Long.compareUnsigned(offset, size) <= 0
                && Long.compareUnsigned(length, size - offset) <= 0;
    }

    /**
     * Returns the offset {@code octets} bytes further on.
     *
     * @param octets bytes, from 0
     * @throws IllegalArgumentException if {@code octets} is negative
     * @throws ArithmeticException if the result exceeds 2^64 - 1
     */
    public TaggedOffset plus(long octets) {
        if (octets < 0) {
            throw new IllegalArgumentException("Cannot add " + octets + " bytes to " + this + ": negative");
        }
        long sum = value + octets;
        if (Long.compareUnsigned(sum, value) < 0) {
            throw new ArithmeticException("Tagged offset " + this + " + " + octets + " wraps beyond 2^64 - 1");
        }
        return new TaggedOffset(sum);
    }

    /** Compares the two offsets as unsigned numbers. */
    @Override
    public int compareTo(TaggedOffset other) {
        return Long.compareUnsigned(value, other.value);
    }

    /** Returns the offset as {@code 0x} and sixteen hexadecimal digits. */
    @Override
    public String toString() {
        return String.format("0x%016x", value);
    }
}
