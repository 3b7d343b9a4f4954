package org.panamaverbs.ibverbs.objects;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.call.Ops;

/** The send queue of a queue pair: posts each request at once. */
final class IbvSendQueue extends SendPoster {
    private static final int ENOTCONN = 107; // asm-generic/errno.h

    private final Ops ops;
    private final Gate gate;
    private final long queuePairAddress;
    private final MemorySegment badWr;
    private boolean batchOpen;
    private int errno;

    IbvSendQueue(IbvQueuePair queuePair, SendRequests requests, Gate gate, MemorySegment badWr) {
        super(queuePair, requests);
        this.gate = gate;
        ops = queuePair.context().ops();
        queuePairAddress = queuePair.handle().address();
        this.badWr = badWr;
    }

    /** Says whether a batch collects requests, which may not be overtaken. */
    void batchOpen(boolean open) {
        batchOpen = open;
    }

    @Override
    int enter() {
        if (!queuePair().isSendable()) {
            queuePair().requireOpen();
            return PostStatus.NOT_CONNECTED;
        }
        if (!gate.enter()) {
            queuePair().requireOpen();
        }
        if (batchOpen) {
            gate.leave();
            throw new IllegalStateException(
                    queuePair().resourceName() + " has an open batch: submit or discard it before posting otherwise");
        }
        return 0;
    }

    @Override
    int accepted(int slot) {
        int errno = ops.postSend(queuePairAddress, requests().slots().address(slot), badWr.address());
        return errno == 0 ? PostStatus.ACCEPTED : refused(errno);
    }

    @Override
    void leave() {
        gate.leave();
    }

    /**
     * Hands over the chain from {@code first} up to {@code end} of {@code slots}; the caller holds the gate.
     *
     * @return how many the driver took, from the first on; {@link #status} says why not all
     */
    int hand(SendSlots slots, int first, int end) {
        badWr.set(JAVA_LONG, 0, 0);
        errno = ops.postSend(queuePairAddress, slots.address(first), badWr.address());
        long refused = badWr.get(JAVA_LONG, 0);
        if (refused == 0) {
            // All are in the ring, even if ringing the doorbell failed: they are done or flushed.
            return end - first;
        }
        int slot = slots.slotOf(refused);
        return slot < first || slot >= end ? end - first : slot - first;
    }

    /** Returns why the last {@link #hand} did not take all, a negative {@link PostStatus}. */
    int status() {
        return errno == 0 ? PostStatus.QUEUE_FULL : refused(errno);
    }

    int postDatagram(
            SendOpcode operation,
            long wrId,
            SgList local,
            IbvAddressHandle destination,
            int remoteQpNumber,
            int qkey,
            long immediate,
            int flags) {
        requests().requireSupported(operation);
        if (operation != SendOpcode.SEND && operation != SendOpcode.SEND_WITH_IMMEDIATE) {
            return PostStatus.INVALID;
        }
        int slot = enter();
        if (slot < 0) {
            return slot;
        }
        try {
            long pinned = destination.pin();
            if (pinned == 0) {
                destination.requireOpen();
            }
            try {
                int status = requests().transfer(slot, operation, wrId, local, 0, 0, immediate, flags);
                if (status < 0) {
                    return status;
                }
                requests().slots().datagram(slot, pinned, remoteQpNumber, qkey);
                return accepted(slot);
            } finally {
                destination.unpin();
            }
        } finally {
            leave();
        }
    }

    /**
     * Posts the marker {@code id}: an empty Write, which touches nothing of the peer and completes after all before it.
     *
     * @return a {@link PostStatus}
     */
    int postMarker(long id) {
        return postEmptyWrite(id, SendFlag.SIGNALED | SendFlag.FENCE);
    }

    /**
     * Posts the message that tells the accepting side that it may send (RFC 6581 §9.2), an empty Write.
     *
     * @return a {@link PostStatus}
     */
    int postReady() {
        return postEmptyWrite(Markers.READY, 0);
    }

    private int postEmptyWrite(long wrId, int flags) {
        if (!gate.enter()) {
            return PostStatus.NOT_CONNECTED;
        }
        try {
            SendSlots slots = requests().slots();
            slots.begin(0, wrId, SendRequests.IBV_WR_RDMA_WRITE, flags, 0);
            slots.remote(0, 0, 0);
            return accepted(0);
        } finally {
            gate.leave();
        }
    }

    private int refused(int errno) {
        // siw answers with negative numbers, and with -1 where the queue pair is failing: it has stored the request
        // then.
        if (errno == -1) {
            return PostStatus.ACCEPTED;
        }
        return switch (Math.abs(errno)) {
            case Errno.ENOMEM -> PostStatus.QUEUE_FULL;
            case Errno.EMSGSIZE -> PostStatus.MESSAGE_TOO_LONG;
            case Errno.EINVAL -> PostStatus.INVALID;
            case ENOTCONN -> PostStatus.NOT_CONNECTED;
            default -> throw Failure.of("ibv_post_send", queuePair().resourceName(), errno);
        };
    }
}
