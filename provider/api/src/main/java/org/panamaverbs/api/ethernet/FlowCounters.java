package org.panamaverbs.api.ethernet;

import java.util.List;

/**
 * Counters of what comes by flows, {@code struct ibv_counters}; made by {@code Verbs.flowCounters}, and bound to a flow
 * by {@link FlowSpec.Count} of its rule. Flows with the same counters add up. They begin at 0 and only grow. All
 * methods may be called by any thread; they ask the device, and are not for the data path.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_read_counters.3.html">ibv_read_counters(3)</a>
 */
public interface FlowCounters extends AutoCloseable {
    /** What is counted, {@code enum ibv_counter_description}. */
    enum Kind {
        /** Packets. */
        PACKETS,
        /** Bytes. */
        BYTES
    }

    /** Returns what is counted, in the order of the values that are read. */
    List<Kind> kinds();

    /**
     * Returns the counts as the device has them now, one for each of {@link #kinds()}.
     *
     * @throws IllegalStateException if they are closed
     * @throws org.panamaverbs.api.ResourceException if the device refuses, as some do while no flow was created with
     *     them
     */
    long[] read();

    /**
     * Returns the counts as the driver remembers them, or else as {@link #read()} does
     * ({@code IBV_READ_COUNTERS_ATTR_PREFER_CACHED}): cheaper, and older.
     */
    long[] readCached();

    /**
     * Ends the counters ({@code ibv_destroy_counters(3)}).
     *
     * @throws IllegalStateException naming the flows that are counted by them
     * @throws org.panamaverbs.api.ResourceException if the device refuses; it can be tried again
     */
    @Override
    void close();
}
