package org.panamaverbs.api.device;

import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.WorkCompletion;

/**
 * The clock of a device, whose ticks are the unit of {@link WorkCompletion#timestamp()}. It needs no closing, and is
 * usable while the device is open. Any thread may call any method.
 */
public interface DeviceClock {
    /** Returns the nominal rate, {@code hca_core_clock}. */
    ClockRate rate();

    /**
     * Returns the valid bits, the low ones, of {@link #read} and of timestamps: {@code completion_timestamp_mask}. The
     * clock wraps to 0 after the greatest value.
     */
    long mask();

    /**
     * Returns the current time of the device in ticks: {@code ibv_query_rt_values_ex(3)}, {@code raw_clock}. Not for
     * the data path: it allocates, and may be a system call.
     *
     * @throws IllegalStateException if the device is closed
     * @throws ResourceException if the clock cannot be read
     */
    long read();
}
