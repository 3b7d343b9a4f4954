package org.panamaverbs.ibverbs.context;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.ClockRate;
import org.panamaverbs.api.device.DeviceClock;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr_ex;
import org.panamaverbs.ibverbs.extensions.RawClock;
import org.panamaverbs.ibverbs.facts.DeviceQuery;
import org.panamaverbs.ibverbs.facts.Sysfs;

/** The clock of an open device. */
public final class IbvDeviceClock implements DeviceClock {
    private final IbvContext context;
    private final ClockRate rate;
    private final long mask;
    private final RawClock raw;

    private IbvDeviceClock(IbvContext context, ClockRate rate, long mask) {
        this.context = context;
        this.rate = rate;
        this.mask = mask;
        raw = RawClock.of(context.handle());
    }

    /** Returns the clock of {@code context}. */
    public static IbvDeviceClock of(IbvContext context) {
        context.limits().require(Feature.RAW_CLOCK);
        MemorySegment attributes =
                context.query(handle -> DeviceQuery.of(handle, Sysfs.system()).attributes());
        return new IbvDeviceClock(
                context,
                new ClockRate(ibv_device_attr_ex.hca_core_clock(attributes)),
                ibv_device_attr_ex.completion_timestamp_mask(attributes));
    }

    @Override
    public ClockRate rate() {
        return rate;
    }

    @Override
    public long mask() {
        return mask;
    }

    @Override
    public long read() {
        return context.query(handle -> raw.read(handle)) & mask;
    }
}
