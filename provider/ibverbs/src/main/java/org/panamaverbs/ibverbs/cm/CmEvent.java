package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.bindings.rdmacm.rdma_cm_event;
import org.panamaverbs.bindings.rdmacm.rdma_conn_param;
import org.panamaverbs.bindings.rdmacm.rdma_ud_param;
import org.panamaverbs.ibverbs.post.IbvAddressHandle;

/**
 * A copy of {@code struct rdma_cm_event}, so that the original can be acknowledged at once.
 *
 * @param type what happened
 * @param status 0; or an error number, negative or positive; or the reason of a rejection, {@code enum
 *     ib_cm_rej_reason}
 * @param responderResources Reads and Atomics that the peer wants to have outstanding here
 * @param initiatorDepth Reads and Atomics that may be outstanding from here to the peer
 * @param privateData what the peer said
 * @param datagrams where datagrams go, of events of {@code RDMA_PS_UDP}; null otherwise
 */
// The array belongs to the event and is not changed.
@SuppressWarnings("ArrayRecordComponent")
public record CmEvent(
        CmEventType type,
        int status,
        int responderResources,
        int initiatorDepth,
        byte[] privateData,
        @Nullable UdParameters datagrams) {
    /** Stands for one that could not be read. */
    static final CmEvent LOST = new CmEvent(CmEventType.LOST, 0, 0, 0, new byte[0]);

    private static final CmEvent DISCONNECTED = new CmEvent(CmEventType.DISCONNECTED, 0, 0, 0, new byte[0]);
    private static final CmEvent DEVICE_REMOVAL = new CmEvent(CmEventType.DEVICE_REMOVAL, 0, 0, 0, new byte[0]);

    /** Returns what stands for an event of {@code type} that there is no memory to copy. */
    static CmEvent uncopied(CmEventType type) {
        return switch (type) {
            case DISCONNECTED -> DISCONNECTED;
            case DEVICE_REMOVAL -> DEVICE_REMOVAL;
            default -> LOST;
        };
    }

    /** Creates an event of a connection. */
    CmEvent(CmEventType type, int status, int responderResources, int initiatorDepth, byte[] privateData) {
        this(type, status, responderResources, initiatorDepth, privateData, null);
    }

    /** Copies {@code event} of a connection. */
    static CmEvent copy(MemorySegment event) {
        MemorySegment param = rdma_cm_event.param.conn(rdma_cm_event.param(event));
        return new CmEvent(
                CmEventType.of(rdma_cm_event.event(event)),
                rdma_cm_event.status(event),
                Byte.toUnsignedInt(rdma_conn_param.responder_resources(param)),
                Byte.toUnsignedInt(rdma_conn_param.initiator_depth(param)),
                privateData(param));
    }

    /** Copies {@code event} of an id of {@code RDMA_PS_UDP}. */
    static CmEvent copyDatagrams(MemorySegment event) {
        MemorySegment param = rdma_cm_event.param.ud(rdma_cm_event.param(event));
        return new CmEvent(
                CmEventType.of(rdma_cm_event.event(event)),
                rdma_cm_event.status(event),
                0,
                0,
                // rdma/rdma_cma.h: struct rdma_ud_param begins as struct rdma_conn_param
                privateData(param),
                new UdParameters(
                        IbvAddressHandle.read(rdma_ud_param.ah_attr(param)),
                        rdma_ud_param.qp_num(param),
                        rdma_ud_param.qkey(param)));
    }

    private static byte[] privateData(MemorySegment param) {
        int length = Byte.toUnsignedInt(rdma_conn_param.private_data_len(param));
        MemorySegment data = rdma_conn_param.private_data(param);
        return length == 0 || data.address() == 0
                ? new byte[0]
                : data.reinterpret(length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns {@link #datagrams} of an event that has them. */
    public UdParameters requireDatagrams() {
        return Objects.requireNonNull(datagrams, "an event of RDMA_PS_UDP lacks its parameters");
    }

    /**
     * Where datagrams go, {@code struct rdma_ud_param}.
     *
     * @param address the path
     * @param qpNumber the number of the queue pair there
     * @param qkey its key
     */
    public record UdParameters(AddressHandleConfig address, int qpNumber, int qkey) {}

    /** Returns the error number in {@link #status}, 0 if there is none. */
    public int errno() {
        return Math.abs(status);
    }
}
