package org.panamaverbs.ibverbs.extensions;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import org.panamaverbs.api.QueuePairFlag;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_qp_ex;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr;
import org.panamaverbs.bindings.ibverbs.ibv_qp_init_attr_ex;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.RawMemory;

/**
 * What only queue pairs of {@code ibv_create_qp_ex(3)} can post, by function pointers in {@code struct ibv_qp_ex}, and
 * how such a queue pair is made. Chains of {@code ibv_post_send(3)} can be posted to them as well (ibv_wr_post(3)).
 *
 * <p>The caller holds the gate of the send queue. Drivers hold a lock of theirs from the first call of a post to its
 * last, in which this thread may be stopped for the collector: so none of the calls is critical, and the gate keeps
 * critical ones of other threads from waiting for that lock. Nothing is allocated.
 */
public final class QpExOps {
    // infiniband/verbs.h: enum ibv_qp_create_send_ops_flags
    private static final long WITH_FLUSH = 1 << 11;
    private static final long WITH_ATOMIC_WRITE = 1 << 12;

    // infiniband/verbs.h: IBV_QP_INIT_ATTR_CREATE_FLAGS
    private static final int INIT_ATTR_CREATE_FLAGS = 1 << 2;
    private static final long CREATE_FLAGS =
            ibv_qp_init_attr_ex.layout().byteOffset(PathElement.groupElement("create_flags"));

