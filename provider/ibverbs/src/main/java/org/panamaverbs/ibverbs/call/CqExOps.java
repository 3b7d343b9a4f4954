package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.Set;
import org.panamaverbs.api.WcField;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.ibverbs.ibv_cq_ex;

/**
 * The data path of an extended completion queue: the function pointers in {@code struct ibv_cq_ex}. As in {@link Ops}
 * the caller keeps alive what addresses point to, and nothing is allocated.
 *
 * <p>Some drivers hold a lock from {@link #start} to {@link #end}. Calls may be critical all the same: the caller's
 * {@link Gate} keeps every other critical call on the queue out, so none waits for that lock while the collector waits
 * for it.
 */
public final class CqExOps {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option CRITICAL = Linker.Option.critical(false);
    private static final FunctionDescriptor LL = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor L = FunctionDescriptor.of(JAVA_INT, JAVA_LONG);
    private static final FunctionDescriptor L_VOID = FunctionDescriptor.ofVoid(JAVA_LONG);
    private static final FunctionDescriptor L_LONG = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);
    private static final MethodHandle START = LINKER.downcallHandle(LL);
    private static final MethodHandle START_CRITICAL = LINKER.downcallHandle(LL, CRITICAL);
    private static final MethodHandle INT = LINKER.downcallHandle(L);
    private static final MethodHandle INT_CRITICAL = LINKER.downcallHandle(L, CRITICAL);
    private static final MethodHandle VOID = LINKER.downcallHandle(L_VOID);
    private static final MethodHandle VOID_CRITICAL = LINKER.downcallHandle(L_VOID, CRITICAL);
    private static final FunctionDescriptor L_SHORT = FunctionDescriptor.of(JAVA_SHORT, JAVA_LONG);
    private static final FunctionDescriptor L_BYTE = FunctionDescriptor.of(JAVA_BYTE, JAVA_LONG);
    private static final MethodHandle SHORT = LINKER.downcallHandle(L_SHORT);
    private static final MethodHandle SHORT_CRITICAL = LINKER.downcallHandle(L_SHORT, CRITICAL);
    private static final MethodHandle BYTE = LINKER.downcallHandle(L_BYTE);
    private static final MethodHandle BYTE_CRITICAL = LINKER.downcallHandle(L_BYTE, CRITICAL);
    private static final MethodHandle LONG = LINKER.downcallHandle(L_LONG);
    private static final MethodHandle LONG_CRITICAL = LINKER.downcallHandle(L_LONG, CRITICAL);

    private final long address;
    private final boolean critical;
    private final MemorySegment start;
    private final MemorySegment next;
    private final MemorySegment end;
    private final MemorySegment opcode;
    private final MemorySegment vendorError;
    private final MemorySegment byteCount;
    private final MemorySegment immediate;
    private final MemorySegment qpNumber;
    private final MemorySegment sourceQp;
    private final MemorySegment flags;
    private final MemorySegment sourceLid;
    private final MemorySegment serviceLevel;
    private final MemorySegment dlidPathBits;
    private final MemorySegment timestamp;
    private final MemorySegment wallclock;
    private final MemorySegment cvlan;
    private final MemorySegment flowTag;

    private CqExOps(MemorySegment queue, boolean critical) {
        address = queue.address();
        this.critical = critical;
        start = ibv_cq_ex.start_poll(queue);
        next = ibv_cq_ex.next_poll(queue);
        end = ibv_cq_ex.end_poll(queue);
        opcode = ibv_cq_ex.read_opcode(queue);
        vendorError = ibv_cq_ex.read_vendor_err(queue);
        byteCount = ibv_cq_ex.read_byte_len(queue);
        immediate = ibv_cq_ex.read_imm_data(queue);
        qpNumber = ibv_cq_ex.read_qp_num(queue);
        sourceQp = ibv_cq_ex.read_src_qp(queue);
        flags = ibv_cq_ex.read_wc_flags(queue);
        sourceLid = ibv_cq_ex.read_slid(queue);
        serviceLevel = ibv_cq_ex.read_sl(queue);
        dlidPathBits = ibv_cq_ex.read_dlid_path_bits(queue);
        timestamp = ibv_cq_ex.read_completion_ts(queue);
        wallclock = ibv_cq_ex.read_completion_wallclock_ns(queue);
        cvlan = ibv_cq_ex.read_cvlan(queue);
        flowTag = ibv_cq_ex.read_flow_tag(queue);
    }

    /**
     * Returns the operations of {@code queue}, a {@code struct ibv_cq_ex}. What reads a field that the queue was not
     * made with must not be called.
     */
    public static CqExOps of(MemorySegment queue, boolean critical) {
        return new CqExOps(queue.reinterpret(ibv_cq_ex.sizeof()), critical);
    }

    /** Returns one of {@code fields} that {@code queue}, a {@code struct ibv_cq_ex}, was not made with, if any. */
    public static Optional<String> missing(MemorySegment queue, Set<WcField> fields) {
        CqExOps ops = of(queue, false);
        if (ops.start.address() == 0 || ops.qpNumber.address() == 0) {
            return Optional.of("ibv_start_poll or IBV_WC_EX_WITH_QP_NUM");
        }
        return fields.stream()
                .filter(field -> ops.reader(field).address() == 0)
                .findFirst()
                .map(WcField::name);
    }

    private MemorySegment reader(WcField field) {
        return switch (field) {
            case BYTE_COUNT -> byteCount;
            case IMMEDIATE -> immediate;
            case SOURCE_QP -> sourceQp;
            case SOURCE_LID -> sourceLid;
            case SERVICE_LEVEL -> serviceLevel;
            case DLID_PATH_BITS -> dlidPathBits;
            case TIMESTAMP -> timestamp;
            case WALLCLOCK -> wallclock;
            case CVLAN -> cvlan;
            case FLOW_TAG -> flowTag;
        };
    }

    /** Returns where the queue is. */
    public long address() {
        return address;
    }

    /** {@code ibv_start_poll(3)}: 0 or an error number, ENOENT if there is no completion; only 0 needs {@link #end}. */
    public int start(long attributes) {
        try {
            return critical
                    ? (int) START_CRITICAL.invokeExact(start, address, attributes)
                    : (int) START.invokeExact(start, address, attributes);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code ibv_next_poll(3)}: 0 or an error number, ENOENT if there is no other completion. */
    public int next() {
        return readInt(next);
    }

    /** {@code ibv_end_poll(3)}. */
    public void end() {
        try {
            if (critical) {
                VOID_CRITICAL.invokeExact(end, address);
            } else {
                VOID.invokeExact(end, address);
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code ibv_wc_read_opcode(3)}. */
    public int opcode() {
        return readInt(opcode);
    }

    /** {@code ibv_wc_read_vendor_err(3)}. */
    public int vendorError() {
        return readInt(vendorError);
    }

    /** {@code ibv_wc_read_byte_len(3)}. */
    public int byteCount() {
        return readInt(byteCount);
    }

    /** {@code ibv_wc_read_imm_data(3)} and {@code ibv_wc_read_invalidated_rkey(3)}, in the order of {@code ibv_wc}. */
    public int immediate() {
        return readInt(immediate);
    }

    /** {@code ibv_wc_read_qp_num(3)}. */
    public int qpNumber() {
        return readInt(qpNumber);
    }

    /** {@code ibv_wc_read_src_qp(3)}. */
    public int sourceQp() {
        return readInt(sourceQp);
    }

    /** {@code ibv_wc_read_wc_flags(3)}. */
    public int flags() {
        return readInt(flags);
    }

    /** {@code ibv_wc_read_completion_ts(3)}. */
    public long timestamp() {
        return readLong(timestamp);
    }

    /** {@code ibv_wc_read_completion_wallclock_ns(3)}. */
    public long wallclock() {
        return readLong(wallclock);
    }

    /** {@code ibv_wc_read_slid(3)}. */
    public int sourceLid() {
        return readInt(sourceLid);
    }

    /** {@code ibv_wc_read_sl(3)}. */
    public int serviceLevel() {
        return readByte(serviceLevel);
    }

    /** {@code ibv_wc_read_dlid_path_bits(3)}. */
    public int dlidPathBits() {
        return readByte(dlidPathBits);
    }

    /** {@code ibv_wc_read_cvlan(3)}. */
    public int cvlan() {
        try {
            return Short.toUnsignedInt(
                    critical
                            ? (short) SHORT_CRITICAL.invokeExact(cvlan, address)
                            : (short) SHORT.invokeExact(cvlan, address));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** {@code ibv_wc_read_flow_tag(3)}. */
    public int flowTag() {
        return readInt(flowTag);
    }

    private int readByte(MemorySegment function) {
        try {
            return Byte.toUnsignedInt(
                    critical
                            ? (byte) BYTE_CRITICAL.invokeExact(function, address)
                            : (byte) BYTE.invokeExact(function, address));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private int readInt(MemorySegment function) {
        try {
            return critical
                    ? (int) INT_CRITICAL.invokeExact(function, address)
                    : (int) INT.invokeExact(function, address);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private long readLong(MemorySegment function) {
        try {
            return critical
                    ? (long) LONG_CRITICAL.invokeExact(function, address)
                    : (long) LONG.invokeExact(function, address);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
