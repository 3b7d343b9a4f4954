package org.panamaverbs.ibverbs.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.panamaverbs.bindings.ibverbs.ibv_device;
import org.panamaverbs.ibverbs.call.IbvCalls;

/** The devices of libibverbs; they exist until the list is closed, and those that are open beyond it. */
final class DeviceList implements AutoCloseable {
    private final MemorySegment list;
    private final Map<String, MemorySegment> devices;

    private DeviceList(MemorySegment list, Map<String, MemorySegment> devices) {
        this.list = list;
        this.devices = devices;
    }

    /**
     * Returns the devices that there are now.
     *
     * @throws org.panamaverbs.api.ResourceException if they cannot be listed
     * @throws UnsupportedOperationException if the library is absent
     */
    static DeviceList get() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            MemorySegment list = IbvCalls.GET_DEVICE_LIST.pointer("the RDMA devices", count);
            int length = count.get(JAVA_INT, 0);
            MemorySegment pointers = list.reinterpret(ADDRESS.byteSize() * length);
            Map<String, MemorySegment> devices = new LinkedHashMap<>();
            for (int i = 0; i < length; i++) {
                MemorySegment device = pointers.getAtIndex(ADDRESS, i).reinterpret(ibv_device.sizeof());
                devices.put(ibv_device.name(device).getString(0), device);
            }
            return new DeviceList(list, devices);
        }
    }

    /** Returns their names in the library's order. */
    List<String> names() {
        return List.copyOf(devices.keySet());
    }

    /** Returns {@code struct ibv_device} of the device {@code name}, which exists. */
    MemorySegment device(String name) {
        MemorySegment device = devices.get(name);
        if (device == null) {
            throw new IllegalArgumentException("no device '" + name + "', expected one of " + devices.keySet());
        }
        return device;
    }

    @Override
    public void close() {
        IbvCalls.FREE_DEVICE_LIST.run(list);
    }
}
