package org.panamaverbs.disni.cm;

import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.ResourceException;

/**
 * Which event librdmacm has for a failure.
 *
 * @param status what the event has as its status: a negative error number, or for a rejection by the peer's application
 *     InfiniBand's reason 28, as {@code rdma_get_cm_event(3)} says
 */
record FailureCode(EventType type, int status) {
    private static final int CONSUMER_REJECT = 28; // IB_CM_REJ_CONSUMER_DEFINED in rdma/ib_cm.h
    // asm-generic/errno.h
    private static final int EINVAL = 22;
    private static final int EPROTO = 71;
    private static final int EADDRINUSE = 98;
    private static final int ENETUNREACH = 101;
    private static final int ECONNABORTED = 103;
    private static final int ECONNRESET = 104;
    private static final int ETIMEDOUT = 110;
    private static final int ECONNREFUSED = 111;

    static FailureCode of(RuntimeException failure) {
        return switch (failure) {
            case DeadlineExceededException e -> unreachable(ETIMEDOUT);
            case ConnectionException e -> of(e);
            case ResourceException e -> error(e.errno() > 0 ? e.errno() : EINVAL);
            default -> error(EINVAL);
        };
    }

    private static FailureCode of(ConnectionException failure) {
        return switch (failure.reason()) {
            case REJECTED -> new FailureCode(EventType.RDMA_CM_EVENT_REJECTED, CONSUMER_REJECT);
            case REFUSED -> new FailureCode(EventType.RDMA_CM_EVENT_REJECTED, -ECONNREFUSED);
            case UNREACHABLE -> unreachable(ENETUNREACH);
            case RESET -> error(ECONNRESET);
            case ADDRESS_IN_USE -> error(EADDRINUSE);
            case CLOSED -> error(ECONNABORTED);
            case PROTOCOL, NEGOTIATION, SECURITY -> error(EPROTO);
        };
    }

    private static FailureCode unreachable(int errno) {
        return new FailureCode(EventType.RDMA_CM_EVENT_UNREACHABLE, -errno);
    }

    private static FailureCode error(int errno) {
        return new FailureCode(EventType.RDMA_CM_EVENT_CONNECT_ERROR, -errno);
    }
}
