package org.panamaverbs.api.ext;

import java.util.List;

/**
 * Counters of matching packets, {@code struct ibv_counters}, created by {@code Verbs.flowCounters} and bound to a flow
 * by {@link FlowSpec.Count} in its rule. Flows with the same counters add up. They start at 0 and only grow. Any thread
 * may call any method; they query the device, so not for the data path.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_read_counters.3.html">ibv_read_counters(3)</a>
 */
public interface FlowCounters extends AutoCloseable {
    /** The unit of a counter, {@code enum ibv_counter_description}. */
    enum Kind {
        /** Packets. */
        PACKETS,
        /** Bytes. */
        BYTES
    }

    /** Returns the units, in the order of the values read. */
    List<Kind> kinds();

    /**
     * Returns the current counts, one for each of {@link #kinds()}.
     *
     * @throws IllegalStateException if the counters are closed
     * @throws org.panamaverbs.api.ResourceException if the device refuses, as some do before a flow is created with
     *     them
     */
    long[] read();

    /**
     * Returns the driver's cached counts if available, otherwise as {@link #read()}: cheaper and older
     * ({@code IBV_READ_COUNTERS_ATTR_PREFER_CACHED}).
     */
    long[] readCached();

    /**
     * Destroys the counters: {@code ibv_destroy_counters(3)}.
     *
     * @throws IllegalStateException if flows still use them, naming the flows
     * @throws org.panamaverbs.api.ResourceException if the device refuses; the call can be repeated
     */
    @Override
    void close();
}
