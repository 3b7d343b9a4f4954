package org.panamaverbs.memory;

/**
 * A Steering Tag, the 32-bit key of a memory region: {@code lkey} and {@code rkey} in libibverbs. In iWARP one STag
 * serves as both, on a stream or in a protection domain. All 2^32 values are legal.
 *
 * @param value the key in host order, unsigned
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5040#section-2.3">RFC 5040, section 2.3</a>
 */
public record STag(int value) {
    /** Returns the STag with these 32 bits. */
    public static STag of(int value) {
        return new STag(value);
    }

    /** Returns the key as {@code 0x} and eight hexadecimal digits. */
    @Override
    public String toString() {
        return String.format("0x%08x", value);
    }
}
