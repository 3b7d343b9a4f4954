package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A view of the 40 bytes in front of each datagram that was received, which say which way it came: {@code struct
 * ibv_grh}. They are valid where {@link WorkCompletion#hasGrh()}. Datagrams of RoCE v2 over IPv4 have an IPv4 header in
 * their place, behind 20 bytes of no meaning; the view reads both alike, IPv4 addresses as GIDs.
 *
 * <pre>
 *  0 +-----------------------------+     +-----------------------------+
 *    | 6 | traffic class |  label  |     |                             |
 *  4 +-----------------------------+     |                             |
 *    | payload  | next  | hop lim. |     |         no meaning          |
 *  8 +-----------------------------+     |                             |
 *    |                             |     |                             |
 *    |  GID of who sent it         |  20 +-----------------------------+
 *    |                             |     | 4 | 5 | traffic | length    |
 * 24 +-----------------------------+     |  ...  time to live, next    |
 *    |                             |  32 |  IPv4 address of the sender |
 *    |  GID that it was sent to    |  36 |  IPv4 address it went to    |
 * 40 +-----------------------------+     +-----------------------------+
 * </pre>
 *
 * <p>A view is made once and laid over one receive after the other; nothing but {@link #source} and
 * {@link #destination} allocates. It reads memory in place, at each call: what it says is of use from the completion of
 * the receive until that is posted again. Not thread-safe.
 */
public final class GrhView {
    /** The bytes that a receive of a queue pair of type UD needs in front of its payload. */
    public static final int BYTES = 40;

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[BYTES]);

    private static final int VERSION_4 = 4;
    private static final int VERSION_6 = 6;
    private static final int PAYLOAD = 4;
    private static final int NEXT_HEADER = 6;
    private static final int HOP_LIMIT = 7;
    private static final int SOURCE = 8;
    private static final int DESTINATION = 24;
    private static final int HALF = 8;

    private static final int IPV4 = 20;
    private static final int IPV4_BYTES = BYTES - IPV4;
    // Its version, and its length without options in words of 32 bits.
    private static final int IPV4_BEGIN = 0x45;
    private static final int IPV4_TYPE_OF_SERVICE = IPV4 + 1;
    private static final int IPV4_LENGTH = IPV4 + 2;
    private static final int IPV4_TTL = IPV4 + 8;
    private static final int IPV4_PROTOCOL = IPV4 + 9;
    private static final int IPV4_SOURCE = IPV4 + 12;
    private static final int IPV4_DESTINATION = IPV4 + 16;
    private static final long IPV4_MAPPED = 0xffffL << Integer.SIZE;

    private static final int ALL_ONES = 0xff;
    private static final int IPV4_MULTICAST = 0xe;

    private MemorySegment memory = NOTHING;
    private long at;

    /** Creates a view over 40 zeros. */
    public GrhView() {}

    /**
     * Lays the view over the 40 bytes at {@code offset} of {@code buffer}, where a receive begins.
     *
     * @return this view
     * @throws IndexOutOfBoundsException if they are not within the buffer
     * @throws UnsupportedOperationException if this process does not have the memory
     */
    public GrhView wrap(RegisteredBuffer buffer, long offset) {
        return wrap(buffer.segment(), offset);
    }

    /**
     * Lays the view over the 40 bytes at {@code offset} of {@code segment}, where a receive begins.
     *
     * @return this view
     * @throws IndexOutOfBoundsException if they are not within the segment
     */
    public GrhView wrap(MemorySegment segment, long offset) {
        Objects.checkFromIndexSize(offset, BYTES, segment.byteSize());
        memory = segment;
        at = offset;
        return this;
    }

    /**
     * Returns whether there is an IPv4 header in place of a global route header. Where one of version 6 begins it is
     * one, unless what stands in the place of an IPv4 header has a right sum: devices leave in front of that what was
     * there before.
     */
    public boolean isIpv4() {
        if (upperHalf(0) != VERSION_6) {
            return upperHalf(IPV4) == VERSION_4;
        }
        if (octet(IPV4) != IPV4_BEGIN) {
            return false;
        }
        // RFC 791 §3.1: the ones' complement sum of all 16 bit words, the sum itself among them, is all ones.
        int sum = 0;
        for (int word = IPV4; word < BYTES; word += Short.BYTES) {
            sum += number(word);
        }
        sum = (sum & 0xffff) + (sum >>> Short.SIZE);
        return (sum & 0xffff) + (sum >>> Short.SIZE) == 0xffff;
    }

    private int upperHalf(int offset) {
        return octet(offset) >>> 4;
    }

    private int octet(int offset) {
        return Byte.toUnsignedInt(memory.get(BYTE, at + offset));
    }

    private int number(int offset) {
        return Short.toUnsignedInt(memory.get(SHORT, at + offset));
    }

    /** Returns the traffic class, 0 to 255; of IPv4 the type of service. */
    public int trafficClass() {
        return isIpv4() ? octet(IPV4_TYPE_OF_SERVICE) : memory.get(INT, at) >>> 20 & ALL_ONES;
    }

    /** Returns the flow label, 20 bits; of IPv4, which has none, 0. */
    public int flowLabel() {
        return isIpv4() ? 0 : memory.get(INT, at) & 0xf_ffff;
    }

    /** Returns how many bytes came behind the header, with those that the receive does not hold: 0 to 65,535. */
    public int payloadBytes() {
        return isIpv4() ? Math.max(0, number(IPV4_LENGTH) - IPV4_BYTES) : number(PAYLOAD);
    }

    /** Returns what follows the header: 17 (UDP) of RoCE v2, 27 (0x1B) of InfiniBand and RoCE v1. */
    public int nextHeader() {
        return octet(isIpv4() ? IPV4_PROTOCOL : NEXT_HEADER);
    }

    /** Returns how many hops were left, 0 to 255; of IPv4 the time to live. */
    public int hopLimit() {
        return octet(isIpv4() ? IPV4_TTL : HOP_LIMIT);
    }

    /** Returns the GID of who sent the datagram, a new object; {@link #isFrom} compares without one. */
    public Gid source() {
        return new Gid(sourceSubnetPrefix(), sourceInterfaceId());
    }

    /** Returns {@link Gid#subnetPrefix} of who sent the datagram. */
    public long sourceSubnetPrefix() {
        return isIpv4() ? 0 : memory.get(LONG, at + SOURCE);
    }

    /** Returns {@link Gid#interfaceId} of who sent the datagram. */
    public long sourceInterfaceId() {
        return isIpv4() ? mapped(IPV4_SOURCE) : memory.get(LONG, at + SOURCE + HALF);
    }

    /** Returns whether the datagram came from {@code gid}; a queue pair there is known by its number as well. */
    public boolean isFrom(Gid gid) {
        return sourceSubnetPrefix() == gid.subnetPrefix() && sourceInterfaceId() == gid.interfaceId();
    }

    /** Returns the GID that the datagram was sent to, a new object: this side's, or a multicast group's. */
    public Gid destination() {
        return isIpv4()
                ? new Gid(0, mapped(IPV4_DESTINATION))
                : new Gid(memory.get(LONG, at + DESTINATION), memory.get(LONG, at + DESTINATION + HALF));
    }

    /** Returns whether the datagram was sent to a multicast group. */
    public boolean isMulticast() {
        return isIpv4() ? upperHalf(IPV4_DESTINATION) == IPV4_MULTICAST : octet(DESTINATION) == ALL_ONES;
    }

    private long mapped(int offset) {
        return IPV4_MAPPED | Integer.toUnsignedLong(memory.get(INT, at + offset));
    }

    /** For providers: copies the 40 bytes to the beginning of {@code target}. */
    public void copyTo(MemorySegment target) {
        MemorySegment.copy(memory, at, target, 0, BYTES);
    }

    /** Returns the way, for people. */
    @Override
    public String toString() {
        return "%s to %s, traffic class %d, flow label 0x%05x, %d hops left, next header %d, %d bytes"
                .formatted(
                        source(), destination(), trafficClass(), flowLabel(), hopLimit(), nextHeader(), payloadBytes());
    }
}
