package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.panamaverbs.bindings.rdmacm.rdma_cm_event;
import org.panamaverbs.bindings.rdmacm.rdma_conn_param;

/**
 * A copy of {@code struct rdma_cm_event}, so that the original can be acknowledged at once.
 *
 * @param type what happened
 * @param status 0; or an error number, negative or positive; or the reason of a rejection, {@code enum
 *     ib_cm_rej_reason}
 * @param responderResources Reads and Atomics that the peer wants to have outstanding here
 * @param initiatorDepth Reads and Atomics that may be outstanding from here to the peer
 * @param privateData what the peer said
 */
// The array belongs to the event and is not changed.
@SuppressWarnings("ArrayRecordComponent")
record CmEvent(CmEventType type, int status, int responderResources, int initiatorDepth, byte[] privateData) {
    /** Copies {@code event}. */
    static CmEvent copy(MemorySegment event) {
        MemorySegment param = rdma_cm_event.param.conn(rdma_cm_event.param(event));
        int length = Byte.toUnsignedInt(rdma_conn_param.private_data_len(param));
        MemorySegment data = rdma_conn_param.private_data(param);
        byte[] privateData = length == 0 || data.address() == 0
                ? new byte[0]
                : data.reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
        return new CmEvent(
                CmEventType.of(rdma_cm_event.event(event)),
                rdma_cm_event.status(event),
                Byte.toUnsignedInt(rdma_conn_param.responder_resources(param)),
                Byte.toUnsignedInt(rdma_conn_param.initiator_depth(param)),
                privateData);
    }

    /** Returns the error number in {@link #status}, 0 if there is none. */
    int errno() {
        return Math.abs(status);
    }
}
