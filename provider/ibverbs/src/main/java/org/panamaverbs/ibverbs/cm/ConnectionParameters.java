package org.panamaverbs.ibverbs.cm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.bindings.rdmacm.rdma_conn_param;
import org.panamaverbs.spi.support.Known;
import org.panamaverbs.spi.support.Limits;

/**
 * {@code struct rdma_conn_param}: what a request or its answer says.
 *
 * @param config the private data and retry counts; its depths do not count
 * @param responderResources Reads and Atomics the peer may have outstanding here
 * @param initiatorDepth Reads and Atomics outstanding from here
 */
public record ConnectionParameters(ConnectionConfig config, int responderResources, int initiatorDepth) {
    /** Returns what {@code config} says. */
    public static ConnectionParameters of(ConnectionConfig config) {
        return new ConnectionParameters(config, config.responderResources(), config.initiatorDepth());
    }

    /**
     * Refuses a configuration that is beyond what the device can.
     *
     * @throws IllegalArgumentException saying what it can
     */
    public static void check(ConnectionConfig config, Limits limits) {
        Limits.checkPrivateData(config.privateData(), limits.capabilities().maxPrivateData());
        limits.check(config);
        checkOptions(config);
    }

    /**
     * Refuses what {@link #check} does, and what an accepted connection cannot ask for, as
     * {@link Limits#checkAccepted}.
     */
    public static void checkAccepted(ConnectionConfig config, Limits limits) {
        Limits.checkPrivateData(config.privateData(), limits.capabilities().maxAcceptPrivateData());
        limits.checkAccepted(config);
        checkOptions(config);
    }

    private static void checkOptions(ConnectionConfig config) {
        Known.options("ibverbs", List.of(), config);
    }

    /**
     * Returns the parameters as C has them, for the queue pair {@code qpNumber}, with or without a shared receive
     * queue.
     */
    public MemorySegment encode(int qpNumber, boolean shared, Arena arena) {
        MemorySegment result = rdma_conn_param.allocate(arena);
        byte[] privateData = config.privateData();
        rdma_conn_param.private_data(result, octets(privateData, arena));
        rdma_conn_param.private_data_len(result, (byte) privateData.length);
        rdma_conn_param.responder_resources(result, (byte) responderResources);
        rdma_conn_param.initiator_depth(result, (byte) initiatorDepth);
        rdma_conn_param.flow_control(result, (byte) 1);
        rdma_conn_param.retry_count(result, (byte) config.retryCount());
        rdma_conn_param.rnr_retry_count(result, (byte) config.rnrRetryCount());
        rdma_conn_param.srq(result, (byte) (shared ? 1 : 0));
        rdma_conn_param.qp_num(result, qpNumber);
        return result;
    }

    /** Returns a copy of {@code data}, NULL if there is none. */
    static MemorySegment octets(byte[] data, Arena arena) {
        return data.length == 0 ? MemorySegment.NULL : arena.allocateFrom(ValueLayout.JAVA_BYTE, data);
    }
}
