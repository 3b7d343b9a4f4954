package org.panamaverbs.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * A peer's memory as the peer advertised it: remote key, address, length and rights, which are {@code wr.rdma.rkey} and
 * {@code wr.rdma.remote_addr} of {@code struct ibv_send_wr}. In iWARP a Tagged Buffer with an STag and a tagged offset.
 * Immutable.
 *
 * <p>The {@code checked} methods throw at the requester instead of letting the responder refuse and end the connection.
 *
 * <p>The encoded form has {@value #BYTES} bytes in network order, at any alignment:
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
    /** Length of the encoded form in bytes. */
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

    private final int rkey;
    private final int rights;
    private final long address;
    private final long length;

    private RemoteBuffer(int rkey, long address, long length, int rights) {
        this.rkey = rkey;
        this.rights = rights;
        this.address = address;
        this.length = length;
    }

    /**
     * Creates a remote buffer.
     *
     * @param rkey the peer's rkey
     * @param address the remote address of the first byte, unsigned
     * @param length bytes, from 0
     * @param rights the rights that the peer grants
     * @throws IllegalArgumentException if {@code length} is negative or the range wraps beyond 2^64 - 1
     */
    public static RemoteBuffer of(int rkey, long address, long length, Access... rights) {
        return of(rkey, address, length, Access.mask(rights));
    }

    /**
     * Creates a remote buffer from raw values.
     *
     * @param rkey the peer's rkey
     * @param address the remote address of the first byte, unsigned
     * @param length bytes, from 0
     * @param rights the rights that the peer grants, a mask of {@link Access#bit}
     * @throws IllegalArgumentException if {@code length} is negative, the range wraps beyond 2^64 - 1, or
     *     {@code rights} has unknown bits
     */
    public static RemoteBuffer of(int rkey, long address, long length, int rights) {
        if (length < 0) {
            throw new IllegalArgumentException(
                    "Remote buffer with length " + Long.toUnsignedString(length) + ", expected at most 2^63 - 1");
        }
        if (TaggedOffset.wraps(address, length)) {
            throw new IllegalArgumentException(String.format(
                    "Remote buffer of %d bytes at address 0x%016x wraps beyond 2^64 - 1", length, address));
        }
        if ((rights & ~Access.KNOWN) != 0) {
            throw new IllegalArgumentException("Remote buffer with unknown rights: " + Access.format(rights));
        }
        return new RemoteBuffer(rkey, address, length, rights);
    }

    /**
     * Creates a remote buffer of a peer that advertises no rights, such as a program in C. Rights are not checked here:
     * if the peer did not grant one, it refuses, and the connection ends. Bounds and the alignment of atomics are still
     * checked. The buffer cannot be encoded, since the encoded form contains rights.
     *
     * @param rkey the peer's rkey ({@code wr.rdma.rkey})
     * @param address the remote address of the first byte, unsigned ({@code wr.rdma.remote_addr})
     * @param length bytes, from 0
     * @throws IllegalArgumentException if {@code length} is negative or the range wraps beyond 2^64 - 1
     */
    public static RemoteBuffer ofUnknownRights(int rkey, long address, long length) {
        RemoteBuffer bounds = of(rkey, address, length, 0);
        return new RemoteBuffer(bounds.rkey, bounds.address, bounds.length, UNKNOWN);
    }

    /**
     * Returns the buffer encoded in the first {@value #BYTES} bytes; further bytes are ignored, since InfiniBand pads
     * private data.
     *
     * @throws IllegalArgumentException if {@code encoded} is too short or encodes no valid buffer, with the reason
     */
    public static RemoteBuffer decode(byte[] encoded) {
        return decode(MemorySegment.ofArray(encoded), 0);
    }

    /**
     * Returns the buffer encoded at {@code offset} of {@code segment}.
     *
     * @throws IllegalArgumentException if fewer than {@value #BYTES} bytes follow or they encode no valid buffer, with
     *     the reason
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
     * Returns the buffer encoded at the position, which advances by {@value #BYTES}. The byte order of {@code encoded}
     * has no effect.
     *
     * @throws IllegalArgumentException if fewer bytes remain or they encode no valid buffer, with the reason; the
     *     position is unchanged
     */
    public static RemoteBuffer decode(ByteBuffer encoded) {
        RemoteBuffer decoded = decode(MemorySegment.ofBuffer(encoded), 0);
        encoded.position(encoded.position() + BYTES);
        return decoded;
    }

    /**
     * Returns the encoded form, {@value #BYTES} bytes.
     *
     * @throws IllegalStateException if the rights are unknown
     */
    public byte[] encode() {
        byte[] encoded = new byte[BYTES];
        encode(MemorySegment.ofArray(encoded), 0);
        return encoded;
    }

    /**
     * Writes the encoded form at {@code offset} of {@code segment}.
     *
     * @throws IllegalArgumentException if fewer than {@value #BYTES} bytes follow
     * @throws IllegalStateException if the rights are unknown
     */
    public void encode(MemorySegment segment, long offset) {
        if (!rightsKnown()) {
            throw new IllegalStateException("A remote buffer without rights cannot be encoded: " + this
                    + "; remedy: pass its rights to RemoteBuffer.of");
        }
        requireRoom(segment, offset);
        segment.set(INT, offset + STAG, rkey);
        segment.set(INT, offset + RIGHTS, rights);
        segment.set(LONG, offset + TAGGED_OFFSET, address);
        segment.set(LONG, offset + LENGTH, length);
    }

    /**
     * Writes the encoded form at the position, which advances by {@value #BYTES}. The byte order of {@code buffer} has
     * no effect.
     *
     * @throws IllegalArgumentException if fewer bytes remain; the position is unchanged
     * @throws IllegalStateException if the rights are unknown; the position is unchanged
     */
    public void encode(ByteBuffer buffer) {
        encode(MemorySegment.ofBuffer(buffer), 0);
        buffer.position(buffer.position() + BYTES);
    }

    /** Returns the bits of {@link #rkey}, without allocating. */
    public int rkey() {
        return rkey;
    }

    /** Returns the remote address of the first byte, unsigned; a tagged offset in iWARP. */
    public long address() {
        return address;
    }

    /** Returns the length in bytes, 0 or more. */
    public long length() {
        return length;
    }

    /** Returns the granted rights as a mask of {@link Access#bit}; 0 if they are unknown. */
    public int rights() {
        return rightsKnown() ? rights : 0;
    }

    /** Returns whether the peer advertised rights; false only for {@link #ofUnknownRights}. */
    public boolean rightsKnown() {
        return rights != UNKNOWN;
    }

    /**
     * Returns the remote address of a range, after checking bounds and, if rights are known, {@code right}. Does not
     * allocate.
     *
     * @param offset first byte of the range in this buffer
     * @param rangeLength bytes; 0 is valid at any offset from 0 to {@link #length}
     * @param right the right that the operation needs
     * @return the remote address, unsigned
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     * @throws IllegalArgumentException if the peer did not grant the right
     */
    public long checkedOffset(long offset, long rangeLength, Access right) {
        if ((offset | rangeLength) < 0 || rangeLength > length - offset) {
            throw outOfBounds(offset, rangeLength);
        }
        if (rights != UNKNOWN && !right.in(rights)) {
            throw missing(right);
        }
        return address + offset;
    }

    /**
     * Returns the remote address of a 64-bit cell, after checking {@link Access#REMOTE_ATOMIC}, bounds and alignment.
     * Does not allocate.
     *
     * @param offset of the cell in this buffer, in bytes
     * @return the remote address, unsigned, a multiple of 8
     * @throws IndexOutOfBoundsException if the 8 bytes are not within the buffer
     * @throws IllegalArgumentException if the peer did not grant the right, or the remote address is no multiple of 8
     */
    // RFC 7306 section 5.1.1: "FetchAdd Atomic Operations MUST target ULP Buffer addresses that are 64-bit aligned."
    public long checkedAtomicOffset(long offset) {
        return checkedAtomicOffset(offset, Access.REMOTE_ATOMIC);
    }

    /**
     * Returns the remote address of a 64-bit cell for an operation that needs {@code right}; otherwise as
     * {@link #checkedAtomicOffset(long)}.
     */
    public long checkedAtomicOffset(long offset, Access right) {
        long target = checkedOffset(offset, ATOMIC_BYTES, right);
        if ((target & (ATOMIC_BYTES - 1)) != 0) {
            throw unaligned(offset, target);
        }
        return target;
    }

    /**
     * Returns a part of this buffer with the same rkey and rights.
     *
     * @param offset first byte of the part in this buffer
     * @param sliceLength bytes, from 0
     * @throws IndexOutOfBoundsException if the part is not within the buffer
     */
    public RemoteBuffer slice(long offset, long sliceLength) {
        if ((offset | sliceLength) < 0 || sliceLength > length - offset) {
            throw outOfBounds(offset, sliceLength);
        }
        return new RemoteBuffer(rkey, address + offset, sliceLength, rights);
    }

    /** Returns whether {@code other} is a remote buffer with the same rkey, address, length and rights. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RemoteBuffer that
                && rkey == that.rkey
                && rights == that.rights
                && address == that.address
                && length == that.length;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * rkey + rights) + Long.hashCode(address)) + Long.hashCode(length);
    }

    @Override
    public String toString() {
        return String.format(
                "RemoteBuffer[rkey=0x%08x, address=0x%016x, length=%d, rights=%s]",
                rkey, address, length, rightsKnown() ? Access.format(rights) : "unknown");
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
                "Atomic target at offset %d has address 0x%016x, not a multiple of 8: %s", offset, target, this));
    }
}
