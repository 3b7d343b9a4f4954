package org.panamaverbs.api.ethernet;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HexFormat;

/**
 * An Ethernet address of 48 bits.
 *
 * @param bits the address, its first byte in bits 47 to 40; 0 to 2^48-1
 */
public record MacAddress(long bits) {
    /** How many bytes it has. */
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
     * @throws IllegalArgumentException if there are more than 48 bits
     */
    public MacAddress {
        if (bits >>> BITS != 0) {
            throw new IllegalArgumentException("a MAC address has 48 bits, got 0x%x".formatted(bits));
        }
    }

    /**
     * Returns the address that {@code text} is, such as {@code 02:00:5e:10:00:01}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static MacAddress of(String text) {
        byte[] octets;
        try {
            octets = COLONS.parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not a MAC address: " + text + "; it is like 02:00:5e:10:00:01", e);
        }
        if (octets.length != BYTES) {
            throw new IllegalArgumentException("a MAC address has 6 bytes, got " + text);
        }
        return new MacAddress(HexFormat.fromHexDigitsToLong(HexFormat.of().formatHex(octets)));
    }

    /**
     * Returns the address that frames to {@code group} have (RFC 1112 §6.4, RFC 2464 §7): 32 groups of IPv4 share each,
     * so that a rule names the group beside it.
     *
     * @throws IllegalArgumentException if the address is not one of multicast
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

    /** Returns the address as {@link #of} takes it. */
    @Override
    public String toString() {
        return COLONS.formatHex(HexFormat.of().parseHex(HexFormat.of().toHexDigits(bits, 2 * BYTES)));
    }
}
