package org.panamaverbs.ibverbs.post;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.bindings.ibverbs.ibv_recv_wr;
import org.panamaverbs.bindings.ibverbs.ibv_sge;

/**
 * Native {@code struct ibv_recv_wr}s, each with its scatter/gather list, and the pointer to the refused one. A receive
 * that is posted alone is written into the first; those of a list are written one behind the other and chained.
 */
final class ReceiveSlots {
    private static final long CHAIN_BYTES = 16 * 1024;
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
    private final int count;
    private final int maxSge;
    private final boolean needsPiece;
    private final long stride;
    private final long badWr;

    /**
     * Allocates {@code count} slots of up to {@code maxSge} pieces, with an empty one in place of none if
     * {@code needsPiece}.
     */
    ReceiveSlots(Arena arena, int count, int maxSge, boolean needsPiece) {
        this.count = count;
        this.maxSge = maxSge;
        this.needsPiece = needsPiece;
        stride = WR_BYTES + SGE_BYTES * Math.max(maxSge, 1);
        badWr = stride * count;
        memory = arena.allocate(badWr + Long.BYTES, Long.BYTES);
    }

    /** Allocates slots of the same kind for a chain of {@code most} receives, or fewer if they are large. */
    ReceiveSlots chain(Arena arena, int most) {
        return new ReceiveSlots(arena, (int) Math.max(1, Math.min(most, CHAIN_BYTES / stride)), maxSge, needsPiece);
    }

    /** Returns the address of the first receive. */
    long address() {
        return memory.address();
    }

    /** Returns the address of the pointer to the refused receive. */
    long badWr() {
        return memory.address() + badWr;
    }

    /** Writes a receive of one piece; a {@link PostStatus}. */
    int write(long wrId, long address, long length, int lkey) {
        if (length < 0 || length > SgList.MAX_LENGTH) {
            return length < 0 ? PostStatus.INVALID : PostStatus.MESSAGE_TOO_LONG;
        }
        int pieces = length == 0 ? 0 : 1;
        begin(0, wrId, pieces);
        if (pieces != 0) {
            piece(0, 0, address, length, lkey);
        }
        return PostStatus.ACCEPTED;
    }

    /** Writes a receive that scatters; a {@link PostStatus}. */
    int write(long wrId, SgList list) {
        int all = list.count();
        if (all > 1) {
            int fault = fault(all, list.totalBytes());
            if (fault != PostStatus.ACCEPTED) {
                return fault;
            }
        }
        int pieces = 0;
        for (int i = 0; i < all; i++) {
            if (list.length(i) != 0) {
                piece(0, pieces++, list.address(i), list.length(i), list.lkey(i));
            }
        }
        begin(0, wrId, pieces);
        return PostStatus.ACCEPTED;
    }

    /**
     * Writes a chain: the receives of {@code list} from {@code first} on, at most {@code most} and as many as there are
     * slots, up to one with too many pieces, or with more bytes than a message has.
     *
     * @return how many, or the {@link PostStatus} of the first if that is refused
     */
    int write(ReceiveList list, int first, int most) {
        int end = Math.min(most, count);
        int slot = 0;
        int fault = PostStatus.ACCEPTED;
        while (slot < end) {
            fault = write(slot, list, first + slot);
            if (fault != PostStatus.ACCEPTED) {
                break;
            }
            if (slot > 0) {
                memory.set(JAVA_LONG, stride * (slot - 1) + NEXT, memory.address() + stride * slot);
            }
            slot++;
        }
        return slot == 0 ? fault : slot;
    }

    // One piece is never too many, and none is longer than a message.
    private int fault(int pieces, long octets) {
        if (pieces > maxSge) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        return octets > SgList.MAX_LENGTH ? PostStatus.MESSAGE_TOO_LONG : PostStatus.ACCEPTED;
    }

    private int write(int slot, ReceiveList list, int index) {
        int all = list.sgeCount(index);
        if (all > 1) {
            int fault = fault(all, list.totalBytes(index));
            if (fault != PostStatus.ACCEPTED) {
                return fault;
            }
        }
        int pieces = 0;
        for (int i = 0; i < all; i++) {
            long length = list.length(index, i);
            if (length != 0) {
                piece(slot, pieces++, list.address(index, i), length, list.lkey(index, i));
            }
        }
        begin(slot, list.wrId(index), pieces);
        return PostStatus.ACCEPTED;
    }

    private void begin(int slot, long wrId, int pieces) {
        if (pieces == 0 && needsPiece) {
            piece(slot, 0, 0, 0, 0);
        }
        long at = stride * slot;
        memory.set(JAVA_LONG, at + WR_ID, wrId);
        memory.set(JAVA_LONG, at + NEXT, 0);
        memory.set(JAVA_LONG, at + SG_LIST, memory.address() + at + WR_BYTES);
        memory.set(JAVA_INT, at + NUM_SGE, pieces == 0 && needsPiece ? 1 : pieces);
    }

    private void piece(int slot, int index, long address, long length, int lkey) {
        long at = stride * slot + WR_BYTES + SGE_BYTES * index;
        memory.set(JAVA_LONG, at + SGE_ADDR, address);
        memory.set(JAVA_INT, at + SGE_LENGTH, (int) length);
        memory.set(JAVA_INT, at + SGE_LKEY, lkey);
    }

    /** Sets the pointer to the refused receive to none, which is what {@link #taken} reads if the driver is silent. */
    void forgetRefused() {
        memory.set(JAVA_LONG, badWr, 0);
    }

    /**
     * Returns how many of {@code chained} receives a driver took that answered with an error: those before the one that
     * the pointer names. Where it names none of them nothing is known to be taken.
     */
    int taken(int chained) {
        long offset = memory.get(JAVA_LONG, badWr) - memory.address();
        return offset > 0 && offset < stride * chained ? (int) (offset / stride) : 0;
    }

    /** Returns the {@link PostStatus} for what the driver answered. */
    static int answer(int errno) {
        // siw answers with negative numbers, mthca with -1, EPERM negated, where the queue is full.
        return switch (Math.abs(errno)) {
            case 0 -> PostStatus.ACCEPTED;
            case Errno.EPERM, Errno.ENOMEM -> PostStatus.QUEUE_FULL;
            case Errno.EINVAL -> PostStatus.INVALID;
            case IbvSendQueue.ENOTCONN -> PostStatus.NOT_CONNECTED;
            default -> PostStatus.ofErrno(Math.abs(errno));
        };
    }
}
