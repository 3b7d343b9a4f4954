package org.panamaverbs.iwarp.engine.transport;

import java.net.InetSocketAddress;

/** How messages name addresses. */
public final class Addresses {
    private Addresses() {}

    /** Returns {@code address} for messages, without looking its name up. */
    public static String text(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
