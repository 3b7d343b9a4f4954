package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.objects.IbvQueuePair;
import org.panamaverbs.memory.ManagedResource;

/** A request that was taken from its listener. */
final class IbvConnectionRequest extends ManagedResource implements ConnectionRequest {
    private static final int REJECT_SECONDS = 10;

    private final IbvConnectionManager manager;
    private final CmId id;
    private final CmEvent request;
    private final InetSocketAddress remote;
    private final AtomicBoolean answered = new AtomicBoolean();

    private IbvConnectionRequest(IbvConnectionManager manager, CmChannel.Incoming incoming, InetSocketAddress remote) {
        super("connection request of " + SocketAddresses.text(remote), manager.context());
        this.manager = manager;
        this.remote = remote;
        id = incoming.id();
        request = incoming.event();
    }

    /** Takes {@code incoming} over. */
    static IbvConnectionRequest open(IbvConnectionManager manager, CmChannel.Incoming incoming) {
        boolean made = false;
        try {
            InetSocketAddress remote = manager.remoteAddress(incoming.id());
            IbvConnectionRequest request = new IbvConnectionRequest(manager, incoming, remote);
            made = true;
            return request;
        } finally {
            if (!made) {
                incoming.id().destroy();
            }
        }
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public byte[] privateData() {
        return request.privateData().clone();
    }

    @Override
    public int peerInitiatorDepth() {
        return says() ? request.responderResources() : -1;
    }

    @Override
    public int peerResponderResources() {
        return says() ? request.initiatorDepth() : -1;
    }

    /** Tells whether the peer says its depths: MPA revision 1 does not, and then there are zeros. */
    private boolean says() {
        return !manager.isIwarp() || request.responderResources() != 0 || request.initiatorDepth() != 0;
    }

    @Override
    public Connection accept(QueuePair queuePair, ConnectionConfig config, Deadline deadline) {
        check(config);
        return accept(() -> manager.context().own(queuePair), false, config, deadline);
    }

    @Override
    public Connection accept(QueuePairConfig queuePair, ConnectionConfig config, Deadline deadline) {
        check(config);
        return accept(() -> manager.context().create(queuePair), true, config, deadline);
    }

    @Override
    public void reject(byte[] privateData) {
        requireOpen();
        ConnectionParameters.checkPrivateData(privateData, manager.capabilities());
        answer();
        byte[] copy = privateData.clone();
        try {
            // An error says that the peer has given up, which is as good.
            id.perform(
                    arena -> CmCalls.REJECT.status(
                            id.pointer(), ConnectionParameters.octets(copy, arena), (byte) copy.length),
                    Deadline.in(REJECT_SECONDS, TimeUnit.SECONDS));
        } finally {
            id.destroy();
            close();
        }
    }

    @Override
    protected void release() {
        if (answered.compareAndSet(false, true)) {
            // The kernel rejects a request whose id is destroyed.
            id.destroy();
        }
    }

    private void check(ConnectionConfig config) {
        requireOpen();
        ConnectionParameters.check(config, manager.capabilities());
    }

    private void answer() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException(resourceName() + " was answered before");
        }
    }

    /** Has it unanswered again, as the queue pair to accept with is none. */
    private void takeBack() {
        answered.set(false);
        if (!isOpen()) {
            release(); // which found it answered
        }
    }

    private IbvConnection accept(
            Supplier<IbvQueuePair> source, boolean owned, ConnectionConfig config, Deadline deadline) {
        answer();
        SetUp setUp = claim(source, owned);
        try {
            setUp.id(id);
            IbvConnection made = establish(setUp, owned, config, deadline);
            setUp.done();
            return made;
        } catch (RuntimeException e) {
            throw setUp.undone(e);
        } catch (Error e) {
            throw setUp.undone(e);
        } finally {
            close();
        }
    }

    /** Takes the queue pair; if that fails the request is there for another. */
    private SetUp claim(Supplier<IbvQueuePair> source, boolean owned) {
        SetUp setUp = null;
        try {
            setUp = new SetUp(manager, "accept", source.get(), owned);
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
        ConnectionFailures failures = manager.failures("accept", remote);
        ConnectionParameters answer = new ConnectionParameters(
                config,
                says()
                        ? Math.min(config.responderResources(), request.responderResources())
                        : config.responderResources(),
                says() ? Math.min(config.initiatorDepth(), request.initiatorDepth()) : config.initiatorDepth());
        QueuePairSteps steps = new QueuePairSteps(manager, failures, id, queuePair);
        steps.init();
        steps.readyToReceive(answer.responderResources());
        steps.readyToSend(answer.initiatorDepth());
        answer(setUp, arena -> CmCalls.ACCEPT.status(id.pointer(), steps.encode(answer, arena)), failures, deadline);
        CmEvent event = id.awaitEvent(deadline);
        if (event == null) {
            throw late("the peer did not follow");
        }
        setUp.answered();
        if (event.type() != CmEventType.ESTABLISHED) {
            throw failures.event(event);
        }
        steps.established();
        Negotiated negotiated = manager.isIwarp()
                ? manager.negotiated(event, answer)
                : new Negotiated(answer.responderResources(), answer.initiatorDepth());
        return IbvConnection.open(manager, id, queuePair, owned, negotiated, request.privateData());
    }

    private void answer(SetUp setUp, ToIntFunction<Arena> call, ConnectionFailures failures, Deadline deadline) {
        setUp.accepting();
        OptionalInt errno = id.perform(
                arena -> {
                    boolean accepted = false;
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
                "no connection with " + SocketAddresses.text(remote) + " on device " + manager.device() + " in time: "
                        + what + "; the attempt was undone");
    }
}
