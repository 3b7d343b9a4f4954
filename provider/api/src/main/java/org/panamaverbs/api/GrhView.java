package org.panamaverbs.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A view of the 40 bytes in front of each received datagram, {@code struct ibv_grh}, which are valid if
 * {@link WorkCompletion#hasGrh()}. Datagrams of RoCE v2 over IPv4 have an IPv4 header there, behind 20 arbitrary bytes;
 * the view reads both alike, with IPv4 addresses as GIDs.
 *
 * <pre>
 *  0 +-----------------------------+     +-----------------------------+
 *    | 6 | traffic class |  label  |     |                             |
 *  4 +-----------------------------+     |                             |
 *    | payload  | next  | hop lim. |     |         arbitrary           |
 *  8 +-----------------------------+     |                             |
 *    |                             |     |                             |
 *    |  source GID                 |  20 +-----------------------------+
 *    |                             |     | 4 | 5 | traffic | length    |
 * 24 +-----------------------------+     |  ...  time to live, next    |
 *    |                             |  32 |  source IPv4 address        |
 *    |  destination GID            |  36 |  destination IPv4 address   |
 * 40 +-----------------------------+     +-----------------------------+
 * </pre>
 *
 * <p>Create a view once and wrap one receive after the other; only {@link #source} and {@link #destination} allocate.
 * It reads memory in place on each call: use it between the completion of the receive and its next post. Not
 * thread-safe.
 */
public final class GrhView {
    /** Bytes that a receive of a queue pair of type UD needs in front of its payload. */
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

    /** Creates a view of 40 zeros. */
    public GrhView() {}

    /**
     * Moves the view to {@code offset} of {@code buffer}, where a receive begins.
     *
     * @return this view
     * @throws IndexOutOfBoundsException if the 40 bytes are not within the buffer
     * @throws UnsupportedOperationException if the buffer has no segment
     */
    public GrhView wrap(RegisteredBuffer buffer, long offset) {
        return wrap(buffer.segment(), offset);
    }

    /**
     * Moves the view to {@code offset} of {@code segment}, where a receive begins.
     *
     * @return this view
     * @throws IndexOutOfBoundsException if the 40 bytes are not within the segment
     */
    public GrhView wrap(MemorySegment segment, long offset) {
        Objects.checkFromIndexSize(offset, BYTES, segment.byteSize());
        memory = segment;
        at = offset;
        return this;
    }

    /**
     * Returns whether there is an IPv4 header instead of a global route header. Version 6 at the start means a global
     * route header, unless the bytes at the place of an IPv4 header have a valid checksum: devices leave stale bytes in
     * front of an IPv4 header.
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

    /** Returns the traffic class, 0 to 255; for IPv4 the type of service. */
    public int trafficClass() {
        return isIpv4() ? octet(IPV4_TYPE_OF_SERVICE) : memory.get(INT, at) >>> 20 & ALL_ONES;
    }

    /** Returns the flow label, 20 bits; 0 for IPv4. */
    public int flowLabel() {
        return isIpv4() ? 0 : memory.get(INT, at) & 0xf_ffff;
    }

    /** Returns the bytes after the header, 0 to 65,535, including those that the receive does not contain. */
    public int payloadBytes() {
        return isIpv4() ? Math.max(0, number(IPV4_LENGTH) - IPV4_BYTES) : number(PAYLOAD);
    }

    /** Returns the next header: 17 (UDP) for RoCE v2, 27 for InfiniBand and RoCE v1. */
    public int nextHeader() {
        return octet(isIpv4() ? IPV4_PROTOCOL : NEXT_HEADER);
    }

    /** Returns the remaining hops, 0 to 255; for IPv4 the time to live. */
    public int hopLimit() {
        return octet(isIpv4() ? IPV4_TTL : HOP_LIMIT);
    }

    /** Returns the sender's GID as a new object; {@link #isFrom} compares without allocating. */
    public Gid source() {
        return new Gid(sourceSubnetPrefix(), sourceInterfaceId());
    }

    /** Returns {@link Gid#subnetPrefix} of the sender. */
    public long sourceSubnetPrefix() {
        return isIpv4() ? 0 : memory.get(LONG, at + SOURCE);
    }

    /** Returns {@link Gid#interfaceId} of the sender. */
    public long sourceInterfaceId() {
        return isIpv4() ? mapped(IPV4_SOURCE) : memory.get(LONG, at + SOURCE + HALF);
    }

    /**
     * Returns whether {@code gid} sent the datagram; {@link WorkCompletion#sourceQpNumber()} identifies the queue pair.
     */
    public boolean isFrom(Gid gid) {
        return sourceSubnetPrefix() == gid.subnetPrefix() && sourceInterfaceId() == gid.interfaceId();
    }

    /** Returns the destination GID as a new object: this side's, or a multicast group's. */
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

    /** For providers: copies the 40 bytes to the start of {@code target}. */
    public void copyTo(MemorySegment target) {
        MemorySegment.copy(memory, at, target, 0, BYTES);
    }

    /** Returns the route, for people. */
    @Override
    public String toString() {
        return "%s to %s, traffic class %d, flow label 0x%05x, %d hops left, next header %d, %d bytes"
                .formatted(
                        source(), destination(), trafficClass(), flowLabel(), hopLimit(), nextHeader(), payloadBytes());
    }
}
