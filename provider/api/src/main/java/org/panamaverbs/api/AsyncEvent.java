package org.panamaverbs.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.iwarp.TerminateCause;

/**
 * Something that happened outside of any work request, {@code struct ibv_async_event}.
 *
 * @param type what happened
 * @param source the object it happened to: {@link QueuePair}, {@link CompletionQueue}, {@link SharedReceiveQueue}, or
 *     {@link Verbs} for ports and device
 * @param detail more about it, for people
 * @param terminate the cause behind it (iWARP), null without; see {@link #terminateCause()}
 * @param port the number of the port that it happened to, from 1; 0 if it did not happen to a port
 */
public record AsyncEvent(
        Type type, Object source, String detail, @Nullable TerminateCause terminate, int port) {
    /** The kinds, {@code enum ibv_event_type} and what of {@code enum rdma_cm_event_type} answers no call. */
    public enum Type {
        /** A completion queue was overrun or failed. */
        CQ_ERROR,
        /** A queue pair went to the error state without a work request to blame. */
        QP_FATAL,
        /** A peer's request was refused as invalid. */
        QP_REQUEST_ERROR,
        /** A peer's access was refused: STag, bounds or rights. */
        QP_ACCESS_ERROR,
        /** The first message came before the connection was reported as established. */
        COMMUNICATION_ESTABLISHED,
        /**
         * The sends are done that were under way when the queue pair went to {@link QueuePairState#SQD}; where that
         * change asked for it by {@link QueuePairAttributes.Field#EN_SQD_ASYNC_NOTIFY}.
         */
        SQ_DRAINED,
        /** The path moved. */
        PATH_MIGRATED,
        /** The path could not move. */
        PATH_MIGRATION_ERROR,
        /**
         * The device failed, or its driver took it away from who has it open, as those of adapters do when one is
         * unplugged. Every queue pair is in {@link QueuePairState#ERROR}, posts are refused with EIO, and what was
         * outstanding has no completion. Close all that was made from the device, then the device: each close succeeds.
         * Linux's rxe and siw raise none.
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
        /** The subnet asks clients to register again. */
        CLIENT_REREGISTER,
        /** A shared receive queue failed. */
        SRQ_ERROR,
        /** A shared receive queue fell below its limit. */
        SRQ_LIMIT_REACHED,
        /** The last receive of a failed queue pair was taken from its shared receive queue. */
        QP_LAST_WQE_REACHED,
        /**
         * The hardware address of the network interface changed that a connection, a queue pair, or a listener, the
         * device, was set up over, as a bond's does with its active interface: of the connection manager,
         * {@code RDMA_CM_EVENT_ADDR_CHANGE}. Nothing was done about it. A listener takes requests as before. A
         * connection is neither ended nor moved: both sides go on to use the hardware addresses that it was set up
         * with. Whether its messages still arrive the network and the device decide; where they do not, requests fail
         * with {@link WcStatus#RETRY_EXCEEDED} (on rxe also {@link WcStatus#LOCAL_QP_OPERATION_ERROR}), its peer does
         * not answer a disconnect, and the connection is to be closed and made anew. An address that comes back raises
         * none.
         */
        ADDR_CHANGE,
        /**
         * No packet of a disconnected connection is on its way any more, and its queue pair may be connected anew: of
         * the connection manager, {@code RDMA_CM_EVENT_TIMEWAIT_EXIT}. Only while the connection is not closed; not on
         * iWARP.
         */
        TIMEWAIT_EXIT,
        /**
         * The device of a connection, a queue pair, or of a listener, the device, was removed: of the connection
         * manager, {@code RDMA_CM_EVENT_DEVICE_REMOVAL}. Each hears of it by itself. The connection has ended, its
         * queue pair is in state {@link QueuePairState#ERROR} and its requests are flushed; the listener hears nobody
         * any more. Close all that was made from the device, then the device: each close does what it always does.
         */
        DEVICE_REMOVAL
    }

    /** Creates an event that did not happen to a port. */
    public AsyncEvent(Type type, Object source, String detail, @Nullable TerminateCause terminate) {
        this(type, source, detail, terminate, 0);
    }

    /** Creates an event without a cause that has a type. */
    public AsyncEvent(Type type, Object source, String detail) {
        this(type, source, detail, null);
    }

    /** Returns the cause behind it, the same as {@link QueuePair#terminateCause()} of its source. */
    public Optional<TerminateCause> terminateCause() {
        return Optional.ofNullable(terminate);
    }
}
