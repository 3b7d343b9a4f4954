package org.panamaverbs.ibverbs.post;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.bindings.ibverbs.ibv_qp_ex;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.RawMemory;

/**
 * Posts chains of datagrams by {@code ibv_wr_start(3)} and its kind, where a vendor's function sets the destination: a
 * DC initiator of mlx5 takes no {@code ibv_post_send(3)}. A chain is posted as a whole or not at all.
 *
 * <p>The caller holds the gate of the send queue. Drivers hold a lock of theirs from the first call of a post to its
 * last, so that none of the calls is critical. Nothing is allocated.
 */
public final class DestinedPosts {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle VOID = LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle INT = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    private static final MethodHandle IMMEDIATE = LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle LIST =
            LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle DESTINATION =
            LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));

    private final long address;
    private final MemorySegment start;
    private final MemorySegment send;
    private final MemorySegment sendImmediate;
    private final MemorySegment setPieces;
    private final MemorySegment setInline;
    private final MemorySegment complete;
    private final MemorySegment abort;
    private final MemorySegment setDestination;
    private final long destinationOf;
    // Whether the driver holds its lock for a post of ours; with the gate.
    private boolean started;

    private DestinedPosts(MemorySegment queuePair, long setDestination, long destinationOf) {
        address = queuePair.address();
        start = ibv_qp_ex.wr_start(queuePair);
        send = ibv_qp_ex.wr_send(queuePair);
        sendImmediate = ibv_qp_ex.wr_send_imm(queuePair);
        setPieces = ibv_qp_ex.wr_set_sge_list(queuePair);
        setInline = ibv_qp_ex.wr_set_inline_data(queuePair);
        complete = ibv_qp_ex.wr_complete(queuePair);
        abort = ibv_qp_ex.wr_abort(queuePair);
        this.setDestination = MemorySegment.ofAddress(setDestination);
        this.destinationOf = destinationOf;
    }

    /**
     * Returns what posts to {@code queuePair}, a {@code struct ibv_qp}.
     *
     * @param setDestination the vendor's function
     * @param destinationOf its first argument
     * @throws IllegalArgumentException if the queue pair was created without such posts
     */
    public static DestinedPosts of(MemorySegment queuePair, long setDestination, long destinationOf) {
        MemorySegment extended = IbvCalls.QP_TO_QP_EX.pointer("a queue pair that is adopted", queuePair);
        DestinedPosts made = new DestinedPosts(extended.reinterpret(ibv_qp_ex.sizeof()), setDestination, destinationOf);
        if (made.send.address() == 0 || made.sendImmediate.address() == 0) {
            throw new IllegalArgumentException("adopt queue pair with destinations: it was created without sends;"
                    + " remedy: ask the vendor's call for IBV_QP_EX_WITH_SEND and IBV_QP_EX_WITH_SEND_WITH_IMM");
        }
        return made;
    }

    /**
     * Posts the chain of {@code struct ibv_send_wr} that begins at {@code first}.
     *
     * @param badWr set to {@code first} if the driver refuses
     * @return 0 or an error number
     */
    int post(long first, long badWr) {
        try {
            VOID.invokeExact(start, address);
            started = true;
            for (long wr = first; wr != 0; wr = RawMemory.getLong(wr + SendSlots.NEXT)) {
                add(wr);
            }
            int errno = (int) INT.invokeExact(complete, address);
            started = false;
            if (errno != 0) {
                RawMemory.putLong(badWr, first);
            }
            return errno;
        } catch (Throwable e) {
            throw aborted(e);
        }
    }

    private void add(long wr) throws Throwable {
        int flags = RawMemory.getInt(wr + SendSlots.SEND_FLAGS);
        long pieces = RawMemory.getLong(wr + SendSlots.SG_LIST);
        int count = RawMemory.getInt(wr + SendSlots.NUM_SGE);
        RawMemory.putLong(address + ibv_qp_ex.wr_id$offset(), RawMemory.getLong(wr + SendSlots.WR_ID));
        RawMemory.putInt(address + ibv_qp_ex.wr_flags$offset(), flags & ~SendFlag.INLINE);
        if (RawMemory.getInt(wr + SendSlots.OPCODE) == SendRequests.IBV_WR_SEND_WITH_IMM) {
            IMMEDIATE.invokeExact(sendImmediate, address, RawMemory.getInt(wr + SendSlots.IMM_DATA));
        } else {
            VOID.invokeExact(send, address);
        }
        DESTINATION.invokeExact(
                setDestination,
                destinationOf,
                RawMemory.getLong(wr + SendSlots.AH),
                RawMemory.getInt(wr + SendSlots.REMOTE_QPN),
                Integer.toUnsignedLong(RawMemory.getInt(wr + SendSlots.REMOTE_QKEY)));
        if ((flags & SendFlag.INLINE) != 0 && count == 1) { // inline data are one piece
            long length = Integer.toUnsignedLong(RawMemory.getInt(pieces + SendSlots.SGE_LENGTH));
            LIST.invokeExact(setInline, address, RawMemory.getLong(pieces + SendSlots.SGE_ADDR), length);
        } else {
            LIST.invokeExact(setPieces, address, (long) count, pieces);
        }
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
