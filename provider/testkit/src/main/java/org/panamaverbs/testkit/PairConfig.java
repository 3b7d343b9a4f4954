package org.panamaverbs.testkit;

import java.util.function.UnaryOperator;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.cm.ConnectionConfig;

/**
 * How a {@link ConnectedPair} is made; what exceeds a device's capabilities is cut to them.
 *
 * @param bufferBytes bytes of each side's buffer
 * @param queueCapacity completions of each side's queue
 * @param queuePairA changes side A's queue pair
 * @param queuePairB changes side B's queue pair
 * @param connectionA changes how A connects
 * @param connectionB changes how B accepts
 */
public record PairConfig(
        long bufferBytes,
        int queueCapacity,
        UnaryOperator<QueuePairConfig> queuePairA,
        UnaryOperator<QueuePairConfig> queuePairB,
        UnaryOperator<ConnectionConfig> connectionA,
        UnaryOperator<ConnectionConfig> connectionB) {
    private static final PairConfig DEFAULT = new PairConfig(
            65_536,
            512,
            UnaryOperator.identity(),
            UnaryOperator.identity(),
            UnaryOperator.identity(),
            UnaryOperator.identity());

    /** Returns buffers of 64 KiB, queues of 512, and otherwise the API's defaults. */
    public static PairConfig defaults() {
        return DEFAULT;
    }

    /** Returns a copy with buffers of {@code bytes} bytes. */
    public PairConfig withBuffers(long bytes) {
        return new PairConfig(bytes, queueCapacity, queuePairA, queuePairB, connectionA, connectionB);
    }

    /** Returns a copy with completion queues of {@code capacity}. */
    public PairConfig withQueueCapacity(int capacity) {
        return new PairConfig(bufferBytes, capacity, queuePairA, queuePairB, connectionA, connectionB);
    }

    /** Returns a copy with both queue pairs changed by {@code change}. */
    public PairConfig withQueuePairs(UnaryOperator<QueuePairConfig> change) {
        return new PairConfig(bufferBytes, queueCapacity, change, change, connectionA, connectionB);
    }

    /** Returns a copy with side A's queue pair changed by {@code change}. */
    public PairConfig withQueuePairA(UnaryOperator<QueuePairConfig> change) {
        return new PairConfig(bufferBytes, queueCapacity, change, queuePairB, connectionA, connectionB);
    }

    /** Returns a copy with side B's queue pair changed by {@code change}. */
    public PairConfig withQueuePairB(UnaryOperator<QueuePairConfig> change) {
        return new PairConfig(bufferBytes, queueCapacity, queuePairA, change, connectionA, connectionB);
    }

    /** Returns a copy with both sides' connection set-up changed by {@code change}. */
    public PairConfig withConnections(UnaryOperator<ConnectionConfig> change) {
        return new PairConfig(bufferBytes, queueCapacity, queuePairA, queuePairB, change, change);
    }

    /** Returns a copy with A's request changed by {@code a} and B's reply by {@code b}. */
    public PairConfig withConnections(UnaryOperator<ConnectionConfig> a, UnaryOperator<ConnectionConfig> b) {
        return new PairConfig(bufferBytes, queueCapacity, queuePairA, queuePairB, a, b);
    }
}
