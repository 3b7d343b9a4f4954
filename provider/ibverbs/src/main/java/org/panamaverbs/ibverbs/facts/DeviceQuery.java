package org.panamaverbs.ibverbs.facts;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_device;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr_ex;
import org.panamaverbs.bindings.ibverbs.ibv_gid_entry;
import org.panamaverbs.bindings.ibverbs.ibv_port_attr;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.Extended;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;

/** Asks an open device for what it is. */
public final class DeviceQuery {
    // infiniband/verbs.h: ibv_query_gid_table(3) is inline over it. Its ssize_t fits an int.
    private static final Call QUERY_GID_TABLE = Call.of(
            NativeLibrary.IBVERBS,
            "_ibv_query_gid_table",
            () -> FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG));
    private static final int GID_BYTES = 16;
    private static final ValueLayout.OfLong NETWORK_LONG = JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);
    // Of all ports; an attribute of the kernel's interface has at most 65535 octets, an entry 32.
    private static final int MAX_GIDS = 2047;

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
        return new DeviceQuery(inner, name, sysfs).facts(ibv_device.transport_type(device));
    }

    private DeviceFacts facts(int transportType) {
        MemorySegment attributes = attributes();
        List<PortFacts> ports = new ArrayList<>();
        int count = ibv_device_attr.phys_port_cnt(ibv_device_attr_ex.orig_attr(attributes)) & 0xff;
        for (int port = 1; port <= count; port++) {
            ports.add(port(port));
        }
        return new DeviceFacts(
                name,
                transportType,
                sysfs.kernelDriver(name),
                sysfs.boardId(name),
                attributes,
                ibv_context.num_comp_vectors(context),
                List.copyOf(ports));
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

    private PortFacts port(int number) {
        MemorySegment attributes = Arena.ofAuto().allocate(PortFacts.ATTRIBUTE_BYTES, Long.BYTES);
        // The exported function fills only the first part of the struct, hence a zeroed one.
        int errno = Extended.queryPort(context)
                .map(query -> query.status(context, (byte) number, attributes, attributes.byteSize()))
                .orElseGet(() -> IbvCalls.QUERY_PORT.status(context, (byte) number, attributes));
        if (errno != 0) {
            throw Failure.of("ibv_query_port", "port " + number + " of device " + name, errno);
        }
        List<GidEntry> gids = gids(number, ibv_port_attr.gid_tbl_len(attributes));
        return new PortFacts(number, attributes, gids, sysfs.addresses(name, number, gids));
    }

    private List<GidEntry> gids(int port, int tableLength) {
        if (QUERY_GID_TABLE.isPresent()) {
            // One call for all ports; a table is large and hardly filled.
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment entries = ibv_gid_entry.allocateArray(MAX_GIDS, arena);
                int count = QUERY_GID_TABLE.number(context, entries, (long) MAX_GIDS, 0, ibv_gid_entry.sizeof());
                if (count > 0) {
                    return IntStream.range(0, count)
                            .mapToObj(i -> ibv_gid_entry.asSlice(entries, i))
                            .filter(entry -> ibv_gid_entry.port_num(entry) == port)
                            .map(DeviceQuery::entry)
                            .toList();
                }
            }
        }
        return gidsOneByOne(port, tableLength);
    }

    private static GidEntry entry(MemorySegment entry) {
        return entry(ibv_gid_entry.gid(entry), ibv_gid_entry.gid_index(entry), ibv_gid_entry.gid_type(entry));
    }

    private static GidEntry entry(MemorySegment gid, int index, int type) {
        return new GidEntry(index, gid.get(NETWORK_LONG, 0), gid.get(NETWORK_LONG, Long.BYTES), type);
    }

    private List<GidEntry> gidsOneByOne(int port, int tableLength) {
        List<GidEntry> gids = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gid = arena.allocate(GID_BYTES, Long.BYTES);
            for (int index = 0; index < tableLength; index++) {
                if (IbvCalls.QUERY_GID.status(context, (byte) port, index, gid) == 0) {
                    GidEntry entry = entry(gid, index, sysfs.gidType(name, port, index));
                    if (!entry.isEmpty()) {
                        gids.add(entry);
                    }
                }
            }
        }
        return gids;
    }
}
