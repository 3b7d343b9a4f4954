package org.panamaverbs.ibverbs.post;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SgList;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_recv_wr;
import org.panamaverbs.bindings.ibverbs.ibv_sge;

/** One native {@code struct ibv_recv_wr} with its scatter/gather list and the pointer to the refused request. */
final class ReceiveSlot {
    private static final long WR_BYTES = ibv_recv_wr.sizeof();
    private static final long SGE_BYTES = ibv_sge.sizeof();
    private static final long WR_ID = ibv_recv_wr.wr_id$offset();
    private static final long NEXT = ibv_recv_wr.next$offset();
    private static final long SG_LIST = ibv_recv_wr.sg_list$offset();
    private static final long NUM_SGE = ibv_recv_wr.num_sge$offset();
    private static final long SGE_ADDR = ibv_sge.addr$offset();
    private static final long SGE_LENGTH = ibv_sge.length$offset();
    private static final long SGE_LKEY = ibv_sge.lkey$offset();

    private final MemorySegment memory;
    private final int maxSge;
    private final boolean needsPiece;
    private final long badWr;

    /** Allocates a slot of up to {@code maxSge} pieces, with an empty one in place of none if {@code needsPiece}. */
    ReceiveSlot(Arena arena, int maxSge, boolean needsPiece) {
        this.maxSge = maxSge;
        this.needsPiece = needsPiece;
        badWr = WR_BYTES + SGE_BYTES * Math.max(maxSge, 1);
        memory = arena.allocate(badWr + Long.BYTES, Long.BYTES);
    }

    long address() {
        return memory.address();
    }

    long badWr() {
        return memory.address() + badWr;
    }

    /** Writes a receive of one piece; a {@link PostStatus}. */
    int write(long wrId, long address, long length, int lkey) {
        if (length < 0 || length > SgList.MAX_LENGTH) {
            return PostStatus.INVALID;
        }
        int pieces = length == 0 ? 0 : 1;
        begin(wrId, pieces);
        if (pieces != 0) {
            piece(0, address, length, lkey);
        }
        return PostStatus.ACCEPTED;
    }

    /** Writes a receive that scatters; a {@link PostStatus}. */
    int write(long wrId, SgList list) {
        if (list.count() > maxSge) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        int pieces = 0;
        for (int i = 0; i < list.count(); i++) {
            if (list.length(i) != 0) {
                piece(pieces++, list.address(i), list.length(i), list.lkey(i));
            }
        }
        begin(wrId, pieces);
        return PostStatus.ACCEPTED;
    }

    private void begin(long wrId, int pieces) {
        if (pieces == 0 && needsPiece) {
            piece(0, 0, 0, 0);
        }
        memory.set(JAVA_LONG, WR_ID, wrId);
        memory.set(JAVA_LONG, NEXT, 0);
        memory.set(JAVA_LONG, SG_LIST, memory.address() + WR_BYTES);
        memory.set(JAVA_INT, NUM_SGE, pieces == 0 && needsPiece ? 1 : pieces);
    }

    private void piece(int index, long address, long length, int lkey) {
        long at = WR_BYTES + SGE_BYTES * index;
        memory.set(JAVA_LONG, at + SGE_ADDR, address);
        memory.set(JAVA_INT, at + SGE_LENGTH, (int) length);
        memory.set(JAVA_INT, at + SGE_LKEY, lkey);
    }

    /** Returns the {@link PostStatus} for what the driver answered. */
    static int answer(int errno) {
        // siw answers with negative numbers, mthca with -1, EPERM negated, where the queue is full.
        return switch (Math.abs(errno)) {
            case 0 -> PostStatus.ACCEPTED;
            case Errno.EPERM, Errno.ENOMEM -> PostStatus.QUEUE_FULL;
            case Errno.EINVAL -> PostStatus.INVALID;
            default -> PostStatus.ofErrno(Math.abs(errno));
        };
    }
}
