package org.panamaverbs.ibverbs.post;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.bindings.ibverbs.ibv_mw_bind_info;
import org.panamaverbs.bindings.ibverbs.ibv_send_wr;
import org.panamaverbs.bindings.ibverbs.ibv_sge;
import org.panamaverbs.ibverbs.call.RawMemory;
import org.panamaverbs.memory.access.FaultSafeMemory;
import org.panamaverbs.spi.support.WindowBinding;

/**
 * Native {@code struct ibv_send_wr}s, each with its scatter/gather list and room for inline data behind it. Written in
 * place and posted by address: no object per request. Whoever writes holds the gate of what frees the arena, or the
 * arena is automatic, see {@link RawMemory}.
 */
public final class SendSlots {
    private static final long WR_BYTES = ibv_send_wr.sizeof();
    private static final long SGE_BYTES = ibv_sge.sizeof();
    static final long WR_ID = ibv_send_wr.wr_id$offset();
    static final long NEXT = ibv_send_wr.next$offset();
    static final long SG_LIST = ibv_send_wr.sg_list$offset();
    static final long NUM_SGE = ibv_send_wr.num_sge$offset();
    static final long OPCODE = ibv_send_wr.opcode$offset();
    static final long SEND_FLAGS = ibv_send_wr.send_flags$offset();
    static final long IMM_DATA = SEND_FLAGS + Integer.BYTES;
    private static final long REMOTE_ADDR = wr("rdma", "remote_addr");
    private static final long RDMA_RKEY = wr("rdma", "rkey");
    private static final long COMPARE_ADD = wr("atomic", "compare_add");
    private static final long SWAP = wr("atomic", "swap");
    private static final long ATOMIC_RKEY = wr("atomic", "rkey");
    static final long AH = wr("ud", "ah");
    static final long REMOTE_QPN = wr("ud", "remote_qpn");
    static final long REMOTE_QKEY = wr("ud", "remote_qkey");
    // The unnamed union at the end: its first arm's first field, then the fields of bind_mw in their order.
    private static final long BIND_MW = WR_BYTES - ibv_mw_bind_info.sizeof() - 2 * Long.BYTES;
    private static final long BIND_RKEY = BIND_MW + Long.BYTES;
    private static final long BIND_INFO = BIND_RKEY + Long.BYTES;
    private static final long BIND_MR = BIND_INFO + ibv_mw_bind_info.mr$offset();
    private static final long BIND_ADDR = BIND_INFO + ibv_mw_bind_info.addr$offset();
    private static final long BIND_LENGTH = BIND_INFO + ibv_mw_bind_info.length$offset();
    private static final long BIND_ACCESS = BIND_INFO + ibv_mw_bind_info.mw_access_flags$offset();
    private static final long REMOTE_SRQN = ibv_send_wr
            .layout()
            .byteOffset(
                    PathElement.groupElement("qp_type"),
                    PathElement.groupElement("xrc"),
                    PathElement.groupElement("remote_srqn"));
    static final long SGE_ADDR = ibv_sge.addr$offset();
    static final long SGE_LENGTH = ibv_sge.length$offset();
    private static final long SGE_LKEY = ibv_sge.lkey$offset();

    private final MemorySegment memory;
    private final long base;
    private final long inlineAt;
    private final long stride;
    private final int count;

    public SendSlots(Arena arena, int count, int maxSge, int inlineBytes) {
        this.count = count;
        inlineAt = WR_BYTES + SGE_BYTES * maxSge;
        stride = inlineAt + (inlineBytes + Long.BYTES - 1 & -Long.BYTES);
        memory = arena.allocate(stride * count, Long.BYTES);
        base = memory.address();
    }

    private static long wr(String arm, String field) {
        return ibv_send_wr
                .layout()
                .byteOffset(
                        PathElement.groupElement("wr"), PathElement.groupElement(arm), PathElement.groupElement(field));
    }

    int count() {
        return count;
    }

    /** Returns the address of the request in {@code slot}. */
    long address(int slot) {
        assert slot >= 0 && slot < count : slot;
        return base + stride * slot;
    }

    /** Returns the slot of the request at {@code address}. */
    int slotOf(long address) {
        return (int) ((address - base) / stride);
    }

    /** Begins a request without pieces that is the last of its chain. */
    void begin(int slot, long wrId, int opcode, int flags, int immediate) {
        long at = address(slot);
        RawMemory.putLong(at + WR_ID, wrId);
        RawMemory.putLong(at + NEXT, 0);
        RawMemory.putLong(at + SG_LIST, at + WR_BYTES);
        RawMemory.putInt(at + NUM_SGE, 0);
        RawMemory.putInt(at + OPCODE, opcode);
        RawMemory.putInt(at + SEND_FLAGS, flags);
        RawMemory.putInt(at + IMM_DATA, immediate);
    }

