package org.panamaverbs.ibverbs.cm;

import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.DatagramRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.objects.IbvQueuePair;
import org.panamaverbs.memory.ManagedResource;

/** A request for where datagrams go, taken from its listener. */
final class IbvDatagramRequest extends ManagedResource implements DatagramRequest {
    // rdma/ib_cm.h: IB_CM_SIDR_REP_PRIVATE_DATA_SIZE
    private static final int MAX_ANSWER = 136;
    // The kernel hands the answer to the device and does not wait for anybody.
    private static final int ANSWER_SECONDS = 10;

    private final IbvConnectionManager manager;
    private final CmId id;
    private final byte[] privateData;
    private final InetSocketAddress remote;
    private final AtomicBoolean answered = new AtomicBoolean();

    private IbvDatagramRequest(IbvConnectionManager manager, CmChannel.Incoming incoming, InetSocketAddress remote) {
        super("datagram request of " + SocketAddresses.text(remote), manager.context());
        this.manager = manager;
        this.remote = remote;
        id = incoming.id();
        privateData = incoming.event().privateData();
    }

    /** Takes {@code incoming} over. */
    static DatagramRequest open(IbvConnectionManager manager, CmChannel.Incoming incoming) {
        try {
            return new IbvDatagramRequest(manager, incoming, manager.remoteAddress(incoming.id()));
        } catch (RuntimeException | Error e) {
            incoming.id().destroy();
            throw e;
        }
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public void accept(QueuePair queuePair, byte[] answer) {
        requireOpen();
        IbvQueuePair ours = DatagramSteps.own(manager.context(), queuePair);
        DatagramSteps.checkPrivateData(answer, MAX_ANSWER);
        ConnectionFailures failures = manager.failures("accept", remote);
        DatagramSteps.key(ours, DatagramSteps.ready(ours, id, failures));
        ConnectionParameters parameters =
                ConnectionParameters.of(ConnectionConfig.defaults().withPrivateData(answer));
        answer();
        try {
            Deadline deadline = Deadline.in(ANSWER_SECONDS, TimeUnit.SECONDS);
            OptionalInt errno = id.perform(
                    arena -> CmCalls.ACCEPT.status(
                            id.pointer(), parameters.encode(ours.number(), ours.isShared(), arena)),
                    deadline);
            if (errno.isEmpty()) {
                throw new DeadlineExceededException("accept", "rdma_accept did not return in time for " + this);
            }
            if (errno.getAsInt() != 0) {
                throw failures.call(CmCalls.ACCEPT.name(), errno.getAsInt());
            }
        } finally {
            // The answer is under way; the kernel keeps nothing of the request.
            id.destroy();
            close();
        }
    }

    @Override
    public void reject(byte[] answer) {
        requireOpen();
        DatagramSteps.checkPrivateData(answer, MAX_ANSWER);
        byte[] copy = answer.clone();
        answer();
        try {
            // An error says that the peer has given up, which is as good.
            id.perform(
                    arena -> CmCalls.REJECT.status(
                            id.pointer(), ConnectionParameters.octets(copy, arena), (byte) copy.length),
                    Deadline.in(ANSWER_SECONDS, TimeUnit.SECONDS));
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

    private void answer() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException(resourceName() + " was answered before");
        }
    }
}
