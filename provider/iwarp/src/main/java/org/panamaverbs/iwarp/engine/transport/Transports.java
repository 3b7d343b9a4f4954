package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions;
import org.panamaverbs.iwarp.engine.device.SharedMemoryOptions.Mode;
import org.panamaverbs.iwarp.engine.device.SocketsReport;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.net.Keepalive;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.spi.support.HostAddresses;

/** Makes the transports of a context, as configurations say: the only one who knows which kinds there are. */
public final class Transports {
    private final Sockets sockets;
    private final Keepalive keepalive;
    private final TlsTasks tlsTasks;
    private final SameHostTransports sameHost;
    private final String report;
    private final String besideTls;

    /** Makes the transports of {@code context}; {@code report} says how it reaches TCP. */
    public Transports(Context context, SocketsReport report) {
        sockets = context.sockets();
        keepalive = context.options().keepalive();
        tlsTasks = new TlsTasks(context.loop());
        this.report = report.clause();
        besideTls =
                SameHostTransports.besideTls(context.options().sharedMemory().mode());
        sameHost = new SameHostTransports(
                context.options().sharedMemory(), context.direct(), context.loop(), context.random(), this.report);
    }

    /**
     * Returns what is to be connected to {@code peer}: bound to {@code local} unless that is null, TCP alone if
     * {@code tls} is null.
     *
     * @param typeOfService the byte of each packet, 0 for the system's
     * @param shared whether it may be, or must be, memory that is shared with the peer; not under TLS
     * @throws ConnectionException if there is no socket for that
     * @throws ResourceException if {@code local} may not be bound, or this process lacks what that takes
     */
    public Transport connecting(
            InetSocketAddress peer,
            @Nullable InetSocketAddress local,
            int typeOfService,
            @Nullable TlsConfig tls,
            SharedMemoryOptions shared) {
        TcpSocket socket = null;
        boolean opened = false;
        try {
            socket = sockets.open(peer.getAddress() instanceof Inet6Address);
            socket.keepalive(keepalive);
            if (typeOfService != 0) {
                socket.typeOfService(typeOfService);
            }
            if (local != null) {
                socket.bind(local);
            }
            Transport transport = tls == null
                    ? sameHost.connecting(
                            socket, shared, () -> connecting(peer, local, typeOfService, null, shared.with(Mode.OFF)))
                    : new TlsTransport(
                            socket,
                            TlsEngines.connecting(tls, peer),
                            tlsTasks,
                            report,
                            SameHostTransports.besideTls(shared.mode()));
            opened = true;
            return transport;
        } catch (IOException | RuntimeException e) {
            throw local == null ? SocketErrors.connecting(peer, e) : SocketErrors.binding("connect", local, e);
        } finally {
            if (!opened && socket != null) {
                socket.close();
            }
        }
    }

    /** Closes what is left of connections that have ended. */
    public void close() {
        sameHost.close();
    }

    /** Listens at {@code local}, for TCP alone if {@code config} has no TLS. */
    public TransportServer listen(InetSocketAddress local, ListenerConfig config) throws IOException {
        TlsConfig tls = config.tls();
        boolean ipv4Only = config.ipv4Only() || HostAddresses.isIpv4Only();
        TcpServer server = sockets.listen(local, config.backlog(), config.reuseAddress(), ipv4Only);
        Presence presence = null;
        boolean opened = false;
        try {
            presence = tls == null ? sameHost.presence(server.localAddress()) : null;
            TransportServer wrapped = new TransportServer(server, socket -> accepted(socket, tls), presence);
            opened = true;
            return wrapped;
        } finally {
            if (!opened) {
                close(server, presence);
            }
        }
    }

    /** Loads what carries the first connection of a listener. */
    public static void prepareAccepting() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            lookup.ensureInitialized(TcpTransport.class);
            lookup.ensureInitialized(AnsweringTransport.class);
            lookup.ensureInitialized(IoVector.class);
        } catch (IllegalAccessException e) {
            throw new AssertionError("of this package", e);
        }
    }

    private static void close(TcpServer server, @Nullable Presence presence) {
        try {
            if (presence != null) {
                presence.close();
            }
        } finally {
            server.close();
        }
    }

    /** Returns what carries the connection of {@code socket}, which a listener has accepted. */
    private Transport accepted(TcpSocket socket, @Nullable TlsConfig tls) throws IOException {
        socket.keepalive(keepalive);
        return tls == null
                ? sameHost.accepted(socket)
                : new TlsTransport(socket, TlsEngines.listening(tls), tlsTasks, report, besideTls);
    }
}
