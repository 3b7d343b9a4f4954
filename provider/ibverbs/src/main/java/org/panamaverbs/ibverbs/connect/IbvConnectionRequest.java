package org.panamaverbs.ibverbs.connect;

import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionParameters;
import org.panamaverbs.ibverbs.cm.IncomingRequest;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.spi.support.Limits;

/** A request that was taken from its listener. */
final class IbvConnectionRequest extends IncomingRequest implements ConnectionRequest {
    IbvConnectionRequest(CmContext manager, CmId.Incoming incoming, InetSocketAddress remote) {
        super("connection request", manager, incoming, remote);
    }

    @Override
    protected void checkPrivateData(byte[] octets) {
        Limits.checkPrivateData(octets, manager().capabilities().maxRejectPrivateData());
    }

    @Override
    public Verbs verbs() {
        return (Verbs) manager().context().source();
    }

    @Override
    public int peerInitiatorDepth() {
        return Acceptance.peerInitiatorDepth(manager(), event());
    }

    @Override
    public int peerResponderResources() {
        return Acceptance.peerResponderResources(manager(), event());
    }

    @Override
    public Connection accept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        check(config);
        return accept(() -> IbvQueuePair.own(queuePair, manager().context()), false, config, deadline);
    }

    @Override
    public Connection accept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        check(config);
        return accept(
                () -> IbvProtectionDomain.own(queuePair.domain(), manager().context())
                        .create(queuePair),
                true,
                config,
                deadline);
    }

    @Override
    public PendingConnection beginAccept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        check(config);
        return begin(() -> IbvQueuePair.own(queuePair, manager().context()), false, config, deadline);
    }

    @Override
    public PendingConnection beginAccept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        check(config);
        return begin(
                () -> IbvProtectionDomain.own(queuePair.domain(), manager().context())
                        .create(queuePair),
                true,
                config,
                deadline);
    }

    private PendingConnection begin(
            Supplier<IbvQueuePair> source, boolean owned, ConnectionConfig config, Deadline deadline) {
        answer();
        SetUp setUp = claim(source, owned);
        setUp.queuePair().watch().begins(remoteAddress());
        PendingSetUp pending = null;
        try {
            setUp.id(id());
            Acceptance steps =
                    new Acceptance(manager(), id(), event(), remoteAddress(), setUp, owned, config, deadline);
            pending = new PendingSetUp(manager(), "accept", setUp, 1);
            pending.until(deadline);
            pending.begin(() -> steps);
            return pending;
        } catch (Throwable e) {
            withdraw(pending);
            throw setUp.undone(e);
        } finally {
            closeAnswered();
        }
    }

    private static void withdraw(@Nullable PendingSetUp pending) {
        if (pending != null) {
            pending.withdraw();
        }
    }

    private void check(ConnectionConfig config) {
        requireOpen();
        ConnectionParameters.checkAccepted(config, manager().limits());
        boolean roce = !manager().isIwarp() && !manager().isInfiniBand();
        if (config.typeOfService() != 0 && !roce) {
            throw new IllegalArgumentException("accept: typeOfService of an accepted connection must be 0 on device "
                    + manager().device() + ", got " + config.typeOfService()
                    + ": on InfiniBand and kernel iWARP only the connecting side can choose it; remedy: set it there,"
                    + " with connect");
        }
    }

    private IbvConnection accept(
            Supplier<IbvQueuePair> source, boolean owned, ConnectionConfig config, Deadline deadline) {
        answer();
        SetUp setUp = claim(source, owned);
        setUp.queuePair().watch().begins(remoteAddress());
        try {
            setUp.id(id());
            IbvConnection made =
                    new Acceptance(manager(), id(), event(), remoteAddress(), setUp, owned, config, deadline).run();
            setUp.done(made);
            return made;
        } catch (Throwable e) {
            throw setUp.undone(e);
        } finally {
            closeAnswered();
        }
    }

    /** Takes the queue pair; if that fails the request is there for another. */
    private SetUp claim(Supplier<IbvQueuePair> source, boolean owned) {
        SetUp setUp = null;
        try {
            setUp = SetUp.of(manager(), "accept", source.get(), owned);
            setUp.claim();
            return setUp;
        } catch (Throwable e) {
            takeBack();
            if (setUp != null) {
                throw setUp.undone(e);
            }
            throw e;
        }
    }
}
