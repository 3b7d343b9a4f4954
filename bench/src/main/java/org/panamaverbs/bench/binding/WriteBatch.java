package org.panamaverbs.bench.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_qp;
import org.panamaverbs.bindings.ibverbs.ibv_qp_ex;
import org.panamaverbs.bindings.ibverbs.ibv_send_wr;
import org.panamaverbs.bindings.ibverbs.ibv_sge;
import org.panamaverbs.ibverbs.call.Ops;
import org.panamaverbs.ibverbs.call.RawMemory;

/**
 * A batch of RDMA Writes of one piece each, the last of them signaled, posted in two ways: as a chain, written into
 * memory and handed over by one call of {@code ibv_post_send}, and by the calls of {@code ibv_wr_*}, of which a request
 * takes two and the batch two more.
 *
 * <p>Those that only write are critical calls for every driver, the best that they can be. What rings the doorbell is
 * one if {@code critical} says so: some drivers call the kernel there.
 */
final class WriteBatch {
    /** How many bytes each of them writes. */
    static final int LENGTH = 64;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option CRITICAL = Linker.Option.critical(false);
    private static final FunctionDescriptor RING = FunctionDescriptor.of(JAVA_INT, JAVA_LONG);
    private static final MethodHandle START = LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG), CRITICAL);
    private static final MethodHandle WRITE =
            LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG), CRITICAL);
    private static final MethodHandle SET_SGE =
            LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT), CRITICAL);
    private static final MethodHandle COMPLETE = LINKER.downcallHandle(RING);
    private static final MethodHandle COMPLETE_CRITICAL = LINKER.downcallHandle(RING, CRITICAL);

    private static final long WR_BYTES = ibv_send_wr.sizeof();
    private static final long REMOTE_ADDR = rdma("remote_addr");
    private static final long RKEY = rdma("rkey");

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment requests;
    private final MemorySegment pieces;
    private final MemorySegment badWr = arena.allocate(8, 8);
    private final Ops ops;
    private final boolean critical;
    private final int count;
    private final long qp;
    private final MemorySegment start;
    private final MemorySegment write;
    private final MemorySegment setSge;
    private final MemorySegment complete;

    /** Prepares batches of {@code count} for {@code qp}, a {@code struct ibv_qp_ex} that has {@code wr_rdma_write}. */
    WriteBatch(MemorySegment qp, int count, boolean critical) {
        MemorySegment made = qp.reinterpret(ibv_qp_ex.sizeof());
        requests = ibv_send_wr.allocateArray(count, arena);
        pieces = ibv_sge.allocateArray(count, arena);
        for (int i = 0; i < count; i++) {
            ibv_send_wr.sg_list(ibv_send_wr.asSlice(requests, i), ibv_sge.asSlice(pieces, i));
        }
        this.qp = made.address();
        this.count = count;
        this.critical = critical;
        ops = Ops.of(ibv_qp.context(ibv_qp_ex.qp_base(made)), critical);
        start = ibv_qp_ex.wr_start(made);
        write = ibv_qp_ex.wr_rdma_write(made);
        setSge = ibv_qp_ex.wr_set_sge(made);
        complete = ibv_qp_ex.wr_complete(made);
    }

    private static long rdma(String field) {
        return ibv_send_wr
                .layout()
                .byteOffset(
                        PathElement.groupElement("wr"),
                        PathElement.groupElement("rdma"),
                        PathElement.groupElement(field));
    }

    long requests() {
        return requests.address();
    }

    /** Posts a chain; returns 0 or an error number. */
    int chain(long address, int lkey, long remoteAddress, int rkey) {
        long at = requests.address();
        long piece = pieces.address();
        int left = count;
        for (int i = 0; i < count; i++) {
            left--;
            RawMemory.putLong(at + ibv_send_wr.wr_id$offset(), i);
            RawMemory.putLong(at + ibv_send_wr.next$offset(), left == 0 ? 0 : at + WR_BYTES);
            RawMemory.putLong(at + ibv_send_wr.sg_list$offset(), piece);
            RawMemory.putInt(at + ibv_send_wr.num_sge$offset(), 1);
            RawMemory.putInt(at + ibv_send_wr.opcode$offset(), Ibverbs.IBV_WR_RDMA_WRITE());
            RawMemory.putInt(at + ibv_send_wr.send_flags$offset(), left == 0 ? SendFlag.SIGNALED : 0);
            RawMemory.putLong(at + REMOTE_ADDR, remoteAddress);
            RawMemory.putInt(at + RKEY, rkey);
            RawMemory.putLong(piece + ibv_sge.addr$offset(), address);
            RawMemory.putInt(piece + ibv_sge.length$offset(), LENGTH);
            RawMemory.putInt(piece + ibv_sge.lkey$offset(), lkey);
            at += WR_BYTES;
            piece += ibv_sge.sizeof();
        }
        return ops.postSend(qp, requests.address(), badWr.address());
    }

    /** Posts the same by {@code ibv_wr_*}; returns 0 or an error number. */
    int calls(long address, int lkey, long remoteAddress, int rkey) {
        try {
            START.invokeExact(start, qp);
            int left = count;
            for (int i = 0; i < count; i++) {
                left--;
                RawMemory.putLong(qp + ibv_qp_ex.wr_id$offset(), i);
                RawMemory.putInt(qp + ibv_qp_ex.wr_flags$offset(), left == 0 ? SendFlag.SIGNALED : 0);
                WRITE.invokeExact(write, qp, rkey, remoteAddress);
                SET_SGE.invokeExact(setSge, qp, lkey, address, LENGTH);
            }
            return critical
                    ? (int) COMPLETE_CRITICAL.invokeExact(complete, qp)
                    : (int) COMPLETE.invokeExact(complete, qp);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }
}
