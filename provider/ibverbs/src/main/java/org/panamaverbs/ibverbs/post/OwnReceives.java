package org.panamaverbs.ibverbs.post;

import java.util.Objects;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.ReceiveQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.call.Ops;

/** The receive queue of a queue pair that has one of its own. */
public final class OwnReceives implements ReceiveQueue {
    private final NativeQueuePair queuePair;
    private final Runnable flush;
    private final long queuePairAddress;
    private final Ops ops;
    private final ReceiveSlots slot;
    private final ReceiveChain chain;
    private final boolean elsewhere;
    private final Gate gate = new Gate();
    // Under the gate, read by others for statistics.
    private long posted;

    /** Creates a receive queue that has {@code flush} move the queue pair to ERROR again. */
    public OwnReceives(NativeQueuePair queuePair, ReceiveSlots slot, Runnable flush) {
        this.queuePair = queuePair;
        this.flush = flush;
        this.slot = slot;
        QueuePairConfig config = queuePair.config();
        elsewhere = config.srq() != null || config.type() == QueuePairType.XRC_SEND;
        queuePairAddress = queuePair.handle().address();
        ops = queuePair.context().ops();
        chain = new ReceiveChain(config.maxRecvWr(), slot, this::ring);
    }

    @Override
    public int postRecv(long wrId, long address, long length, int lkey) {
        enter();
        try {
            int status = slot.write(wrId, address, length, lkey);
            return status < 0 ? status : hand();
        } finally {
            gate.leave();
        }
    }

    @Override
    public int postRecv(long wrId, SgList list) {
        enter();
        try {
            int status = slot.write(wrId, list);
            return status < 0 ? status : hand();
        } finally {
            gate.leave();
        }
    }

    @Override
    public int postRecv(ReceiveList list, int first, int count) {
        enter();
        try {
            Objects.checkFromIndexSize(first, count, list.count());
            int answer = chain.post(list, first, count);
            if (answer > 0) {
                posted += answer;
                flushIfFailed();
            }
            return answer;
        } finally {
            gate.leave();
        }
    }

    /** Returns how many receives the driver took, as of a moment ago; any thread. */
    public long posted() {
        return posted;
    }

    /** Takes no more receives, once the one under way is posted. */
    public void shut() {
        gate.shut();
    }

    private void enter() {
        if (!gate.enter()) {
            queuePair.requireOpen();
        }
        if (elsewhere) {
            gate.leave();
            throw new IllegalStateException(queuePair.resourceName()
                    + (queuePair.config().srq() == null
                            ? " is XRC_SEND and receives nothing; remedy: post to an XrcSharedReceiveQueue"
                            : " uses a shared receive queue; remedy: post its receives there"));
        }
    }

    private int hand() {
        int errno = ring(slot.address(), slot.badWr());
        if (errno != 0) {
            return ReceiveSlots.answer(errno);
        }
        posted++;
        flushIfFailed();
        return PostStatus.ACCEPTED;
    }

    private int ring(long wr, long badWr) {
        if (queuePair.isLost()) {
            return Errno.EIO; // drivers store it in memory, where nobody takes it
        }
        int errno = ops.postRecv(queuePairAddress, wr, badWr);
        return errno != 0 && queuePair.hasFailed() && ReceiveSlots.answer(errno) != PostStatus.QUEUE_FULL
                ? IbvSendQueue.ENOTCONN
                : errno;
    }

    private void flushIfFailed() {
        if (queuePair.hasFailed()) {
            flush.run(); // rxe's user-space half only stores it, entering ERROR again flushes it
        }
    }
}
