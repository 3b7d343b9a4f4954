package org.panamaverbs.api.ext;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HexFormat;

/**
 * A 48-bit Ethernet address.
 *
 * @param bits the address with its first byte in bits 47 to 40, 0 to 2^48-1
 */
public record MacAddress(long bits) {
    /** Length in bytes. */
    public static final int BYTES = 6;

    private static final int BITS = BYTES * Byte.SIZE;
    // RFC 1112 §6.4: 01-00-5E-00-00-00, and the low 23 bits of the group.
    private static final long IPV4_GROUPS = 0x0100_5E00_0000L;
    private static final int IPV4_GROUP_BITS = 0x7F_FFFF;
    // RFC 2464 §7: 33-33, and the last four bytes of the group.
    private static final long IPV6_GROUPS = 0x3333_0000_0000L;
    private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if {@code bits} exceeds 48 bits
     */
    public MacAddress {
        if (bits >>> BITS != 0) {
            throw new IllegalArgumentException("a MAC address has 48 bits, got 0x%x".formatted(bits));
        }
    }

    /**
     * Returns the address of {@code text}, such as {@code 02:00:5e:10:00:01}.
     *
     * @throws IllegalArgumentException if it is not a MAC address
     */
    public static MacAddress of(String text) {
        byte[] octets;
        try {
            octets = COLONS.parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "not a MAC address: " + text + ", expected a form such as 02:00:5e:10:00:01", e);
        }
        if (octets.length != BYTES) {
            throw new IllegalArgumentException("a MAC address has 6 bytes, got " + text);
        }
        return new MacAddress(HexFormat.fromHexDigitsToLong(HexFormat.of().formatHex(octets)));
    }

    /**
     * Returns the destination address of frames to the multicast {@code group} (RFC 1112 §6.4, RFC 2464 §7). 32 IPv4
     * groups share each address, so a rule should match the group as well.
     *
     * @throws IllegalArgumentException if {@code group} is not a multicast address
     */
    public static MacAddress ofGroup(InetAddress group) {
        if (!group.isMulticastAddress()) {
            throw new IllegalArgumentException(group.getHostAddress() + " is not a multicast address");
        }
        byte[] octets = group.getAddress();
        long last = 0;
        for (int i = octets.length - Integer.BYTES; i < octets.length; i++) {
            last = (last << Byte.SIZE) | Byte.toUnsignedLong(octets[i]);
        }
        return new MacAddress(
                group instanceof Inet4Address ? IPV4_GROUPS | (last & IPV4_GROUP_BITS) : IPV6_GROUPS | last);
    }

    /** Returns the address in the format of {@link #of}. */
    @Override
    public String toString() {
        return COLONS.formatHex(HexFormat.of().parseHex(HexFormat.of().toHexDigits(bits, 2 * BYTES)));
    }
}
