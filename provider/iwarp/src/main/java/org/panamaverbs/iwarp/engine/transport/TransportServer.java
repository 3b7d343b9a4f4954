package org.panamaverbs.iwarp.engine.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.spi.support.DeferredLog;

/** Listens at one address, for connections by TCP or TLS. Used by one thread at a time. */
public final class TransportServer {
    /** Makes what carries a connection that was accepted. */
    interface Carrying {
        /** Makes a transport over {@code socket}, which is still the caller's if it throws. */
        Transport over(TcpSocket socket) throws IOException;
    }

    private final TcpServer server;
    private final Carrying carrying;
    private final @Nullable Presence presence;

    /**
     * Makes a server that accepts at {@code server}; {@code presence} says that it takes Offers, null if it does not.
     */
    TransportServer(TcpServer server, Carrying carrying, @Nullable Presence presence) {
        this.server = server;
        this.carrying = carrying;
        this.presence = presence;
    }

    /** Returns what a poller watches for connections, and what is closed in the end, after {@link #withdraw}. */
    public Pollable channel() {
        return server;
    }

    /** Says no longer that it takes Offers of shared memory. */
    public void withdraw() {
        if (presence != null) {
            presence.close();
        }
    }

    /** Returns the address that it listens at. */
    public InetSocketAddress localAddress() throws IOException {
        return server.localAddress();
    }

    /**
     * Returns what carries the next connection, null if there is none now.
     *
     * @throws IOException if none can be accepted now
     */
    public @Nullable Transport accept() throws IOException {
        Transport accepted = null;
        TcpSocket socket = server.accept();
        while (accepted == null && socket != null) {
            accepted = wrapped(socket);
            socket = accepted == null ? server.accept() : null;
        }
        return accepted;
    }

    private @Nullable Transport wrapped(TcpSocket socket) {
        boolean wrapped = false;
        try {
            Transport transport = carrying.over(socket);
            wrapped = true;
            return transport;
        } catch (IOException e) {
            DeferredLog.log(
                    TransportServer.class, System.Logger.Level.DEBUG, "a peer disconnected before it was served", e);
            return null;
        } finally {
            if (!wrapped) {
                socket.close();
            }
        }
    }
}
