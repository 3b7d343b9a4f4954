package org.panamaverbs.api;

import java.net.InetSocketAddress;

/**
 * A peer that takes datagrams, found by {@link Verbs#connectDatagrams}. There is no connection: nothing tells when the
 * peer goes, and closing this tells nobody.
 */
public interface DatagramPeer extends DatagramDestination {
    /** Returns the local address. */
    InetSocketAddress localAddress();

    /** Returns the peer's address. */
    InetSocketAddress remoteAddress();

    /** Returns a copy of what the peer answered, padded with zeros to 136 bytes. */
    byte[] privateData();
}
