package org.panamaverbs.api;

/**
 * The clock of a device, in whose ticks completions say when they were ({@link WorkCompletion#timestamp()}). It has
 * nothing to close, and can be asked as long as the device is open. Any thread.
 */
public interface DeviceClock {
    /** Returns how fast it goes, {@code hca_core_clock}. */
    ClockRate rate();

    /**
     * Returns the bits of {@link #read} and of timestamps that count, {@code completion_timestamp_mask}: the lowest
     * ones. After the highest number follows 0.
     */
    long mask();

    /**
     * Returns what time it is there, in ticks ({@code ibv_query_rt_values_ex(3)}, {@code raw_clock}). Not for the data
     * path: it allocates, and may be a system call.
     *
     * @throws IllegalStateException if the device is closed
     * @throws ResourceException if the clock cannot be read
     */
    long read();
}
