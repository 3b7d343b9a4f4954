package org.panamaverbs.api.cm;

import java.net.InetSocketAddress;
import org.panamaverbs.api.DatagramDestination;
import org.panamaverbs.api.Verbs;

/**
 * A peer that receives datagrams, found by {@link Verbs#connectDatagrams}. No connection exists: nothing reports that
 * the peer is gone, and the peer is not notified when this is closed.
 */
public interface DatagramPeer extends DatagramDestination {
    /** Returns the local address. */
    InetSocketAddress localAddress();

    /** Returns the peer's address. */
    InetSocketAddress remoteAddress();

    /** Returns a copy of the private data in the peer's reply, padded with zeros to 136 bytes. */
    byte[] privateData();
}
