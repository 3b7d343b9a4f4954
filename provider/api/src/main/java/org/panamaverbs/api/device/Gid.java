package org.panamaverbs.api.device;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * A global identifier, {@code union ibv_gid}: 16 bytes in network order. On RoCE v2 an IP address, with IPv4 as
 * {@code ::ffff:a.b.c.d}.
 *
 * @param subnetPrefix the first 8 bytes ({@code global.subnet_prefix})
 * @param interfaceId the last 8 bytes ({@code global.interface_id})
 */
public record Gid(long subnetPrefix, long interfaceId) {
    /** Length of a GID in bytes. */
    public static final int BYTES = 16;

    private static final int GROUPS = 8;
    private static final int GROUPS_OF_LONG = 4;
    private static final int GROUP_MASK = 0xffff;
    private static final long IPV4_MAPPED = 0xffff;

    /**
     * Returns the GID with the given {@link #BYTES} bytes.
     *
     * @throws IllegalArgumentException if the array has another length
     */
    public static Gid of(byte[] raw) {
        if (raw.length != BYTES) {
            throw new IllegalArgumentException("a GID has " + BYTES + " bytes, got " + raw.length);
        }
        ByteBuffer octets = ByteBuffer.wrap(raw);
        return new Gid(octets.getLong(), octets.getLong());
    }

    /** Returns the GID of {@code address} on RoCE v2. */
    public static Gid of(InetAddress address) {
        byte[] octets = address.getAddress();
        return octets.length == BYTES
                ? of(octets)
                : new Gid(
                        0,
                        IPV4_MAPPED << Integer.SIZE
                                | Integer.toUnsignedLong(ByteBuffer.wrap(octets).getInt()));
    }

    /** Returns a new array of the {@link #BYTES} bytes. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(subnetPrefix)
                .putLong(interfaceId)
                .array();
    }

    /** Returns the GID as an IP address, as IPv4 if it is mapped. */
    public InetAddress toAddress() {
        try {
            return InetAddress.getByAddress(toBytes());
        } catch (UnknownHostException e) {
            throw new IllegalStateException(BYTES + " bytes are an address", e);
        }
    }

    /** Returns whether all bytes are 0, as in an empty table entry. */
    public boolean isZero() {
        return (subnetPrefix | interfaceId) == 0;
    }

    /** Returns the GID in the format of IPv6 addresses, as {@code inet_ntop(3)}. */
    @Override
    public String toString() {
        if (subnetPrefix == 0 && interfaceId >>> Integer.SIZE == IPV4_MAPPED) {
            return "::ffff:" + toAddress().getHostAddress();
        }
        int gap = -1;
        int gapLength = 1;
        for (int start = 0; start < GROUPS; start++) {
            int length = zeroGroups(start);
            // RFC 5952 §4.2: the longest run of at least two zero groups is left out, the first of equal ones.
            if (length > gapLength) {
                gap = start;
                gapLength = length;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                text.append("::");
                i += gapLength - 1;
            } else {
                boolean separated = i > 0 && text.charAt(text.length() - 1) != ':';
                text.append(separated ? ":" : "").append(Integer.toHexString(group(i)));
            }
        }
        return text.toString();
    }

    private int zeroGroups(int start) {
        int end = start;
        while (end < GROUPS && group(end) == 0) {
            end++;
        }
        return end - start;
    }

    private int group(int i) {
        long half = i < GROUPS_OF_LONG ? subnetPrefix : interfaceId;
        return (int) (half >>> (Short.SIZE * (GROUPS_OF_LONG - 1 - (i % GROUPS_OF_LONG)))) & GROUP_MASK;
    }
}
