package org.panamaverbs.local.objects;

import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;
import org.panamaverbs.spi.software.ReceiveRequest;
import org.panamaverbs.spi.software.SendRequest;
import org.panamaverbs.spi.software.SgEntries;
import org.panamaverbs.spi.software.SoftwareQueuePair;

/**
 * What a queue pair is for its peer, whose requests are carried out here: everything is checked first, then copied, so
 * that what is refused has touched nothing. Called with the lock held..
 */
final class Responder {
    private final SoftwareQueuePair queuePair;

    Responder(SoftwareQueuePair queuePair) {
        this.queuePair = queuePair;
    }

    /**
     * Carries out {@code request}, whose memory at the requester is resolved. Returns the status of the requester's
     * completion; what the application here is told has been said then.
     */
    WcStatus carryOut(SendRequest request) {
        try {
            return switch (request.operation()) {
                case SEND, SEND_WITH_IMMEDIATE -> send(request);
                case IMMEDIATE -> immediate(request);
                case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> write(request);
                case RDMA_READ -> read(request);
                case FETCH_ADD, MASKED_FETCH_ADD, CMP_SWAP, MASKED_CMP_SWAP -> atomic(request);
                default -> throw new AssertionError(request.operation() + " was admitted");
            };
        } catch (IllegalStateException e) {
            // The owner of some memory closed its arena between the check and the copy.
            return WcStatus.LOCAL_QP_OPERATION_ERROR;
        }
    }

    private WcStatus send(SendRequest request) {
        ReceiveRequest receive = queuePair.takeReceive();
        if (receive == null) {
            return refuseMessage();
        }
        long length = request.local().totalBytes();
        if (length > receive.into().totalBytes()) {
            return refuseReceive(receive, WcStatus.LOCAL_LENGTH_ERROR, WcStatus.REMOTE_INVALID_REQUEST);
        }
        if (!queuePair.resolve(receive.into(), Access.LOCAL_WRITE)) {
            return refuseReceive(receive, WcStatus.LOCAL_PROTECTION_ERROR, WcStatus.REMOTE_OPERATION_ERROR);
        }
        try {
            request.local().copyTo(receive.into());
        } catch (IllegalStateException e) {
            return refuseReceive(receive, WcStatus.LOCAL_PROTECTION_ERROR, WcStatus.REMOTE_OPERATION_ERROR);
        }
        boolean solicited = request.has(SendFlag.SOLICITED);
        WcOpcode completed = length == 0 ? WcOpcode.RECV_IMMEDIATE : WcOpcode.RECV;
        return delivered(
                request.operation() == SendOpcode.SEND_WITH_IMMEDIATE
                        ? queuePair.completeImmediate(receive, completed, length, request.immediate(), solicited)
                        : queuePair.complete(receive, WcStatus.SUCCESS, length, solicited));
    }

    private WcStatus immediate(SendRequest request) {
        ReceiveRequest receive = queuePair.takeReceive();
        if (receive == null) {
            return refuseMessage();
        }
        return delivered(queuePair.completeImmediate(
                receive, WcOpcode.RECV_IMMEDIATE, 0, request.immediate(), request.has(SendFlag.SOLICITED)));
    }

    private WcStatus write(SendRequest request) {
        SgEntries remote = request.remote();
        if (!queuePair.resolve(remote, Access.REMOTE_WRITE)) {
            return refuseAccess(request);
        }
        request.local().copyTo(remote);
        return request.operation() == SendOpcode.RDMA_WRITE ? WcStatus.SUCCESS : immediate(request);
    }

    private WcStatus read(SendRequest request) {
        SgEntries remote = request.remote();
        if (!queuePair.resolve(remote, Access.REMOTE_READ)) {
            return refuseAccess(request);
        }
        remote.copyTo(request.local());
        return WcStatus.SUCCESS;
    }

    private WcStatus atomic(SendRequest request) {
        SgEntries cell = request.remote();
        if (!queuePair.resolve(cell, Access.REMOTE_ATOMIC)) {
            return refuseAccess(request);
        }
        if ((cell.segment().address() + cell.offset()) % Long.BYTES != 0) {
            refused(AsyncEvent.Type.QP_REQUEST_ERROR, "an atomic of the peer is not aligned to 8 bytes");
            return WcStatus.REMOTE_INVALID_REQUEST;
        }
        boolean adds =
                request.operation() == SendOpcode.FETCH_ADD || request.operation() == SendOpcode.MASKED_FETCH_ADD;
        request.local()
                .setLong(
                        adds
                                ? MaskedAtomics.fetchAdd(
                                        cell.segment(), cell.offset(), request.compareOrAdd(), request.compareMask())
                                : MaskedAtomics.cmpSwap(
                                        cell.segment(),
                                        cell.offset(),
                                        request.compareOrAdd(),
                                        request.compareMask(),
                                        request.swap(),
                                        request.swapMask()));
        return WcStatus.SUCCESS;
    }

    /** Returns the status of a message whose completion is there, if it found room. */
    private static WcStatus delivered(boolean hadRoom) {
        return hadRoom ? WcStatus.SUCCESS : WcStatus.REMOTE_OPERATION_ERROR;
    }

    private WcStatus refuseMessage() {
        refused(AsyncEvent.Type.QP_REQUEST_ERROR, "a message of the peer found no receive");
        return WcStatus.REMOTE_INVALID_REQUEST;
    }

    private WcStatus refuseReceive(ReceiveRequest receive, WcStatus here, WcStatus atRequester) {
        queuePair.complete(receive, here, 0, false);
        return atRequester;
    }

    private WcStatus refuseAccess(SendRequest request) {
        refused(AsyncEvent.Type.QP_ACCESS_ERROR, "the peer's " + request + " was refused");
        return WcStatus.REMOTE_ACCESS_ERROR;
    }

    /** Tells the application that a request of the peer was refused. */
    private void refused(AsyncEvent.Type type, String detail) {
        queuePair.device().raise(new AsyncEvent(type, queuePair, detail));
    }
}
