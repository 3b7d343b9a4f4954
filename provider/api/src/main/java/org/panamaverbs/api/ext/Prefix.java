package org.panamaverbs.api.ext;

import java.net.InetAddress;

/**
 * An IP address prefix.
 *
 * @param address of IPv4 or IPv6
 * @param bits length of the prefix: 0 for any address, 32 or 128 for a single one
 */
public record Prefix(InetAddress address, int bits) {
    /** Matches any address of IPv4. */
    public static final Prefix ANY_IPV4 = new Prefix(InetAddress.ofLiteral("0.0.0.0"), 0);

    /** Matches any address of IPv6. */
    public static final Prefix ANY_IPV6 = new Prefix(InetAddress.ofLiteral("::"), 0);

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if {@code bits} exceeds the address
     */
    public Prefix {
        int most = address.getAddress().length * Byte.SIZE;
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException(
                    "bits of " + address.getHostAddress() + " must be 0 to " + most + ", got " + bits);
        }
    }

    /** Returns the prefix that only {@code address} matches. */
    public static Prefix of(InetAddress address) {
        return new Prefix(address, address.getAddress().length * Byte.SIZE);
    }

    /** Checks that the address has {@code octets} bytes, as {@code layer} requires. */
    void require(int octets, String layer) {
        if (address.getAddress().length != octets) {
            throw new IllegalArgumentException(address.getHostAddress() + " is not an address of " + layer);
        }
    }
}
