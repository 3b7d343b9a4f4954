package org.panamaverbs.local.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.objects.LocalQueuePair;
import org.panamaverbs.spi.software.SoftwareDevice;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.HostNames;
import org.panamaverbs.spi.support.Waits;

/** Sets up connections of a device: an attempt is left with the listener, and waits until it is answered. */
public final class ConnectionManager {
    private final SoftwareDevice device;
    private final QueuePairs queuePairs;

    public ConnectionManager(SoftwareDevice device) {
        this.device = device;
        queuePairs = new QueuePairs(device);
    }

    /** Connects {@code queuePair}. */
    public Connection connect(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return connect(address, queuePairs.own(queuePair), config, deadline, false);
    }

    /** Connects a new queue pair, which is the connection's. */
    public Connection connect(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return queuePairs.withNew(queuePair, made -> connect(address, made, config, deadline, true));
    }

    private static Connection connect(
            InetSocketAddress address,
            LocalQueuePair queuePair,
            ConnectionConfig config,
            Deadline deadline,
            boolean ownsQueuePair) {
        Device.check(config);
        long since = System.nanoTime();
        queuePair.watch().begins(address);
        try {
            return connected(address, queuePair, config, deadline, ownsQueuePair);
        } catch (VerbsException e) {
            queuePair.watch().notConnected("connect", e, since);
            throw e;
        }
    }

    private static Connection connected(
            InetSocketAddress address,
            LocalQueuePair queuePair,
            ConnectionConfig config,
            Deadline deadline,
            boolean ownsQueuePair) {
        InetSocketAddress target = resolved(address, queuePair, deadline);
        synchronized (Fabric.LOCK) {
            queuePair.requireConnectable();
            Attempt attempt = new Attempt(queuePair, config);
            attempt.between(source(target, config), target);
            Backlog backlog = Ports.backlogAt(target);
            if (backlog == null || !backlog.offer(attempt)) {
                queuePair.fail();
                throw Attempt.refused(address).get();
            }
            queuePair.connecting(() -> attempt.fail(Attempt.closed(queuePair)));
            VerbsException unanswered = await(attempt, deadline);
            queuePair.connecting(null);
            if (unanswered != null) {
                backlog.withdraw(attempt);
                attempt.fail(Attempt.withdrawn(address));
                queuePair.fail();
                throw unanswered;
            }
            return attempt.finish(ownsQueuePair);
        }
    }

    /** Waits for the answer; returns why there is none, null if there is one. */
    private static @Nullable VerbsException await(Attempt attempt, Deadline deadline) {
        try {
            return Fabric.await(attempt::isAnswered, deadline)
                    ? null
                    : new DeadlineExceededException(
                            "connect", "no answer from " + attempt.target() + " before the deadline");
        } catch (InterruptedException e) {
            return Waits.interrupted("connect", "an answer from " + attempt.target() + "; the attempt was undone");
        }
    }

    /** Begins to connect {@code queuePair}. */
    public PendingConnection begin(
            InetSocketAddress address, QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        return begin(address, queuePairs.own(queuePair), config, deadline, false);
    }

    /** Begins to connect a new queue pair, which is the connection's. */
    public PendingConnection begin(
            InetSocketAddress address, QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        return queuePairs.withNew(queuePair, made -> begin(address, made, config, deadline, true));
    }

    private static PendingConnection begin(
            InetSocketAddress address,
            LocalQueuePair queuePair,
            ConnectionConfig config,
            Deadline deadline,
            boolean ownsQueuePair) {
        Device.check(config);
        synchronized (Fabric.LOCK) {
            queuePair.requireConnectable();
            queuePair.watch().begins(address);
            Attempt attempt = new Attempt(queuePair, config);
            LocalPending pending = new LocalPending(
                    "connect",
                    queuePair,
                    ownsQueuePair,
                    late -> giveUp(attempt, late ? Attempt.late(address) : Attempt.closed(queuePair)));
            attempt.onAnswer(() -> pending.endedWith(() -> attempt.finish(ownsQueuePair)));
            queuePair.connecting(() -> attempt.fail(Attempt.closed(queuePair)));
            HostNames.whenResolved(
                    "connect", address, target -> ask(attempt, target), unknown -> giveUp(attempt, () -> unknown));
            return pending.until(deadline);
        }
    }

    private static void ask(Attempt attempt, InetSocketAddress target) {
        synchronized (Fabric.LOCK) {
            if (attempt.isAnswered()) {
                return;
            }
            attempt.between(source(target, attempt.asked), target);
            Backlog backlog = Ports.backlogAt(target);
            if (backlog == null || !backlog.offer(attempt)) {
                attempt.fail(Attempt.refused(target));
            }
        }
    }

    private static void giveUp(Attempt attempt, Supplier<? extends VerbsException> why) {
        synchronized (Fabric.LOCK) {
            Backlog backlog = attempt.isAsked() ? Ports.backlogAt(attempt.target()) : null;
            if (backlog != null) {
                backlog.withdraw(attempt);
            }
            attempt.fail(why);
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
            Backlog backlog = new Backlog(config.backlog());
            if (!Ports.bind(port, backlog)) {
                throw new ConnectionException(
                        "listen", Reason.ADDRESS_IN_USE, "another listens at " + local + ": take port 0", null);
            }
            return Creation.of(() -> backlog, waiting -> new LocalListener(device, local, waiting), Ports::unbind);
        }
    }
}
