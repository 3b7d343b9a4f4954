package org.panamaverbs.ibverbs.facts;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.ibverbs.ibv_context;
import org.panamaverbs.bindings.ibverbs.ibv_device;
import org.panamaverbs.bindings.ibverbs.ibv_gid_entry;
import org.panamaverbs.bindings.ibverbs.ibv_port_attr;
import org.panamaverbs.ibverbs.call.Call;
import org.panamaverbs.ibverbs.call.Extended;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;

/** Asks an open device for one of its ports; each call asks anew. */
public final class PortQuery {
    private static final System.Logger LOGGER = System.getLogger(PortQuery.class.getName());

    // infiniband/verbs.h: ibv_query_gid_table(3) is inline over it. Its ssize_t fits an int.
    private static final Call QUERY_GID_TABLE = Call.of(
            NativeLibrary.IBVERBS,
            "_ibv_query_gid_table",
            () -> FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG));
    // infiniband/verbs.h: __be16 *pkey
    private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    // Of all ports; an attribute of the kernel's interface has at most 65535 bytes, an entry 32.
    private static final int MAX_GIDS = 2047;
    private static final int ENODATA = 61; // asm-generic/errno.h: the slot is empty

    private final MemorySegment context;
    private final String device;
    /** Whether it speaks iWARP: libraries and kernel files call the type of its GID that of RoCE v1. */
    private final boolean iwarp;

    private final int number;
    private final Sysfs sysfs;

    private PortQuery(MemorySegment context, MemorySegment device, int number, Sysfs sysfs) {
        this.context = context;
        this.device = ibv_device.name(device).getString(0);
        this.iwarp = ibv_device.transport_type(device) == DeviceFacts.IBV_TRANSPORT_IWARP;
        this.number = number;
        this.sysfs = sysfs;
    }

    /** Returns what asks for port {@code number} of the device that {@code context} opened. */
    public static PortQuery of(MemorySegment context, int number, Sysfs sysfs) {
        MemorySegment inner = context.reinterpret(ibv_context.sizeof());
        MemorySegment device = ibv_context.device(inner).reinterpret(ibv_device.sizeof());
        return new PortQuery(inner, device, number, sysfs);
    }

    /**
     * Returns all but its partition keys.
     *
     * @throws org.panamaverbs.api.ResourceException if a query fails
     */
    public PortFacts facts() {
        MemorySegment attributes = struct();
        List<GidEntry> gids = gids(ibv_port_attr.gid_tbl_len(attributes));
        return new PortFacts(number, attributes, gids, sysfs.addresses(device, number, gids));
    }

    /**
     * Returns its attributes.
     *
     * @throws org.panamaverbs.api.ResourceException if the query fails
     */
    public PortAttributes attributes() {
        return PortFacts.typed(struct());
    }

    /**
     * Returns the IP addresses that peers reach it by.
     *
     * @throws org.panamaverbs.api.ResourceException if a query fails
     */
    public List<InetAddress> addresses() {
        PortFacts facts = facts();
        if (facts.typed().linkLayer() == LinkLayer.INFINIBAND) {
            return List.of();
        }
        List<InetAddress> roce = facts.gids().stream()
                .filter(entry -> entry.type() == GidEntry.Type.ROCE_V1 || entry.type() == GidEntry.Type.ROCE_V2)
                .map(entry -> entry.gid().toAddress())
                .distinct()
                .toList();
        return roce.isEmpty() ? facts.interfaceAddresses() : roce;
    }

    /**
     * Returns the entries of its GID table, without those that cannot be read: a library that has no table from the
     * kernel cannot read those whose network interface is in another network namespace.
     *
     * @throws org.panamaverbs.api.ResourceException if the port cannot be asked
     * @throws UnsupportedOperationException if it has none
     */
    public List<GidEntry> gids() {
        return gids(table("gids", "GIDs", attributes().gidTableLength()));
    }

    /**
     * Returns an entry of its GID table, empty if the slot is.
     *
     * @throws IllegalArgumentException if the table has no such slot
     * @throws org.panamaverbs.api.ResourceException if a query fails
     * @throws UnsupportedOperationException if it has no table
     */
    public Optional<GidEntry> gid(int index) {
        requireSlot("gid", "GIDs", index, attributes().gidTableLength());
        return slot(index);
    }

    /**
     * Returns its partition keys, by index.
     *
     * @throws org.panamaverbs.api.ResourceException if a query fails
     * @throws UnsupportedOperationException if it has none
     */
    public int[] pkeys() {
        int length = table("pkeys", "partition keys", attributes().pkeyTableLength());
        return IntStream.range(0, length).map(this::key).toArray();
    }

    /**
     * Returns a partition key, 0 if the slot is empty.
     *
     * @throws IllegalArgumentException if the table has no such slot
     * @throws org.panamaverbs.api.ResourceException if a query fails
     * @throws UnsupportedOperationException if it has no table
     */
    public int pkey(int index) {
        requireSlot("pkey", "partition keys", index, attributes().pkeyTableLength());
        return key(index);
    }

    private MemorySegment struct() {
        MemorySegment attributes = Arena.ofAuto().allocate(PortFacts.ATTRIBUTE_BYTES, Long.BYTES);
        // The exported function fills only the first part of the struct, hence a zeroed one.
        int errno = Extended.queryPort(context)
                .map(query -> query.status(context, (byte) number, attributes, attributes.byteSize()))
                .orElseGet(() -> IbvCalls.QUERY_PORT.status(context, (byte) number, attributes));
        if (errno != 0) {
            throw Failure.of("ibv_query_port", toString(), errno);
        }
        return attributes;
    }

    private List<GidEntry> gids(int tableLength) {
        if (QUERY_GID_TABLE.isPresent()) {
            // One call for all ports; a table is large and hardly filled.
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment entries = ibv_gid_entry.allocateArray(MAX_GIDS, arena);
                int count = QUERY_GID_TABLE.number(context, entries, (long) MAX_GIDS, 0, ibv_gid_entry.sizeof());
                if (count > 0) {
                    return IntStream.range(0, count)
                            .mapToObj(i -> ibv_gid_entry.asSlice(entries, i))
                            .filter(entry -> ibv_gid_entry.port_num(entry) == number)
                            .map(this::entry)
                            .sorted(Comparator.comparingInt(GidEntry::index))
                            .toList();
                }
            }
        }
        return IntStream.range(0, tableLength)
                .mapToObj(this::readableSlot)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns an entry for a list; empty also if it cannot be read, which must not keep a device from opening. */
    private Optional<GidEntry> readableSlot(int index) {
        try {
            return slot(index);
        } catch (ResourceException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "a GID that cannot be read is left out of the list", e);
            return Optional.empty();
        }
    }

    private Optional<GidEntry> slot(int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = ibv_gid_entry.allocate(arena);
            int errno = Errno.EOPNOTSUPP;
            if (IbvCalls.QUERY_GID_EX.isPresent()) {
                errno = IbvCalls.QUERY_GID_EX.status(context, number, index, entry, 0, ibv_gid_entry.sizeof());
            }
            if (errno == Errno.EOPNOTSUPP || errno == Errno.ENOSYS) {
                return slotWithoutType(index, entry);
            }
            if (isEmpty(errno)) {
                return Optional.empty();
            }
            if (errno != 0) {
                throw Failure.of("ibv_query_gid_ex", slotName("GID", index), errno);
            }
            return Optional.of(entry(entry)).filter(found -> !found.gid().isZero());
        }
    }

    /** Asks an older library, which has the GID alone: the kernel has the rest in files. */
    private Optional<GidEntry> slotWithoutType(int index, MemorySegment into) {
        MemorySegment gid = ibv_gid_entry.gid(into);
        int errno = IbvCalls.QUERY_GID.status(context, (byte) number, index, gid);
        if (isEmpty(errno)) {
            return Optional.empty();
        }
        if (errno != 0) {
            throw Failure.of("ibv_query_gid", slotName("GID", index), errno);
        }
        Gid found = gid(gid);
        return found.isZero()
                ? Optional.empty()
                : Optional.of(new GidEntry(
                        index,
                        found,
                        iwarp ? GidEntry.Type.IB : sysfs.gidType(device, number, index),
                        sysfs.networkDevice(device, number, index, 0)));
    }

    /** Tells whether a slot of the table is empty that was answered with {@code errno}; some kernels say EINVAL. */
    private static boolean isEmpty(int errno) {
        return errno == ENODATA || errno == Errno.EINVAL;
    }

    private GidEntry entry(MemorySegment entry) {
        int index = ibv_gid_entry.gid_index(entry);
        return new GidEntry(
                index,
                gid(ibv_gid_entry.gid(entry)),
                iwarp ? GidEntry.Type.IB : PortCodes.gidType(ibv_gid_entry.gid_type(entry)),
                sysfs.networkDevice(device, number, index, ibv_gid_entry.ndev_ifindex(entry)));
    }

    private static Gid gid(MemorySegment raw) {
        return Gid.of(raw.asSlice(0, Gid.BYTES).toArray(JAVA_BYTE));
    }

    private int key(int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocate(NETWORK_SHORT);
            IbvCalls.QUERY_PKEY.check(slotName("partition key", index), context, (byte) number, index, key);
            return Short.toUnsignedInt(key.get(NETWORK_SHORT, 0));
        }
    }

    private int table(String operation, String what, int length) {
        if (length == 0) {
            throw new UnsupportedOperationException(operation + ": " + this + " has no table of " + what);
        }
        return length;
    }

    private void requireSlot(String operation, String what, int index, int length) {
        if (index < 0 || index >= table(operation, what, length)) {
            throw new IllegalArgumentException(operation + ": the table of " + what + " of " + this
                    + " has indices 0 to " + (length - 1) + ", got " + index);
        }
    }

    private String slotName(String what, int index) {
        return what + " " + index + " of " + this;
    }

    @Override
    public String toString() {
        return "port " + number + " of device " + device;
    }
}
