package org.panamaverbs.ibverbs.connect;

import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.support.Limits;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmEvent;
import org.panamaverbs.ibverbs.cm.CmEventType;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.cm.ConnectionParameters;
import org.panamaverbs.ibverbs.cm.IncomingRequest;
import org.panamaverbs.ibverbs.cm.Negotiated;
import org.panamaverbs.ibverbs.cm.SocketAddresses;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.memory.stack.StackRoom;

/** A request that was taken from its listener. */
final class IbvConnectionRequest extends IncomingRequest implements ConnectionRequest {
    IbvConnectionRequest(CmContext manager, CmId.Incoming incoming, InetSocketAddress remote) {
        super("connection request", manager, incoming, remote);
    }

    @Override
    protected void checkPrivateData(byte[] octets) {
        Limits.checkPrivateData(octets, manager().capabilities().maxPrivateData());
    }

    @Override
    public int peerInitiatorDepth() {
        return says() ? event().responderResources() : -1;
    }

    @Override
    public int peerResponderResources() {
        return says() ? event().initiatorDepth() : -1;
    }

    /** Tells whether the peer says its depths: MPA revision 1 does not, and then there are zeros. */
    private boolean says() {
        return !manager().isIwarp() || event().responderResources() != 0 || event().initiatorDepth() != 0;
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

    private void check(ConnectionConfig config) {
        requireOpen();
        ConnectionParameters.checkAccepted(config, manager().limits());
        boolean roce = !manager().isIwarp() && !manager().isInfiniBand();
        if (config.typeOfService() != 0 && !roce) {
            throw new IllegalArgumentException("accept: typeOfService of an accepted connection must be 0 on device "
                    + manager().device() + ", got " + config.typeOfService()
                    + ": on InfiniBand and kernel iWARP the connecting side alone can choose it, with connect");
        }
    }

    private IbvConnection accept(
            Supplier<IbvQueuePair> source, boolean owned, ConnectionConfig config, Deadline deadline) {
        StackRoom.require();
        answer();
        SetUp setUp = claim(source, owned);
        try {
            setUp.id(id());
            IbvConnection made = establish(setUp, owned, config, deadline);
            setUp.done();
            return made;
        } catch (RuntimeException e) {
            throw setUp.undone(e);
        } catch (Error e) {
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
        } catch (RuntimeException e) {
            takeBack();
            throw setUp == null ? e : setUp.undone(e);
        } catch (Error e) {
            takeBack();
            throw setUp == null ? e : setUp.undone(e);
        }
    }

    private IbvConnection establish(SetUp setUp, boolean owned, ConnectionConfig config, Deadline deadline) {
        IbvQueuePair queuePair = setUp.queuePair();
        ConnectionFailures failures = manager().failures("accept", remoteAddress());
        ConnectionParameters answer = new ConnectionParameters(
                config,
                says()
                        ? Math.min(config.responderResources(), event().responderResources())
                        : config.responderResources(),
                says() ? Math.min(config.initiatorDepth(), event().initiatorDepth()) : config.initiatorDepth());
        QueuePairSteps steps = new QueuePairSteps(manager(), failures, id(), queuePair);
        steps.ackTimeout(config.retryTimes());
        steps.init();
        steps.readyToReceive(answer.responderResources(), config.typeOfService(), config.retryTimes());
        steps.readyToSend(answer.initiatorDepth());
        CmEvent event;
        queuePair.onEstablished(this::notifyEstablished);
        try {
            answer(
                    setUp,
                    arena -> CmCalls.ACCEPT.status(id().pointer(), steps.encode(answer, arena)),
                    failures,
                    deadline);
            event = id().awaitEvent(deadline);
        } finally {
            queuePair.onEstablished(null);
        }
        if (event == null) {
            throw late("the peer did not follow");
        }
        setUp.answered();
        if (event.type() != CmEventType.ESTABLISHED) {
            throw failures.event(event);
        }
        steps.established();
        Negotiated agreed = manager().isIwarp()
                ? manager().negotiated(event, answer)
                : new Negotiated(answer.responderResources(), answer.initiatorDepth());
        Negotiated negotiated = new Negotiated(
                agreed.responderResources(), agreed.initiatorDepth(), peerInitiatorDepth(), peerResponderResources());
        return IbvConnection.open(manager(), id(), queuePair, owned, negotiated, event().privateData());
    }

    /** Has the connection manager take the peer's first message for the confirmation that may be lost. */
    private void notifyEstablished() {
        id().call(() -> CmCalls.NOTIFY.status(id().pointer(), Ibverbs.IBV_EVENT_COMM_EST()));
    }

    private void answer(SetUp setUp, ToIntFunction<Arena> call, ConnectionFailures failures, Deadline deadline) {
        OptionalInt errno = id().perform(
                        arena -> {
                            boolean accepted = false;
                            setUp.accepting();
                            try {
                                int result = call.applyAsInt(arena);
                                accepted = result == 0;
                                return result;
                            } finally {
                                if (!accepted) {
                                    setUp.answered(); // there is none to come
                                }
                            }
                        },
                        deadline);
        if (errno.isEmpty()) {
            throw late("rdma_accept did not return");
        }
        if (errno.getAsInt() != 0) {
            throw failures.call(CmCalls.ACCEPT.name(), errno.getAsInt());
        }
    }

    private DeadlineExceededException late(String what) {
        return new DeadlineExceededException(
                "accept",
                "no connection with " + SocketAddresses.text(remoteAddress()) + " on device "
                        + manager().device() + " in time: " + what + "; the attempt was undone");
    }
}
