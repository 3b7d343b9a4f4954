package org.panamaverbs.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * A peer's Tagged Buffer as the peer advertised it: STag, tagged offset, length and rights; {@code rkey} and
 * {@code remote_addr} in libibverbs. Immutable.
 *
 * <p>The {@code checked} methods refuse on the requester what the responder would answer with a Terminate.
 *
 * <p>The encoded form has {@value #BYTES} bytes in network order, with any alignment:
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                             STag                              |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                 Rights (bits of enum Access)                  |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                                                               |
 *  +                     Tagged Offset (unsigned)                  +
 *  |                                                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                                                               |
 *  +                    Length (0 to 2^63 - 1)                     +
 *  |                                                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5040#section-2.1">RFC 5040, section 2.1: Advertisement</a>
 */
public final class RemoteBuffer {
    /** Bytes of the encoded form. */
    public static final int BYTES = 24;

    private static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(BIG_ENDIAN);

    private static final int STAG = 0;
    private static final int RIGHTS = 4;
    private static final int TAGGED_OFFSET = 8;
    private static final int LENGTH = 16;

    /** In the place of rights: nobody said which. No mask of rights has this bit. */
    private static final int UNKNOWN = Integer.MIN_VALUE;

    private static final int ATOMIC_BYTES = Long.BYTES;

    private final int stag;
    private final int rights;
    private final long taggedOffset;
    private final long length;

    private RemoteBuffer(int stag, long taggedOffset, long length, int rights) {
        this.stag = stag;
        this.rights = rights;
        this.taggedOffset = taggedOffset;
        this.length = length;
    }

    /**
     * A buffer of a peer.
     *
     * @param taggedOffset of its first byte, unsigned
     * @param length in bytes, 0 or more
     * @throws IllegalArgumentException if the length is negative or the range wraps beyond 2^64 - 1
     */
    public static RemoteBuffer of(STag stag, long taggedOffset, long length, Access... rights) {
        return of(stag.value(), taggedOffset, length, Access.mask(rights));
    }

    /**
     * A buffer of a peer.
     *
     * @param stag the bits of its {@link STag}
     * @param taggedOffset of its first byte, unsigned
     * @param length in bytes, 0 or more
     * @param rights mask of {@link Access#bit}
     * @throws IllegalArgumentException if the length is negative, the range wraps beyond 2^64 - 1, or the rights have
     *     unknown bits
     */
    public static RemoteBuffer of(int stag, long taggedOffset, long length, int rights) {
        if (length < 0) {
            throw new IllegalArgumentException(
                    "Remote buffer with length " + Long.toUnsignedString(length) + ": the limit is 2^63 - 1");
        }
        if (TaggedOffset.wraps(taggedOffset, length)) {
            throw new IllegalArgumentException(String.format(
                    "Remote buffer of %d bytes at tagged offset 0x%016x wraps beyond 2^64 - 1", length, taggedOffset));
        }
        if ((rights & ~Access.KNOWN) != 0) {
            throw new IllegalArgumentException("Remote buffer with unknown rights: " + Access.format(rights));
        }
        return new RemoteBuffer(stag, taggedOffset, length, rights);
    }

    /**
     * A buffer of a peer whose protocol names no rights, such as that of a program in C. No right is checked here: what
     * the peer did not grant it refuses itself, and that ends the connection. Bounds and the alignment of atomics are
     * checked all the same, by the length that is given here. It has no encoded form, since that has rights.
     *
     * @param stag the bits of its {@link STag}, {@code rkey}
     * @param taggedOffset of its first byte, unsigned, {@code remote_addr}
     * @param length in bytes, 0 or more
     * @throws IllegalArgumentException if the length is negative or the range wraps beyond 2^64 - 1
     */
    public static RemoteBuffer ofUnknownRights(int stag, long taggedOffset, long length) {
        RemoteBuffer bounds = of(stag, taggedOffset, length, 0);
        return new RemoteBuffer(bounds.stag, bounds.taggedOffset, bounds.length, UNKNOWN);
    }

    /**
     * The buffer encoded in the first {@value #BYTES} bytes; what follows is ignored, since InfiniBand pads private
     * data.
     *
     * @throws IllegalArgumentException saying what is wrong, if there are fewer bytes or they encode no legal buffer
     */
    public static RemoteBuffer decode(byte[] encoded) {
        return decode(MemorySegment.ofArray(encoded), 0);
    }

    /**
     * The buffer encoded at an offset of a segment.
     *
     * @throws IllegalArgumentException saying what is wrong, if there are fewer than {@value #BYTES} bytes from the
     *     offset on or they encode no legal buffer
     */
    public static RemoteBuffer decode(MemorySegment segment, long offset) {
        requireRoom(segment, offset);
        return of(
                segment.get(INT, offset + STAG),
                segment.get(LONG, offset + TAGGED_OFFSET),
                segment.get(LONG, offset + LENGTH),
                segment.get(INT, offset + RIGHTS));
    }

    /**
     * The buffer encoded at the position, which moves on by {@value #BYTES}. The byte order of the argument has no
     * effect.
     *
     * @throws IllegalArgumentException saying what is wrong, if there are fewer bytes remaining or they encode no legal
     *     buffer; the position then stays
     */
    public static RemoteBuffer decode(ByteBuffer encoded) {
        RemoteBuffer decoded = decode(MemorySegment.ofBuffer(encoded), 0);
        encoded.position(encoded.position() + BYTES);
        return decoded;
    }

    /**
     * The encoded form, {@value #BYTES} bytes.
     *
     * @throws IllegalStateException if the rights are unknown
     */
    public byte[] encode() {
        byte[] encoded = new byte[BYTES];
        encode(MemorySegment.ofArray(encoded), 0);
        return encoded;
    }

    /**
     * Writes the encoded form at an offset of a segment.
     *
     * @throws IllegalArgumentException if there are fewer than {@value #BYTES} bytes from the offset on
     * @throws IllegalStateException if the rights are unknown
     */
    public void encode(MemorySegment segment, long offset) {
        if (!rightsKnown()) {
            throw new IllegalStateException("The encoded form needs rights, given to RemoteBuffer.of: " + this);
        }
        requireRoom(segment, offset);
        segment.set(INT, offset + STAG, stag);
        segment.set(INT, offset + RIGHTS, rights);
        segment.set(LONG, offset + TAGGED_OFFSET, taggedOffset);
        segment.set(LONG, offset + LENGTH, length);
    }

    /**
     * Writes the encoded form at the position, which moves on by {@value #BYTES}. The byte order of the argument has no
     * effect.
     *
     * @throws IllegalArgumentException if there are fewer bytes remaining; the position then stays
     * @throws IllegalStateException if the rights are unknown; the position then stays
     */
    public void encode(ByteBuffer buffer) {
        encode(MemorySegment.ofBuffer(buffer), 0);
        buffer.position(buffer.position() + BYTES);
    }

    /** The peer's Steering Tag. */
    public STag stag() {
        return new STag(stag);
    }

    /** The bits of {@link #stag}, for the data path. */
    public int stagValue() {
        return stag;
    }

    /** The tagged offset of the first byte, unsigned. */
    public long taggedOffset() {
        return taggedOffset;
    }

    /** Length in bytes, 0 or more. */
    public long length() {
        return length;
    }

    /** Mask of {@link Access#bit}; 0 if the rights are unknown. */
    public int rights() {
        return rightsKnown() ? rights : 0;
    }

    /** Whether the peer said which rights it grants; false of {@link #ofUnknownRights} alone. */
    public boolean rightsKnown() {
        return rights != UNKNOWN;
    }

    /**
     * The tagged offset of a range in the buffer, after checking that the peer granted the right, if rights are known,
     * and that the range is within bounds. Does not allocate.
     *
     * @param offset of the range in the buffer, in bytes
     * @param rangeLength in bytes; 0 is legal at any offset from 0 to {@link #length}
     * @param right what the operation needs
     * @return the tagged offset, unsigned
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     * @throws IllegalArgumentException if the right is missing
     */
    public long checkedOffset(long offset, long rangeLength, Access right) {
        if ((offset | rangeLength) < 0 || rangeLength > length - offset) {
            throw outOfBounds(offset, rangeLength);
        }
        if (rights != UNKNOWN && !right.in(rights)) {
            throw missing(right);
        }
        return taggedOffset + offset;
    }

    /**
     * The tagged offset of the target of an atomic operation, after checking that the peer granted
     * {@link Access#REMOTE_ATOMIC}, that the eight bytes are within bounds, and that the tagged offset is a multiple of
     * 8. Does not allocate.
     *
     * @param offset of the target in the buffer, in bytes
     * @return the tagged offset, unsigned
     * @throws IndexOutOfBoundsException if the target is not within the buffer
     * @throws IllegalArgumentException if the right is missing or the target unaligned
     */
    // RFC 7306 section 5.1.1: "FetchAdd Atomic Operations MUST target ULP Buffer addresses that are 64-bit aligned."
    public long checkedAtomicOffset(long offset) {
        return checkedAtomicOffset(offset, Access.REMOTE_ATOMIC);
    }

    /**
     * As {@link #checkedAtomicOffset(long)}, of an operation that needs another right.
     *
     * @param offset of the target in the buffer, in bytes
     * @param right what the operation needs
     * @return the tagged offset, unsigned
     * @throws IndexOutOfBoundsException if the target is not within the buffer
     * @throws IllegalArgumentException if the right is missing or the target unaligned
     */
    public long checkedAtomicOffset(long offset, Access right) {
        long target = checkedOffset(offset, ATOMIC_BYTES, right);
        if ((target & (ATOMIC_BYTES - 1)) != 0) {
            throw unaligned(offset, target);
        }
        return target;
    }

    /**
     * A part of this buffer with the same STag and rights.
     *
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     */
    public RemoteBuffer slice(long offset, long sliceLength) {
        if ((offset | sliceLength) < 0 || sliceLength > length - offset) {
            throw outOfBounds(offset, sliceLength);
        }
        return new RemoteBuffer(stag, taggedOffset + offset, sliceLength, rights);
    }

    /** Whether the other is a remote buffer with the same STag, tagged offset, length and rights. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RemoteBuffer that
                && stag == that.stag
                && rights == that.rights
                && taggedOffset == that.taggedOffset
                && length == that.length;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * stag + rights) + Long.hashCode(taggedOffset)) + Long.hashCode(length);
    }

    @Override
    public String toString() {
        return String.format(
                "RemoteBuffer[stag=0x%08x, taggedOffset=0x%016x, length=%d, rights=%s]",
                stag, taggedOffset, length, rightsKnown() ? Access.format(rights) : "unknown");
    }

    private static void requireRoom(MemorySegment segment, long offset) {
        if (offset < 0 || segment.byteSize() - offset < BYTES) {
            throw new IllegalArgumentException(String.format(
                    "An encoded remote buffer has %d bytes: offset %d of %d bytes leaves too few",
                    BYTES, offset, segment.byteSize()));
        }
    }

    private IndexOutOfBoundsException outOfBounds(long offset, long rangeLength) {
        return new IndexOutOfBoundsException(
                String.format("%d bytes at offset %d are not within %s", rangeLength, offset, this));
    }

    private IllegalArgumentException missing(Access right) {
        return new IllegalArgumentException("The peer did not grant " + right + ": " + this);
    }

    private IllegalArgumentException unaligned(long offset, long target) {
        return new IllegalArgumentException(String.format(
                "Atomic target at offset %d has tagged offset 0x%016x, not a multiple of 8: %s", offset, target, this));
    }
}
