package org.panamaverbs.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.TerminateCause;

/**
 * An asynchronous event, outside of any work request: {@code struct ibv_async_event}.
 *
 * @param type the kind of the event
 * @param source the object concerned: {@link QueuePair}, {@link CompletionQueue}, {@link SharedReceiveQueue};
 *     {@link Verbs} for ports and device
 * @param detail further information, for people
 * @param terminate the cause on iWARP, null if there is none; see {@link #terminateCause()}
 * @param port the number of the port concerned, from 1; 0 if none is
 */
public record AsyncEvent(
        Type type, Object source, String detail, @Nullable TerminateCause terminate, int port) {
    /**
     * The kind of an event: {@code enum ibv_event_type}, and those of {@code enum rdma_cm_event_type} that answer no
     * call.
     */
    public enum Type {
        /** A completion queue was overrun or failed. */
        CQ_ERROR,
        /** A queue pair entered the error state without a failed work request. */
        QP_FATAL,
        /** A peer's request was refused as invalid. */
        QP_REQUEST_ERROR,
        /** A peer's access was refused: rkey, bounds or rights. */
        QP_ACCESS_ERROR,
        /** The first message came before the connection was reported as established; may be ignored. */
        COMMUNICATION_ESTABLISHED,
        /**
         * The sends that were outstanding on entering {@link QueuePairState#SQD} are done; only if
         * {@link QueuePairAttributes.Field#EN_SQD_ASYNC_NOTIFY} was set.
         */
        SQ_DRAINED,
        /** The connection moved to its alternate path. */
        PATH_MIGRATED,
        /** The connection could not move to its alternate path. */
        PATH_MIGRATION_ERROR,
        /**
         * The device failed, or its driver removed it while open, as when an adapter is unplugged. Every queue pair is
         * in {@link QueuePairState#ERROR}, posts are refused with EIO, and outstanding requests have no completion.
         * Close all objects of the device, then the device: each close succeeds. Linux's rxe and siw do not raise it.
         */
        DEVICE_FATAL,
        /** A port went up. */
        PORT_ACTIVE,
        /** A port went down. */
        PORT_ERROR,
        /** The LID changed. */
        LID_CHANGE,
        /** The partition keys changed. */
        PKEY_CHANGE,
        /** The subnet manager changed. */
        SM_CHANGE,
        /** The GIDs changed. */
        GID_CHANGE,
        /** The subnet manager asks clients to register again. */
        CLIENT_REREGISTER,
        /** A shared receive queue failed. */
        SRQ_ERROR,
        /** A shared receive queue fell below its limit: {@link SharedReceiveQueue#armLimit}. */
        SRQ_LIMIT_REACHED,
        /** A failed queue pair took its last receive from its shared receive queue. */
        QP_LAST_WQE_REACHED,
        /**
         * The hardware address of the network interface changed, as a bond's does with its active interface:
         * {@code RDMA_CM_EVENT_ADDR_CHANGE}. The source is the queue pair of a connection, or the device of a listener.
         * A change back raises no event.
         *
         * <p>A listener still receives requests. A connection neither ends nor moves: both sides keep the old hardware
         * addresses, and network and device decide whether messages still arrive. If not, requests fail with
         * {@link WcStatus#RETRY_EXCEEDED} (on rxe also {@link WcStatus#LOCAL_QP_OPERATION_ERROR}), and the peer does
         * not answer a disconnect: close the connection and connect again.
         */
        ADDR_CHANGE,
        /**
         * No packet of a disconnected connection is in flight any more; its queue pair may be connected again:
         * {@code RDMA_CM_EVENT_TIMEWAIT_EXIT}. Only until the connection is closed; not on iWARP.
         */
        TIMEWAIT_EXIT,
        /**
         * The device was removed: {@code RDMA_CM_EVENT_DEVICE_REMOVAL}. The source is the queue pair of a connection,
         * or the device of a listener; each gets an event of its own. The connection has ended, its queue pair is in
         * {@link QueuePairState#ERROR} and its requests are flushed; the listener receives no more requests. Close all
         * objects of the device, then the device.
         */
        DEVICE_REMOVAL
    }

    /** Creates an event that concerns no port. */
    public AsyncEvent(Type type, Object source, String detail, @Nullable TerminateCause terminate) {
        this(type, source, detail, terminate, 0);
    }

    /** Creates an event without a terminate cause or a port. */
    public AsyncEvent(Type type, Object source, String detail) {
        this(type, source, detail, null);
    }

    /** Returns the cause on iWARP: {@link QueuePair#terminateCause()} of the source. */
    public Optional<TerminateCause> terminateCause() {
        return Optional.ofNullable(terminate);
    }
}
