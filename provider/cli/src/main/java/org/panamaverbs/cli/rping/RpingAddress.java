package org.panamaverbs.cli.rping;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.panamaverbs.cli.command.CommandFailure;

/** Addresses as people write them. */
final class RpingAddress {
    private RpingAddress() {}

    /** Resolves {@code host}. */
    static InetSocketAddress of(String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new CommandFailure("the address " + host + " does not resolve: getent hosts " + host
                    + " asks for it; or give an IP address");
        }
        return address;
    }

    /** Returns the numeric address and the port, an IPv6 address in brackets. */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
