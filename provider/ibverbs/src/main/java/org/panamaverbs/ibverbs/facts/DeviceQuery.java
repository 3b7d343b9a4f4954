package org.panamaverbs.ibverbs.facts;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.panamaverbs.api.device.DeviceInfo.Location;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_device;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr_ex;
import org.panamaverbs.ibverbs.call.Extended;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;

/** Asks an open device for what it is. */
public final class DeviceQuery {
    private final MemorySegment context;
    private final String name;
    private final Sysfs sysfs;

    private DeviceQuery(MemorySegment context, String name, Sysfs sysfs) {
        this.context = context;
        this.name = name;
        this.sysfs = sysfs;
    }

    /**
     * Returns what {@code context} says.
     *
     * @throws org.panamaverbs.api.ResourceException if a query fails
     */
    public static DeviceFacts of(MemorySegment context, Sysfs sysfs) {
        MemorySegment inner = context.reinterpret(ibv_context.sizeof());
        MemorySegment device = ibv_context.device(inner).reinterpret(ibv_device.sizeof());
        String name = ibv_device.name(device).getString(0);
        return new DeviceQuery(inner, name, sysfs).facts(device);
    }

    private DeviceFacts facts(MemorySegment device) {
        MemorySegment attributes = attributes();
        List<PortFacts> ports = new ArrayList<>();
        int count = ibv_device_attr.phys_port_cnt(ibv_device_attr_ex.orig_attr(attributes)) & 0xff;
        for (int port = 1; port <= count; port++) {
            ports.add(PortQuery.of(context, port, sysfs).facts());
        }
        return new DeviceFacts(
                name,
                ibv_device.transport_type(device),
                sysfs.kernelDriver(name),
                sysfs.boardId(name),
                attributes,
                ibv_context.num_comp_vectors(context),
                List.copyOf(ports),
                new Location(index(device), sysfs.numaNode(name), sysfs.pciAddress(name)));
    }

    private static OptionalInt index(MemorySegment device) {
        if (!IbvCalls.GET_DEVICE_INDEX.isPresent()) {
            return OptionalInt.empty();
        }
        int index = IbvCalls.GET_DEVICE_INDEX.number(device);
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
    }

    private MemorySegment attributes() {
        MemorySegment attributes = ibv_device_attr_ex.allocate(Arena.ofAuto());
        int errno = Extended.queryDevice(context)
                .map(query -> query.status(context, MemorySegment.NULL, attributes, attributes.byteSize()))
                .orElse(Errno.EOPNOTSUPP);
        if (errno == Errno.EOPNOTSUPP || errno == Errno.ENOSYS) {
            attributes.fill((byte) 0);
            errno = IbvCalls.QUERY_DEVICE.status(context, ibv_device_attr_ex.orig_attr(attributes));
        }
        if (errno != 0) {
            throw Failure.of("ibv_query_device_ex", "device " + name, errno);
        }
        return attributes;
    }
}
