package org.panamaverbs.memory;

/**
 * A Steering Tag: the 32-bit identifier of a Tagged Buffer within the scope of an RDMA stream or a protection domain.
 *
 * <p>On iWARP one STag is both the local and the remote key of a buffer; libibverbs calls the two {@code lkey} and
 * {@code rkey}. All 2^32 values are legal.
 *
 * @param value the tag in host order; the bits are unsigned
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5040#section-2.3">RFC 5040, section 2.3</a>
 */
public record STag(int value) {
    /** The tag with these 32 bits. */
    public static STag of(int value) {
        return new STag(value);
    }

    /** The tag as {@code 0x} and eight hexadecimal digits. */
    @Override
    public String toString() {
        return String.format("0x%08x", value);
    }
}
