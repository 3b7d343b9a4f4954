package org.panamaverbs.local.objects;

import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.local.context.Fabric;
import org.panamaverbs.local.work.Pieces;
import org.panamaverbs.local.work.ReceiveRequest;
import org.panamaverbs.local.work.SendRequest;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;

/**
 * Carries out a request of one queue pair at the other: everything is checked first, then copied, so that what is
 * refused has touched nothing. Called with the lock of {@link Fabric} held.
 */
public final class Transfer {
    private Transfer() {}

    /**
     * Returns the status of the requester's completion; what the responder's application is told has been said then.
     */
    static WcStatus carryOut(LocalQueuePair from, LocalQueuePair to, SendRequest request) {
        try {
            return switch (request.operation) {
                case SEND, SEND_WITH_IMMEDIATE -> send(from, to, request);
                case IMMEDIATE -> immediate(to, request);
                case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> write(from, to, request);
                case RDMA_READ -> read(from, to, request);
                case FETCH_ADD, MASKED_FETCH_ADD, CMP_SWAP, MASKED_CMP_SWAP -> atomic(from, to, request);
                default -> throw new AssertionError(request.operation + " was admitted");
            };
        } catch (IllegalStateException e) {
            // The owner of some memory closed its arena between the check and the copy.
            return WcStatus.LOCAL_QP_OPERATION_ERROR;
        }
    }

    private static WcStatus send(LocalQueuePair from, LocalQueuePair to, SendRequest request) {
        if (!request.local.resolve(from.device().regions(), from.domain(), null)) {
            return WcStatus.LOCAL_PROTECTION_ERROR;
        }
        ReceiveRequest receive = to.takeReceive();
        if (receive == null) {
            return refuseMessage(to);
        }
        long length = request.local.totalBytes();
        if (length > receive.into.totalBytes()) {
            return refuseReceive(to, receive, WcStatus.LOCAL_LENGTH_ERROR, WcStatus.REMOTE_INVALID_REQUEST);
        }
        if (!receive.into.resolve(to.device().regions(), to.domain(), Access.LOCAL_WRITE)) {
            return refuseReceive(to, receive, WcStatus.LOCAL_PROTECTION_ERROR, WcStatus.REMOTE_OPERATION_ERROR);
        }
        try {
            request.local.copyTo(receive.into);
        } catch (IllegalStateException e) {
            return refuseReceive(to, receive, WcStatus.LOCAL_PROTECTION_ERROR, WcStatus.REMOTE_OPERATION_ERROR);
        }
        LocalCompletionQueue.Entry received = to.received(receive, WcStatus.SUCCESS, WcOpcode.RECV, length);
        if (request.operation == SendOpcode.SEND_WITH_IMMEDIATE) {
            received.carrying(request.immediate);
        }
        return delivered(to, request);
    }

    private static WcStatus immediate(LocalQueuePair to, SendRequest request) {
        ReceiveRequest receive = to.takeReceive();
        if (receive == null) {
            return refuseMessage(to);
        }
        to.received(receive, WcStatus.SUCCESS, WcOpcode.RECV_IMMEDIATE, 0).carrying(request.immediate);
        return delivered(to, request);
    }

    private static WcStatus write(LocalQueuePair from, LocalQueuePair to, SendRequest request) {
        if (!request.local.resolve(from.device().regions(), from.domain(), null)) {
            return WcStatus.LOCAL_PROTECTION_ERROR;
        }
        if (!remote(to, request, Access.REMOTE_WRITE)) {
            return refuseAccess(to, request);
        }
        request.local.copyTo(request.remote);
        return request.operation == SendOpcode.RDMA_WRITE ? WcStatus.SUCCESS : immediate(to, request);
    }

    private static WcStatus read(LocalQueuePair from, LocalQueuePair to, SendRequest request) {
        if (!request.local.resolve(from.device().regions(), from.domain(), Access.LOCAL_WRITE)) {
            return WcStatus.LOCAL_PROTECTION_ERROR;
        }
        if (!remote(to, request, Access.REMOTE_READ)) {
            return refuseAccess(to, request);
        }
        request.remote.copyTo(request.local);
        return WcStatus.SUCCESS;
    }

    private static WcStatus atomic(LocalQueuePair from, LocalQueuePair to, SendRequest request) {
        if (!request.local.resolve(from.device().regions(), from.domain(), Access.LOCAL_WRITE)) {
            return WcStatus.LOCAL_PROTECTION_ERROR;
        }
        if (!remote(to, request, Access.REMOTE_ATOMIC)) {
            return refuseAccess(to, request);
        }
        Pieces cell = request.remote;
        if ((cell.segment().address() + cell.offset()) % Long.BYTES != 0) {
            to.refused(AsyncEvent.Type.QP_REQUEST_ERROR, "an atomic of the peer is not aligned to 8 octets");
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
    private static boolean remote(LocalQueuePair to, SendRequest request, Access right) {
        request.remote.setOne(request.remoteAddress, request.local.totalBytes(), request.rkey);
        return request.remote.resolve(to.device().regions(), to.domain(), right);
    }

    private static WcStatus delivered(LocalQueuePair to, SendRequest request) {
        to.receiveQueue().publish(request.has(SendFlag.SOLICITED));
        // Where the completion found no room, the responder has failed.
        return to.isReady() ? WcStatus.SUCCESS : WcStatus.REMOTE_OPERATION_ERROR;
    }

    private static WcStatus refuseMessage(LocalQueuePair to) {
        to.refused(AsyncEvent.Type.QP_REQUEST_ERROR, "a message of the peer found no receive");
        return WcStatus.REMOTE_INVALID_REQUEST;
    }

    private static WcStatus refuseReceive(
            LocalQueuePair to, ReceiveRequest receive, WcStatus here, WcStatus atRequester) {
        to.received(receive, here, WcOpcode.RECV, 0);
        to.receiveQueue().publish(false);
        return atRequester;
    }

    private static WcStatus refuseAccess(LocalQueuePair to, SendRequest request) {
        to.refused(
                AsyncEvent.Type.QP_ACCESS_ERROR,
                "the peer's %s of %d octets at 0x%x under key 0x%08x was refused"
                        .formatted(request.operation, request.local.totalBytes(), request.remoteAddress, request.rkey));
        return WcStatus.REMOTE_ACCESS_ERROR;
    }
}
