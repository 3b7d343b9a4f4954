package org.panamaverbs.ibverbs.datagram;

import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.DatagramRequest;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.cm.ConnectionParameters;
import org.panamaverbs.ibverbs.cm.IncomingRequest;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.spi.support.Limits;

/** A request for where datagrams go, taken from its listener. */
final class IbvDatagramRequest extends IncomingRequest implements DatagramRequest {
    // rdma/ib_cm.h: IB_CM_SIDR_REP_PRIVATE_DATA_SIZE
    private static final int MAX_ANSWER = 136;
    // The kernel hands the answer to the device and does not wait for anybody.
    private static final int ANSWER_SECONDS = 10;

    IbvDatagramRequest(CmContext manager, CmId.Incoming incoming, InetSocketAddress remote) {
        super("datagram request", manager, incoming, remote);
    }

    @Override
    protected void checkPrivateData(byte[] octets) {
        Limits.checkPrivateData(octets, MAX_ANSWER);
    }

    @Override
    public void accept(QueuePair queuePair, byte[] answer) {
        requireOpen();
        IbvQueuePair ours = DatagramSteps.own(queuePair, manager().context());
        checkPrivateData(answer);
        ConnectionFailures failures =
                manager().failures("accept", remoteAddress()).whenHeard();
        DatagramSteps.key(ours, DatagramSteps.ready(ours, id(), failures));
        ConnectionParameters parameters =
                ConnectionParameters.of(ConnectionConfig.defaults().withPrivateData(answer));
        answer();
        try {
            Deadline deadline = Deadline.in(ANSWER_SECONDS, TimeUnit.SECONDS);
            OptionalInt errno = id().perform(
                            arena -> CmCalls.ACCEPT.status(
                                    id().pointer(), parameters.encode(ours.number(), ours.isShared(), arena)),
                            deadline);
            if (errno.isEmpty()) {
                throw new DeadlineExceededException(
                        "accept", "rdma_accept did not return before the deadline for " + this);
            }
            if (errno.getAsInt() != 0) {
                throw failures.call(CmCalls.ACCEPT.name(), errno.getAsInt());
            }
        } finally {
            // The answer is under way; the kernel keeps nothing of the request.
            id().discard();
            close();
        }
    }
}
