package org.panamaverbs.cli.rping;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Addresses as rping prints them. */
final class RpingAddress {
    private RpingAddress() {}

    /** Returns the numeric address and the port, an IPv6 address in brackets. */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
