package org.panamaverbs.ibverbs.extensions;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.bindings.ibverbs.ibv_values_ex;
import org.panamaverbs.bindings.ibverbs.timespec;
import org.panamaverbs.ibverbs.call.Call;

/** Reads the clock of a device, {@code ibv_query_rt_values_ex(3)}. Any thread. */
public final class RawClock {
    private static final int RAW_CLOCK = 1; // infiniband/verbs.h: IBV_VALUES_MASK_RAW_CLOCK
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Call call;

    private RawClock(Call call) {
        this.call = call;
    }

    /**
     * Looks the function of {@code context} up.
     *
     * @throws org.panamaverbs.api.ResourceException with EOPNOTSUPP if the library has none
     */
    public static RawClock of(MemorySegment context) {
        return new RawClock(ContextCalls.queryRtValues(context));
    }

    /**
     * Returns the ticks of now.
     *
     * @throws org.panamaverbs.api.ResourceException if the device cannot be asked
     */
    public long read(MemorySegment context) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment values = ibv_values_ex.allocate(scratch);
            ibv_values_ex.comp_mask(values, RAW_CLOCK);
            call.check("the clock of a device", context, values);
            // A timespec of ticks: drivers leave the seconds 0 and may have more than 10^9 in the rest.
            MemorySegment ticks = ibv_values_ex.raw_clock(values);
            return timespec.tv_sec(ticks) * SECOND + timespec.tv_nsec(ticks);
        }
    }
}
