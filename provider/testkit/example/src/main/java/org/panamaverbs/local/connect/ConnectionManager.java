package org.panamaverbs.local.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Function;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.support.Creation;
import org.panamaverbs.api.support.HostNames;
import org.panamaverbs.api.support.Limits;
import org.panamaverbs.api.support.Ours;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.local.objects.LocalProtectionDomain;
import org.panamaverbs.local.objects.LocalQueuePair;

/** Sets up connections of a device: an attempt is left with the listener, and waits until it is answered. */
public final class ConnectionManager {
    private final OpenDevice device;

    public ConnectionManager(OpenDevice device) {
        this.device = device;
    }

    /** Returns {@code queuePair} if it is of this device. */
    public LocalQueuePair own(QueuePair queuePair) {
        return Ours.of("queue pair", queuePair, LocalQueuePair.class, LocalQueuePair::device, device);
    }

    /** Does {@code work} with a new queue pair, which is closed if it fails. */
    public Connection withNew(QueuePairConfig config, Function<LocalQueuePair, Connection> work) {
        LocalProtectionDomain domain = Ours.of(
                "protection domain",
                config.domain(),
                LocalProtectionDomain.class,
                LocalProtectionDomain::device,
                device);
        return Creation.of(() -> domain.create(config), work, LocalQueuePair::close);
    }

    /** Refuses what the device cannot do for a connection. */
    static void check(ConnectionConfig config) {
        checkPrivateData(config.privateData());
        Device.LIMITS.check(config);
        if (!config.options().isEmpty()) {
            throw new IllegalArgumentException(
                    "provider " + Device.PROVIDER + " has no options of connections, got " + config.options());
        }
    }

    static void checkPrivateData(byte[] data) {
        Limits.checkPrivateData(data, Device.CAPABILITIES.maxPrivateData());
    }

    public Connection connect(
            InetSocketAddress address,
            LocalQueuePair queuePair,
            ConnectionConfig config,
            Deadline deadline,
            boolean ownsQueuePair) {
        check(config);
        InetSocketAddress target = resolved(address, queuePair, deadline);
        synchronized (Fabric.LOCK) {
            queuePair.requireConnectable();
            Attempt attempt = new Attempt(queuePair, config, source(target, config), target);
            LocalListener listener = Ports.listenerAt(target);
            if (listener == null || !listener.offer(attempt)) {
                queuePair.fail();
                throw new ConnectionException(
                        "connect", Reason.REFUSED, "nobody in this process listens at " + address, null);
            }
            queuePair.connecting(() -> attempt.fail(Attempt.closed(queuePair)));
            boolean answered = Fabric.await(attempt::isAnswered, deadline);
            queuePair.connecting(null);
            if (!answered) {
                listener.withdraw(attempt);
                attempt.fail(Attempt.withdrawn(address));
                queuePair.fail();
                throw new DeadlineExceededException("connect", "no answer from " + address + " in time");
            }
            return attempt.finish(ownsQueuePair);
        }
    }

    private static InetSocketAddress resolved(InetSocketAddress address, LocalQueuePair queuePair, Deadline deadline) {
        synchronized (Fabric.LOCK) {
            queuePair.requireConnectable();
        }
        try {
            return HostNames.resolved("connect", address, deadline);
        } catch (VerbsException e) {
            synchronized (Fabric.LOCK) {
                queuePair.fail();
            }
            throw e;
        }
    }

    /** Returns the address that the peer sees: what was asked for, or one of the same kind as {@code target}. */
    private static InetSocketAddress source(InetSocketAddress target, ConnectionConfig config) {
        InetSocketAddress wanted = config.localAddress();
        InetAddress host = wanted == null ? target.getAddress() : wanted.getAddress();
        int port = wanted == null || wanted.getPort() == 0 ? Ports.free() : wanted.getPort();
        return new InetSocketAddress(host, port);
    }

    public Listener listen(InetSocketAddress address, ListenerConfig config) {
        Device.LIMITS.check(config);
        InetSocketAddress resolved = HostNames.resolved("listen", address, Deadline.never());
        synchronized (Fabric.LOCK) {
            int port = resolved.getPort() == 0 ? Ports.free() : resolved.getPort();
            InetSocketAddress local = new InetSocketAddress(resolved.getAddress(), port);
            LocalListener listener = new LocalListener(device, local, config.backlog());
            if (!Ports.bind(port, listener)) {
                listener.close();
                throw new ConnectionException(
                        "listen", Reason.ADDRESS_IN_USE, "another listens at " + local + ": take port 0", null);
            }
            return listener;
        }
    }
}
