package org.panamaverbs.spi.watch;

import java.net.InetSocketAddress;
import org.panamaverbs.api.Carrier;

/**
 * The facts of a newly established connection.
 *
 * @param operation {@code connect} or {@code accept}
 * @param local the local address
 * @param remote the peer's address
 * @param carrier the carrier
 * @param transport the negotiated options in words, as {@code Connection.transport()}
 * @param responderResources Reads and atomics that the peer may have outstanding here (IRD)
 * @param initiatorDepth Reads and atomics that this side may have outstanding (ORD)
 */
public record ConnectionFacts(
        String operation,
        InetSocketAddress local,
        InetSocketAddress remote,
        Carrier carrier,
        String transport,
        int responderResources,
        int initiatorDepth) {}