    /** Tells whether the request in {@code slot} is signaled by its own flags. */
    boolean isSignaled(int slot) {
        return (RawMemory.getInt(address(slot) + SEND_FLAGS) & SendFlag.SIGNALED) != 0;
    }

    /** Returns how many bytes of payload leave with the request in {@code slot}: none with what only fetches. */
    long octets(int slot) {
        long at = address(slot);
        int opcode = RawMemory.getInt(at + OPCODE);
        long octets = 0;
        if (opcode < SendRequests.IBV_WR_RDMA_READ || opcode > SendRequests.IBV_WR_ATOMIC_FETCH_AND_ADD) {
            long end = at + WR_BYTES + SGE_BYTES * RawMemory.getInt(at + NUM_SGE);
            for (long piece = at + WR_BYTES; piece < end; piece += SGE_BYTES) {
                octets += Integer.toUnsignedLong(RawMemory.getInt(piece + SGE_LENGTH));
            }
        }
        return octets;
    }

    /** Chains {@code next} behind {@code slot}. */
    void link(int slot, int next) {
        RawMemory.putLong(address(slot) + NEXT, address(next));
    }

    /** Makes {@code slot} the last of its chain. */
    void unlink(int slot) {
        RawMemory.putLong(address(slot) + NEXT, 0);
    }

    /** Returns the slot behind the chain that begins in {@code first}, at most {@code end}. */
    int chainEnd(int first, int end) {
        int last = first;
        while (last < end - 1 && RawMemory.getLong(address(last) + NEXT) != 0) {
            last++;
        }
        return last + 1;
    }

    void pieces(int slot, int pieces) {
        RawMemory.putInt(address(slot) + NUM_SGE, pieces);
    }

    void piece(int slot, int index, long address, long length, int lkey) {
        long at = address(slot) + WR_BYTES + SGE_BYTES * index;
        RawMemory.putLong(at + SGE_ADDR, address);
        RawMemory.putInt(at + SGE_LENGTH, (int) length);
        RawMemory.putInt(at + SGE_LKEY, lkey);
    }

    /**
     * Copies {@code data} behind what {@code used} bytes of inline data the slot has. Returns false if it is gone: its
     * arena was closed, or its file truncated.
     */
    boolean copyInline(int slot, long used, MemorySegment data, long offset, long length) {
        return FaultSafeMemory.copy(data.isMapped(), data, offset, memory, stride * slot + inlineAt + used, length);
    }

    /** Makes {@code length} bytes of inline data the only piece. */
    void inlinePiece(int slot, long length) {
        piece(slot, 0, address(slot) + inlineAt, length, 0);
        pieces(slot, length == 0 ? 0 : 1);
    }

    void remote(int slot, long remoteAddress, int rkey) {
        long at = address(slot);
        RawMemory.putLong(at + REMOTE_ADDR, remoteAddress);
        RawMemory.putInt(at + RDMA_RKEY, rkey);
    }

    void atomic(int slot, long remoteAddress, int rkey, long compareOrAdd, long swap) {
        long at = address(slot);
        RawMemory.putLong(at + REMOTE_ADDR, remoteAddress);
        RawMemory.putLong(at + COMPARE_ADD, compareOrAdd);
        RawMemory.putLong(at + SWAP, swap);
        RawMemory.putInt(at + ATOMIC_RKEY, rkey);
    }

    void datagram(int slot, long addressHandle, int remoteQpNumber, int qkey) {
        long at = address(slot);
        RawMemory.putLong(at + AH, addressHandle);
        RawMemory.putInt(at + REMOTE_QPN, remoteQpNumber);
        RawMemory.putInt(at + REMOTE_QKEY, qkey);
    }

    void sharedReceiveQueue(int slot, int number) {
        RawMemory.putInt(address(slot) + REMOTE_SRQN, number);
    }

    void bind(int slot, long window, long region, WindowBinding binding) {
        long at = address(slot);
        RawMemory.putLong(at + BIND_MW, window);
        RawMemory.putInt(at + BIND_RKEY, binding.rkey());
        RawMemory.putLong(at + BIND_MR, region);
        RawMemory.putLong(at + BIND_ADDR, binding.taggedOffset());
        RawMemory.putLong(at + BIND_LENGTH, binding.length());
        RawMemory.putInt(at + BIND_ACCESS, binding.access());
    }
}