    // infiniband/verbs.h: the member of struct ibv_qp_ex behind those of rdma-core 44, from 45 on
    private static final long WR_FLUSH = ibv_qp_ex.sizeof();

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle VOID = LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle INT = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle ATOMIC_WRITE =
            LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FLUSH = LINKER.downcallHandle(
            FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_BYTE, JAVA_BYTE));

    private final long address;
    private final MemorySegment start;
    private final MemorySegment complete;
    private final MemorySegment abort;
    private final MemorySegment atomicWrite;
    private final MemorySegment flush;
    // Whether the driver holds its lock for a post of ours; with the gate.
    private boolean started;

    private QpExOps(MemorySegment queuePair, Set<Feature> sendOps) {
        address = queuePair.address();
        start = ibv_qp_ex.wr_start(queuePair);
        complete = ibv_qp_ex.wr_complete(queuePair);
        abort = ibv_qp_ex.wr_abort(queuePair);
        atomicWrite =
                sendOps.contains(Feature.ATOMIC_WRITE) ? ibv_qp_ex.wr_atomic_write(queuePair) : MemorySegment.NULL;
        flush = sendOps.contains(Feature.FLUSH) ? queuePair.get(ADDRESS, WR_FLUSH) : MemorySegment.NULL;
    }

    /**
     * Returns what posts to {@code queuePair}, a {@code struct ibv_qp} that {@link #create} has made for
     * {@code sendOps}.
     *
     * @throws org.panamaverbs.api.ResourceException if it is none
     */
    public static QpExOps of(MemorySegment queuePair, Set<Feature> sendOps) {
        MemorySegment extended = IbvCalls.QP_TO_QP_EX.pointer("a queue pair for " + sendOps, queuePair);
        return new QpExOps(extended.reinterpret(WR_FLUSH + ADDRESS.byteSize()), sendOps);
    }

    /**
     * Makes a queue pair by {@code ibv_create_qp_ex(3)}.
     *
     * @param context the device
     * @param domain a {@code struct ibv_pd}
     * @param init a {@code struct ibv_qp_init_attr}, whose capacities are set to what was granted
     * @param sendOps what it can post beyond chains
     * @param flags what else it is created with
     * @param what it is, for the message of a failure
     * @throws org.panamaverbs.api.ResourceException if that fails: with EOPNOTSUPP where the library, the driver or the
     *     kernel has no such operations or flags
     */
    public static MemorySegment create(
            MemorySegment context,
            MemorySegment domain,
            MemorySegment init,
            Set<Feature> sendOps,
            Set<QueuePairFlag> flags,
            String what) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment extended = ibv_qp_init_attr_ex.allocate(scratch);
            // It begins with the members of the other.
            MemorySegment.copy(init, 0, extended, 0, ibv_qp_init_attr_ex.comp_mask$offset());
            ibv_qp_init_attr_ex.comp_mask(
                    extended,
                    Ibverbs.IBV_QP_INIT_ATTR_PD()
                            | (sendOps.isEmpty() ? 0 : Ibverbs.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS())
                            | (flags.isEmpty() ? 0 : INIT_ATTR_CREATE_FLAGS));
            ibv_qp_init_attr_ex.pd(extended, domain);
            ibv_qp_init_attr_ex.send_ops_flags(extended, flags(sendOps));
            extended.set(
                    JAVA_INT,
                    CREATE_FLAGS,
                    flags.stream().mapToInt(QpExOps::bit).sum());
            MemorySegment made = ContextCalls.createQpEx(context).pointer(what, context, extended);
            long capacities = ibv_qp_init_attr.cap$offset();
            MemorySegment.copy(
                    extended,
                    capacities,
                    init,
                    capacities,
                    ibv_qp_init_attr.cap(init).byteSize());
            return made;
        }
    }

    private static long flags(Set<Feature> sendOps) {
        return (sendOps.contains(Feature.ATOMIC_WRITE) ? WITH_ATOMIC_WRITE : 0)
                | (sendOps.contains(Feature.FLUSH) ? WITH_FLUSH : 0);
    }

    private static int bit(QueuePairFlag flag) {
        // infiniband/verbs.h: enum ibv_qp_create_flags
        return switch (flag) {
            case BLOCK_SELF_MULTICAST -> 1 << 1;
            case SCATTER_FCS -> 1 << 8;
            case CVLAN_STRIPPING -> 1 << 9;
            case PCI_WRITE_END_PADDING -> 1 << 11;
        };
    }

    /** Tells whether atomic writes can be posted. */
    public boolean writesAtomically() {
        return atomicWrite.address() != 0;
    }

    /** Tells whether flushes can be posted. */
    public boolean flushes() {
        return flush.address() != 0;
    }

    /**
     * {@code ibv_wr_atomic_write(3)} of the 8 bytes at {@code value}, which the driver copies.
     *
     * @return 0 or an error number
     */
    public int atomicWrite(long wrId, int flags, int rkey, long remoteAddress, long value) {
        try {
            start(wrId, flags);
            ATOMIC_WRITE.invokeExact(atomicWrite, address, rkey, remoteAddress, value);
            return complete();
        } catch (Throwable e) {
            throw aborted(e);
        }
    }

    /**
     * {@code ibv_wr_flush(3)}.
     *
     * @param placement of {@code enum ibv_placement_type}
     * @param selectivity of {@code enum ibv_selectivity_level}
     * @return 0 or an error number
     */
    public int flush(
            long wrId, int flags, int rkey, long remoteAddress, long length, byte placement, byte selectivity) {
        try {
            start(wrId, flags);
            FLUSH.invokeExact(flush, address, rkey, remoteAddress, length, placement, selectivity);
            return complete();
        } catch (Throwable e) {
            throw aborted(e);
        }
    }

    private void start(long wrId, int flags) throws Throwable {
        VOID.invokeExact(start, address);
        started = true;
        RawMemory.putLong(address + ibv_qp_ex.wr_id$offset(), wrId);
        RawMemory.putInt(address + ibv_qp_ex.wr_flags$offset(), flags);
    }

    private int complete() throws Throwable {
        int errno = (int) INT.invokeExact(complete, address);
        started = false;
        return errno;
    }

    /** Gives the driver's lock back after {@code failure}, which the virtual machine's lack of memory alone can be. */
    private RuntimeException aborted(Throwable failure) throws Error {
        if (started) {
            started = false;
            try {
                VOID.invokeExact(abort, address);
            } catch (Throwable e) {
                failure.addSuppressed(e);
            }
        }
        return Downcalls.unexpected(failure);
    }
}
