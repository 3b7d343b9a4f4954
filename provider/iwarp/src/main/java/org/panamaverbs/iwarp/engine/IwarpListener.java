package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.TlsConfig;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.memory.ManagedResource;

/** Waits for requests that its {@link Acceptor} has gathered. */
final class IwarpListener extends ManagedResource implements Listener {
    private final IwarpVerbs verbs;
    private final InetSocketAddress address;
    private final Acceptor acceptor;

    private IwarpListener(IwarpVerbs verbs, InetSocketAddress address, Acceptor acceptor) {
        super("listener at " + SocketErrors.text(address), verbs);
        this.verbs = verbs;
        this.address = address;
        this.acceptor = acceptor;
    }

    /** Opens one. */
    static IwarpListener open(IwarpVerbs verbs, InetSocketAddress address, ListenerConfig config) {
        if (config.backlog() < 1) {
            throw new IllegalArgumentException("backlog must be at least 1, got " + config.backlog());
        }
        if (address.isUnresolved()) {
            throw new ConnectionException(
                    "listen",
                    Reason.UNREACHABLE,
                    "the host name " + address.getHostString() + " does not resolve",
                    null);
        }
        TlsConfig tls = config.tls();
        if (tls != null) {
            // What it cannot do shows here, not when a peer comes.
            TlsEngines.listening(tls);
        }
        TcpServer server = null;
        try {
            server = verbs.sockets().listen(address, config.backlog(), config.reuseAddress());
            Acceptor acceptor = new Acceptor(verbs, server, config);
            IwarpListener listener = new IwarpListener(verbs, server.localAddress(), acceptor);
            acceptor.start();
            return listener;
        } catch (IOException | RuntimeException e) {
            if (server != null) {
                server.close();
            }
            throw e instanceof IllegalStateException closed ? closed : SocketErrors.binding("listen", address, e);
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public Optional<ConnectionRequest> poll(Deadline deadline) {
        while (true) {
            requireOpen();
            Handshake handshake = acceptor.poll();
            if (handshake != null) {
                return Optional.of(new IwarpConnectionRequest(verbs, handshake));
            }
            if (acceptor.isBroken()) {
                throw new ConnectionException(
                        "accept", Reason.CLOSED, "the listener failed inside the provider: open another", null);
            }
            if (!acceptor.waiters()
                    .await(() -> acceptor.hasRequest() || acceptor.isBroken() || !isOpen(), deadline, null)) {
                return Optional.empty();
            }
        }
    }

    /** Returns who accepts for it. */
    Acceptor acceptor() {
        return acceptor;
    }

    @Override
    protected void release() {
        acceptor.close();
    }
}
