package org.panamaverbs.local.objects;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.context.OpenDevice;
import org.panamaverbs.local.work.Pieces;
import org.panamaverbs.local.work.ReceiveRequest;
import org.panamaverbs.local.work.ReceiveRing;
import org.panamaverbs.local.work.SendRequest;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;

/**
 * What a queue pair is for its peer, whose requests are carried out here: everything is checked first, then copied, so
 * that what is refused has touched nothing. Called with the lock of {@link Fabric} held.
 */
final class Responder {
    private final QueuePair queuePair;
    private final OpenDevice device;
    private final LocalCompletionQueue completions;
    private final ReceiveRing receives;
    private final @Nullable LocalSharedReceiveQueue shared;

    /** Takes receives from {@code shared}, or from {@code receives} where that is null. */
    Responder(
            QueuePair queuePair,
            OpenDevice device,
            LocalCompletionQueue completions,
            ReceiveRing receives,
            @Nullable LocalSharedReceiveQueue shared) {
        this.queuePair = queuePair;
        this.device = device;
        this.completions = completions;
        this.receives = receives;
        this.shared = shared;
    }

    /**
     * Carries out {@code request}, whose memory at the requester is resolved. Returns the status of the requester's
     * completion; what the application here is told has been said then.
     */
    WcStatus carryOut(SendRequest request) {
        try {
            return switch (request.operation) {
                case SEND, SEND_WITH_IMMEDIATE -> send(request);
                case IMMEDIATE -> immediate(request);
                case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> write(request);
                case RDMA_READ -> read(request);
                case FETCH_ADD, MASKED_FETCH_ADD, CMP_SWAP, MASKED_CMP_SWAP -> atomic(request);
                default -> throw new AssertionError(request.operation + " was admitted");
            };
        } catch (IllegalStateException e) {
            // The owner of some memory closed its arena between the check and the copy.
            return WcStatus.LOCAL_QP_OPERATION_ERROR;
        }
    }

    /** Completes the receives of the queue pair's own as flushed. */
    void flush() {
        for (ReceiveRequest receive = receives.take(); receive != null; receive = receives.take()) {
            received(receive, WcStatus.WR_FLUSH_ERROR, WcOpcode.RECV, 0);
            completions.publish(false);
        }
    }

    private WcStatus send(SendRequest request) {
        ReceiveRequest receive = shared == null ? receives.take() : shared.take();
        if (receive == null) {
            return refuseMessage();
        }
        long length = request.local.totalBytes();
        if (length > receive.into.totalBytes()) {
            return refuseReceive(receive, WcStatus.LOCAL_LENGTH_ERROR, WcStatus.REMOTE_INVALID_REQUEST);
        }
        if (!receive.into.resolve(device.regions(), queuePair.config().domain(), Access.LOCAL_WRITE)) {
            return refuseReceive(receive, WcStatus.LOCAL_PROTECTION_ERROR, WcStatus.REMOTE_OPERATION_ERROR);
        }
        try {
            request.local.copyTo(receive.into);
        } catch (IllegalStateException e) {
            return refuseReceive(receive, WcStatus.LOCAL_PROTECTION_ERROR, WcStatus.REMOTE_OPERATION_ERROR);
        }
        boolean immediate = request.operation == SendOpcode.SEND_WITH_IMMEDIATE;
        WcOpcode completed = immediate && length == 0 ? WcOpcode.RECV_IMMEDIATE : WcOpcode.RECV;
        LocalCompletionQueue.Entry received = received(receive, WcStatus.SUCCESS, completed, length);
        if (immediate) {
            received.carrying(request.immediate);
        }
        return delivered(request);
    }

    private WcStatus immediate(SendRequest request) {
        ReceiveRequest receive = shared == null ? receives.take() : shared.take();
        if (receive == null) {
            return refuseMessage();
        }
        received(receive, WcStatus.SUCCESS, WcOpcode.RECV_IMMEDIATE, 0).carrying(request.immediate);
        return delivered(request);
    }

    private WcStatus write(SendRequest request) {
        if (!remote(request, Access.REMOTE_WRITE)) {
            return refuseAccess(request);
        }
        request.local.copyTo(request.remote);
        return request.operation == SendOpcode.RDMA_WRITE ? WcStatus.SUCCESS : immediate(request);
    }

    private WcStatus read(SendRequest request) {
        if (!remote(request, Access.REMOTE_READ)) {
            return refuseAccess(request);
        }
        request.remote.copyTo(request.local);
        return WcStatus.SUCCESS;
    }

    private WcStatus atomic(SendRequest request) {
        if (!remote(request, Access.REMOTE_ATOMIC)) {
            return refuseAccess(request);
        }
        Pieces cell = request.remote;
        if ((cell.segment().address() + cell.offset()) % Long.BYTES != 0) {
            refused(AsyncEvent.Type.QP_REQUEST_ERROR, "an atomic of the peer is not aligned to 8 bytes");
            return WcStatus.REMOTE_INVALID_REQUEST;
        }
        boolean adds = request.completes() == WcOpcode.FETCH_ADD;
        request.local.setLong(
                adds
                        ? MaskedAtomics.fetchAdd(
                                cell.segment(), cell.offset(), request.compareOrAdd, request.compareMask)
                        : MaskedAtomics.cmpSwap(
                                cell.segment(),
                                cell.offset(),
                                request.compareOrAdd,
                                request.compareMask,
                                request.swap,
                                request.swapMask));
        return WcStatus.SUCCESS;
    }

    /** Resolves what the request names at the responder; false if that grants no such access. */
    private boolean remote(SendRequest request, Access right) {
        request.remote.setOne(request.remoteAddress, request.local.totalBytes(), request.rkey);
        return request.remote.resolve(device.regions(), queuePair.config().domain(), right);
    }

    private WcStatus delivered(SendRequest request) {
        completions.publish(request.has(SendFlag.SOLICITED));
        // Where the completion found no room, the responder has failed.
        return queuePair.state() == QueuePairState.RTS ? WcStatus.SUCCESS : WcStatus.REMOTE_OPERATION_ERROR;
    }

    private WcStatus refuseMessage() {
        refused(AsyncEvent.Type.QP_REQUEST_ERROR, "a message of the peer found no receive");
        return WcStatus.REMOTE_INVALID_REQUEST;
    }

    private WcStatus refuseReceive(ReceiveRequest receive, WcStatus here, WcStatus atRequester) {
        received(receive, here, WcOpcode.RECV, 0);
        completions.publish(false);
        return atRequester;
    }

    private WcStatus refuseAccess(SendRequest request) {
        refused(
                AsyncEvent.Type.QP_ACCESS_ERROR,
                "the peer's %s of %d bytes at 0x%x under key 0x%08x was refused"
                        .formatted(request.operation, request.local.totalBytes(), request.remoteAddress, request.rkey));
        return WcStatus.REMOTE_ACCESS_ERROR;
    }

    /** Returns the completion of {@code receive}, to be filled further and published. */
    private LocalCompletionQueue.Entry received(
            ReceiveRequest receive, WcStatus status, WcOpcode opcode, long byteCount) {
        return completions.next().of(queuePair, receive.wrId, status, opcode, byteCount);
    }

    /** Tells the application that a request of the peer was refused. */
    private void refused(AsyncEvent.Type type, String detail) {
        device.raise(new AsyncEvent(type, queuePair, detail));
    }
}
