package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.panamaverbs.api.Capabilities;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.core.StartupConfig;
import org.panamaverbs.iwarp.net.TcpSocket;

/** Connects queue pairs as a configuration says. */
final class Connector {
    private static final int MAX_TOS = 255;
    private static final int MAX_RETRIES = 7;

    private final IwarpVerbs verbs;
    private final ConnectionConfig config;
    private final ConnectionOptions options;

    /**
     * Makes one.
     *
     * @throws IllegalArgumentException if the configuration exceeds what the device can
     */
    Connector(IwarpVerbs verbs, ConnectionConfig config) {
        this.verbs = verbs;
        this.config = config;
        boolean enhanced = verbs.options().revision() > 1;
        checkPrivateData(config.privateData(), enhanced ? Device.MAX_PRIVATE_DATA_ENHANCED : Device.MAX_PRIVATE_DATA);
        checkRanges(config);
        options = ConnectionOptions.parse(config, verbs.options().forConnections());
    }

    /** Refuses private data that does not fit. */
    static void checkPrivateData(byte[] privateData, int limit) {
        if (privateData.length > limit) {
            throw new IllegalArgumentException(
                    "private data must be 0 to " + limit + " octets here, got " + privateData.length);
        }
    }

    /**
     * Refuses read depths that the device does not have, and what no device has: also retries, although TCP does them.
     */
    static void checkRanges(ConnectionConfig config) {
        Capabilities limits = Device.CAPABILITIES;
        Device.checked("responderResources", config.responderResources(), 0, limits.maxResponderResources());
        Device.checked("initiatorDepth", config.initiatorDepth(), 0, limits.maxInitiatorDepth());
        Device.checked("retryCount", config.retryCount(), 0, MAX_RETRIES);
        Device.checked("rnrRetryCount", config.rnrRetryCount(), 0, MAX_RETRIES);
        Device.checked("typeOfService", config.typeOfService(), 0, MAX_TOS);
    }

    /** Returns what {@code config} and the options say to the peer. */
    static StartupConfig startup(IwarpOptions options, ConnectionConfig config) {
        return new StartupConfig(
                options.crc(),
                options.markers(),
                options.revision(),
                config.peerToPeer(),
                config.responderResources(),
                config.initiatorDepth(),
                Device.CAPABILITIES.maxResponderResources(),
                options.rtrWrite(),
                options.rtrRead(),
                options.rtrSend(),
                config.privateData());
    }

    /**
     * Connects {@code queuePair} to {@code peer}; if that fails the queue pair has failed, and is closed if
     * {@code owned}.
     */
    IwarpConnection connect(InetSocketAddress peer, IwarpQueuePair queuePair, boolean owned, Deadline deadline) {
        boolean claimed = false;
        try {
            queuePair.claim("connect");
            claimed = true;
            InetSocketAddress target = resolved(peer);
            Transport transport = open(target);
            Attempt attempt = new Attempt("connect", queuePair, verbs.options().segmentBytes(), options);
            Handshake handshake =
                    Handshake.initiator(verbs.loop(), transport, target, startup(verbs.options(), config), attempt);
            verbs.loop().execute(handshake::connect);
            return new IwarpConnection(verbs, queuePair, owned, attempt.await(verbs.loop(), handshake, deadline));
        } catch (RuntimeException e) {
            if (claimed) {
                queuePair.driver().abort();
            }
            if (owned) {
                queuePair.close();
            }
            throw e;
        }
    }

    private static InetSocketAddress resolved(InetSocketAddress peer) {
        if (!peer.isUnresolved()) {
            return peer;
        }
        InetSocketAddress again = new InetSocketAddress(peer.getHostString(), peer.getPort());
        if (again.isUnresolved()) {
            throw new ConnectionException(
                    "connect", Reason.UNREACHABLE, "the host name " + peer.getHostString() + " does not resolve", null);
        }
        return again;
    }

    private Transport open(InetSocketAddress peer) {
        InetSocketAddress local = config.localAddress();
        TcpSocket socket = null;
        try {
            socket = verbs.sockets().open(peer.getAddress() instanceof Inet6Address);
            socket.keepalive(verbs.options().keepalive());
            if (config.typeOfService() != 0) {
                socket.typeOfService(config.typeOfService());
            }
            if (local != null) {
                socket.bind(local);
            }
            return TlsEngines.connecting(socket, peer, config.tls(), verbs.tlsTasks());
        } catch (IOException | RuntimeException e) {
            if (socket != null) {
                socket.close();
            }
            throw local == null ? SocketErrors.connecting(peer, e) : SocketErrors.binding("connect", local, e);
        }
    }
}
