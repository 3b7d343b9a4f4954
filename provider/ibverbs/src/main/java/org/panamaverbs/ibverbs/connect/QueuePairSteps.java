package org.panamaverbs.ibverbs.connect;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.panamaverbs.api.cm.RetryTimes;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_ah_attr;
import org.panamaverbs.bindings.ibverbs.ibv_global_route;
import org.panamaverbs.bindings.ibverbs.ibv_qp_attr;
import org.panamaverbs.bindings.rdmacm.Rdmacm;
import org.panamaverbs.ibverbs.call.CmCalls;
import org.panamaverbs.ibverbs.cm.CmContext;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.cm.ConnectionFailures;
import org.panamaverbs.ibverbs.cm.ConnectionParameters;
import org.panamaverbs.ibverbs.cm.Negotiated;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;

/**
 * Moves a queue pair from INIT to ready-to-send with the attributes that the connection manager has for it. On iWARP
 * the kernel does that itself when it connects or accepts. Used by one thread.
 */
final class QueuePairSteps {
    // librdmacm masks these bits of the attributes of RTR on
    // InfiniBand: older kernels set them, where only RoCE has them.
    private static final int ROCE_ONLY = 0xE0_00_00;

    /** Code of 0.64 ms: what libibverbs' own examples and perftest ask for. */
    private static final int MIN_RNR_TIMER = 12;

    private final CmContext manager;
    private final ConnectionFailures failures;
    private final CmId id;
    private final IbvQueuePair queuePair;

    QueuePairSteps(CmContext manager, ConnectionFailures failures, CmId id, IbvQueuePair queuePair) {
        this.manager = manager;
        this.failures = failures;
        this.id = id;
        this.queuePair = queuePair;
    }

    /** Goes to INIT again, with the port and partition of the route, keeping the access rights. */
    void init() {
        if (!manager.isIwarp()) {
            step(Ibverbs.IBV_QPS_INIT(), (attributes, mask) -> {
                ibv_qp_attr.qp_access_flags(attributes, queuePair.accessFlags());
                return mask;
            });
        }
    }

    /**
     * Goes to RTR.
     *
     * <p>The kernel's connection manager leaves the time that a peer without a receive waits at code 0, which is 655 ms
     * (cm_init_qp_rtr_attr of cm.c).
     *
     * @param responderResources Reads and Atomics the peer may have outstanding here, negative for what the connection
     *     manager says
     * @param typeOfService the traffic class of RoCE, 0 for what the connection manager says
     * @param times how long a peer is to wait for a receive
     */
    void readyToReceive(int responderResources, int typeOfService, RetryTimes times) {
        if (!manager.isIwarp()) {
            step(Ibverbs.IBV_QPS_RTR(), (attributes, mask) -> {
                if (responderResources >= 0) {
                    ibv_qp_attr.max_dest_rd_atomic(attributes, (byte) responderResources);
                }
                if (typeOfService != 0) {
                    ibv_global_route.traffic_class(
                            ibv_ah_attr.grh(ibv_qp_attr.ah_attr(attributes)), (byte) typeOfService);
                }
                int wait = times.minRnrTimer() == RetryTimes.UNSET ? MIN_RNR_TIMER : times.minRnrTimer();
                ibv_qp_attr.min_rnr_timer(attributes, (byte) wait);
                int all = mask | Ibverbs.IBV_QP_MIN_RNR_TIMER();
                return manager.isInfiniBand() ? all & ~ROCE_ONLY : all;
            });
        }
    }

    /**
     * Goes to RTS.
     *
     * @param initiatorDepth Reads and Atomics outstanding from here, negative for what the connection manager says
     */
    void readyToSend(int initiatorDepth) {
        if (!manager.isIwarp()) {
            step(Ibverbs.IBV_QPS_RTS(), (attributes, mask) -> {
                if (initiatorDepth >= 0) {
                    ibv_qp_attr.max_rd_atomic(attributes, (byte) initiatorDepth);
                }
                return mask;
            });
        }
    }

    /**
     * Sets after how long without an acknowledgement is sent again, before the request or the answer goes out; nothing
     * is said where it is left to the route.
     */
    void ackTimeout(RetryTimes times) {
        if (times.ackTimeout() == RetryTimes.UNSET) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment code = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) times.ackTimeout());
            int errno = id.call(() -> CmCalls.SET_OPTION.status(
                    id.pointer(), Rdmacm.RDMA_OPTION_ID(), Rdmacm.RDMA_OPTION_ID_ACK_TIMEOUT(), code, 1L));
            if (errno != 0) {
                throw failures.call(CmCalls.SET_OPTION.name(), errno);
            }
        }
    }

    /** Notes that the queue pair is ready to send as {@code agreed}; on iWARP the kernel has made it so. */
    void established(Negotiated agreed) {
        queuePair.connected(agreed.initiatorDepth());
    }

    /** Returns {@code parameters} for the queue pair. */
    MemorySegment encode(ConnectionParameters parameters, Arena arena) {
        return parameters.encode(queuePair.number(), queuePair.isShared(), arena);
    }

    private void step(int state, Change change) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = ibv_qp_attr.allocate(arena);
            MemorySegment mask = arena.allocate(ValueLayout.JAVA_INT);
            ibv_qp_attr.qp_state(attributes, state);
            int errno = id.call(() -> CmCalls.INIT_QP_ATTR.status(id.pointer(), attributes, mask));
            if (errno != 0) {
                throw failures.call(CmCalls.INIT_QP_ATTR.name(), errno);
            }
            queuePair.modify(attributes, change.apply(attributes, mask.get(ValueLayout.JAVA_INT, 0)));
        }
    }

    /** Changes attributes, and returns their changed mask. */
    private interface Change {
        int apply(MemorySegment attributes, int mask);
    }
}
