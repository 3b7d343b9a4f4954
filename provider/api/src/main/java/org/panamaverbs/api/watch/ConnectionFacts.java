package org.panamaverbs.api.watch;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Carrier;

/**
 * What is known of a connection that was just set up.
 *
 * @param operation {@code connect} or {@code accept}
 * @param local the address of this side
 * @param remote the address of the peer
 * @param carrier what carries it
 * @param transport what was negotiated and what carries it, in words, as {@code Connection.transport()}
 * @param responderResources Reads and Atomics that the peer may have outstanding here (IRD)
 * @param initiatorDepth Reads and Atomics that may be outstanding from here (ORD)
 */
public record ConnectionFacts(
        String operation,
        InetSocketAddress local,
        InetSocketAddress remote,
        Carrier carrier,
        String transport,
        int responderResources,
        int initiatorDepth) {}
