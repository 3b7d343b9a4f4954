package org.panamaverbs.spi.watch;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as people write them. */
final class PeerText {
    private PeerText() {}

    /**
     * Returns {@code address} as {@code 10.0.0.2:4791}, {@code [fe80::1]:4791}, or with its name if it has no other.
     */
    static String of(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        if (host == null) {
            return address.getHostString() + ":" + address.getPort();
        }
        String text = host.getHostAddress();
        return (host instanceof Inet6Address ? "[" + text + "]" : text) + ":" + address.getPort();
    }
}
