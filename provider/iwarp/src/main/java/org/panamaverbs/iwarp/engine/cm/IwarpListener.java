package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.iwarp.engine.device.Device;
import org.panamaverbs.iwarp.engine.device.ListenerOptions;
import org.panamaverbs.iwarp.engine.transport.Addresses;
import org.panamaverbs.iwarp.engine.transport.SocketErrors;
import org.panamaverbs.iwarp.engine.transport.TlsEngines;
import org.panamaverbs.iwarp.engine.transport.TransportServer;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.support.EventMember;
import org.panamaverbs.spi.support.EventWriter;
import org.panamaverbs.spi.support.HostAddresses;
import org.panamaverbs.spi.support.HostNames;
import org.panamaverbs.spi.support.Readiness;
import org.panamaverbs.spi.support.Waits;

/** Waits for requests that its {@link Acceptor} has gathered. */
public final class IwarpListener extends ManagedResource implements Listener, EventMember {
    private static final EventWriter WRITER = EventWriter.get();
    private final CmContext cm;
    private final InetSocketAddress address;
    private final Acceptor acceptor;

    private IwarpListener(CmContext cm, InetSocketAddress address, Acceptor acceptor) {
        super("listener at " + Addresses.text(address), cm.context().owner());
        this.cm = cm;
        this.address = address;
        this.acceptor = acceptor;
    }

    /** Opens a listener at {@code address}. */
    public static IwarpListener open(CmContext cm, InetSocketAddress address, ListenerConfig config) {
        Device.LIMITS.check(config);
        ListenerOptions.parse(config, cm.context().options()); // before anything is bound
        InetSocketAddress resolved = HostAddresses.bound(
                "listen", HostNames.resolved("listen", address, Deadline.never()), HostAddresses.isIpv4Only());
        TlsConfig tls = config.tls();
        if (tls != null) {
            // What it cannot do shows here, not when a peer comes.
            TlsEngines.listening(tls);
            Connector.requireNoRings(cm.context().options().sharedMemory());
        }
        // Before the system takes peers.
        Setup.prepare(Connector.startup(cm.context().options(), ConnectionConfig.defaults()));
        TransportServer server = null;
        IwarpListener listener = null;
        boolean opened = false;
        try {
            server = cm.transports().listen(resolved, config);
            Acceptor acceptor = new Acceptor(cm, server, config);
            listener = new IwarpListener(cm, server.localAddress(), acceptor);
            acceptor.start();
            opened = true;
            return listener;
        } catch (IOException | RuntimeException e) {
            throw e instanceof IllegalStateException closed ? closed : SocketErrors.binding("listen", resolved, e);
        } finally {
            if (!opened) {
                undo(server, listener);
            }
        }
    }

    private static void undo(@Nullable TransportServer server, @Nullable IwarpListener listener) {
        try {
            if (listener != null) {
                listener.abandon();
            }
        } finally {
            if (server != null) {
                try {
                    server.withdraw();
                } finally {
                    server.channel().close();
                }
            }
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
            Setup setup = acceptor.poll();
            if (setup != null) {
                return request(setup);
            }
            if (acceptor.isBroken()) {
                throw broken();
            }
            if (!sleep(deadline)) {
                return Optional.empty();
            }
        }
    }

    private boolean sleep(Deadline deadline) {
        try {
            return acceptor.waiters.sleepInterruptibly(
                    () -> acceptor.hasRequest() || acceptor.isBroken() || !isOpen(), deadline);
        } catch (InterruptedException e) {
            throw Waits.interrupted("accept", "a connection request at " + address);
        }
    }

    private ConnectionException broken() {
        return new ConnectionException(
                "accept",
                Reason.CLOSED,
                resourceName() + " failed because of an internal error; the log has the cause; remedy: open"
                        + " another listener",
                null);
    }

    @Override
    public Taken take(Event event) {
        Setup setup = isOpen() ? acceptor.poll() : null;
        if (setup != null) {
            WRITER.request(event, request(setup).orElseThrow());
            return Taken.ONE;
        }
        if (isOpen() && acceptor.isBroken()) {
            WRITER.failed(event, broken());
            return Taken.LAST;
        }
        return Taken.NOTHING;
    }

    @Override
    public Readiness readiness() {
        return acceptor.readiness;
    }

    @Override
    public ManagedResource device() {
        return cm.context().owner();
    }

    @Override
    public boolean mayHaveMissed() {
        return acceptor.hasRequest() || acceptor.isBroken();
    }

    private Optional<ConnectionRequest> request(Setup setup) {
        IwarpConnectionRequest request = null;
        try {
            request = new IwarpConnectionRequest(cm, setup);
            return Optional.of(request);
        } catch (Throwable e) {
            // Whoever asks next gets it: nobody has heard of it.
            if (request != null) {
                request.withdraw();
            }
            acceptor.putBack(setup);
            throw e;
        }
    }

    /** Returns who accepts for it. */
    public Acceptor acceptor() {
        return acceptor;
    }

    // Not in release: where it could not be handed to the loop, the listener is closed again.
    @Override
    protected void destroy() {
        acceptor.close();
    }

    @Override
    protected void release() {
        acceptor.readiness.closed();
    }
}
