package org.panamaverbs.memcpy;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MaskedAtomics;
import org.panamaverbs.spi.software.ReceiveRequest;
import org.panamaverbs.spi.software.SendRequest;
import org.panamaverbs.spi.software.SgEntries;
import org.panamaverbs.spi.software.SoftwareQueuePair;

/** A queue pair. Its peer carries out what is posted to it, before the post returns. */
final class MemcpyQueuePair extends SoftwareQueuePair {
    /** The other end of the connection, up or down; null before. */
    private @Nullable MemcpyQueuePair peer;

    MemcpyQueuePair(MemcpyDomain domain, QueuePairConfig config) {
        super(domain, config);
    }

    /** Makes {@code newPeer} the other end. */
    void connect(MemcpyQueuePair newPeer, int initiatorDepth) {
        peer = newPeer;
        connected(initiatorDepth);
    }

    @Override
    protected void failed() {
        if (peer != null) {
            peer.fail();
        }
    }

    @Override
    protected WcStatus carryOut(SendRequest request) {
        if (peer == null) {
            return WcStatus.WR_FLUSH_ERROR;
        }
        try {
            return switch (request.operation()) {
                case SEND -> peer.receive(request);
                case RDMA_WRITE -> peer.write(request);
                case RDMA_READ -> peer.read(request);
                default -> peer.atomic(request);
            };
        } catch (IllegalStateException closed) {
            // The application closed the arena of registered memory.
            return WcStatus.LOCAL_QP_OPERATION_ERROR;
        }
    }

    private WcStatus receive(SendRequest request) {
        ReceiveRequest receive = takeReceive();
        if (receive == null) {
            return refused(AsyncEvent.Type.QP_REQUEST_ERROR, request, WcStatus.REMOTE_INVALID_REQUEST);
        }
        long length = request.local().totalBytes();
        if (length > receive.into().totalBytes()) {
            complete(receive, WcStatus.LOCAL_LENGTH_ERROR, 0, false);
            return WcStatus.REMOTE_INVALID_REQUEST;
        }
        if (!resolve(receive.into(), Access.LOCAL_WRITE) || !copied(request.local(), receive.into())) {
            complete(receive, WcStatus.LOCAL_PROTECTION_ERROR, 0, false);
            return WcStatus.REMOTE_OPERATION_ERROR;
        }
        boolean hadRoom = complete(receive, WcStatus.SUCCESS, length, request.has(SendFlag.SOLICITED));
        return hadRoom ? WcStatus.SUCCESS : WcStatus.REMOTE_OPERATION_ERROR;
    }

    /** Copies {@code message}; false if the application closed the arena of the memory of one of both. */
    private static boolean copied(SgEntries message, SgEntries into) {
        try {
            message.copyTo(into);
            return true;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    private WcStatus write(SendRequest request) {
        SgEntries target = request.remote();
        if (!resolve(target, Access.REMOTE_WRITE)) {
            return refused(AsyncEvent.Type.QP_ACCESS_ERROR, request, WcStatus.REMOTE_ACCESS_ERROR);
        }
        request.local().copyTo(target);
        return WcStatus.SUCCESS;
    }

    private WcStatus read(SendRequest request) {
        SgEntries source = request.remote();
        if (!resolve(source, Access.REMOTE_READ)) {
            return refused(AsyncEvent.Type.QP_ACCESS_ERROR, request, WcStatus.REMOTE_ACCESS_ERROR);
        }
        source.copyTo(request.local());
        return WcStatus.SUCCESS;
    }

    private WcStatus atomic(SendRequest request) {
        SgEntries cell = request.remote();
        if (!resolve(cell, Access.REMOTE_ATOMIC)) {
            return refused(AsyncEvent.Type.QP_ACCESS_ERROR, request, WcStatus.REMOTE_ACCESS_ERROR);
        }
        if ((cell.segment().address() + cell.offset()) % Long.BYTES != 0) {
            return refused(AsyncEvent.Type.QP_REQUEST_ERROR, request, WcStatus.REMOTE_INVALID_REQUEST);
        }
        long operand = request.compareOrAdd();
        request.local()
                .setLong(
                        request.operation() == SendOpcode.FETCH_ADD
                                ? MaskedAtomics.fetchAdd(cell.segment(), cell.offset(), operand, 0)
                                : MaskedAtomics.cmpSwap(
                                        cell.segment(), cell.offset(), operand, -1, request.swap(), -1));
        return WcStatus.SUCCESS;
    }

    /** Tells the application of this side that a request of the peer was refused. */
    private WcStatus refused(AsyncEvent.Type type, SendRequest request, WcStatus status) {
        device().raise(new AsyncEvent(type, this, "the peer's " + request + " was refused: " + status));
        return status;
    }
}
