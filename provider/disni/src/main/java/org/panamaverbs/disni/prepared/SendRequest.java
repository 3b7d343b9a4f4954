package org.panamaverbs.disni.prepared;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend.RdmaMod;
import com.ibm.disni.verbs.SVCPostSend.SendWRMod;
import com.ibm.disni.verbs.SVCPostSend.SgeMod;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.disni.objects.AllMemory;
import org.panamaverbs.disni.objects.Failures;

/**
 * One work request of a prepared post: a copy of DiSNI's, which its application may change and use for another
 * meanwhile. What the application changes here counts from the next post on. Posting allocates nothing.
 */
final class SendRequest implements SendWRMod, RdmaMod {
    private static final int KNOWN_FLAGS = SendFlag.FENCE | SendFlag.SIGNALED | SendFlag.SOLICITED | SendFlag.INLINE;

    private final SendOpcode operation;
    private final WorkRequest request;
    private final int opcode;
    private final Pieces pieces;
    private final long immediate;
    private final long compareOrAdd;
    private final long swap;
    private final int maxInlineBytes;
    private @Nullable MemorySegment inlineCopy;
    private long wrId;
    private int sendFlags;
    private long remoteAddress;
    private int rkey;
    private int reserved;

    /**
     * Copies {@code request}.
     *
     * @throws IOException if no provider has such a request
     */
    SendRequest(IbvSendWR request, int maxInlineBytes) throws IOException {
        opcode = request.getOpcode();
        operation = operation(opcode);
        this.request = WorkRequest.of(operation);
        pieces = new Pieces("postSend", request.getSg_list());
        immediate = ImmediateData.toNumber(request.getImm_data());
        this.maxInlineBytes = maxInlineBytes;
        wrId = request.getWr_id();
        sendFlags = request.getSend_flags();
        if (operation.isAtomic()) {
            IbvSendWR.Atomic atomic = request.getAtomic();
            remoteAddress = atomic.getRemote_addr();
            rkey = atomic.getRkey();
            compareOrAdd = atomic.getCompare_add();
            swap = atomic.getSwap();
            if (pieces.count() != 1) {
                throw Failures.unsupported(
                        "postSend",
                        operation + " with " + pieces.count() + " scatter/gather elements; its answer goes to one of 8"
                                + " bytes");
            }
        } else {
            IbvSendWR.Rdma rdma = request.getRdma();
            remoteAddress = rdma.getRemote_addr();
            rkey = rdma.getRkey();
            reserved = rdma.getReserved();
            compareOrAdd = 0;
            swap = 0;
        }
    }

    private static SendOpcode operation(int opcode) throws IOException {
        return switch (opcode) {
            case IbvSendWR.IBV_WR_RDMA_WRITE -> SendOpcode.RDMA_WRITE;
            case IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM -> SendOpcode.RDMA_WRITE_WITH_IMMEDIATE;
            case IbvSendWR.IBV_WR_SEND -> SendOpcode.SEND;
            case IbvSendWR.IBV_WR_SEND_WITH_IMM -> SendOpcode.SEND_WITH_IMMEDIATE;
            case IbvSendWR.IBV_WR_RDMA_READ -> SendOpcode.RDMA_READ;
            case IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP -> SendOpcode.CMP_SWAP;
            case IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD -> SendOpcode.FETCH_ADD;
            default -> throw Failures.unsupported("postSend", "opcode " + opcode + "; those of IbvSendWR are 0 to 6");
        };
    }

    /** Posts the request to {@code queue} and returns the status. */
    int post(SendQueue queue) {
        int flags = pieces.count() > 0 ? sendFlags & KNOWN_FLAGS : sendFlags & KNOWN_FLAGS & ~SendFlag.INLINE;
        request.opcode(operation).wrId(wrId).remote(remoteAddress, rkey);
        if (operation.isAtomic()) {
            Piece result = pieces.get(0);
            request.local(result.getAddr(), Long.BYTES, result.getLkey()).compareAndSwap(compareOrAdd, swap);
        } else {
            request.immediate(immediate);
            if ((flags & SendFlag.INLINE) != 0) {
                inline();
                flags &= ~SendFlag.INLINE;
            } else {
                gather();
            }
        }
        return queue.post(request.flags(flags));
    }

    private void gather() {
        SgList list = pieces.list();
        if (list != null) {
            request.local(list);
        } else if (pieces.count() != 0) {
            Piece piece = pieces.get(0);
            request.local(piece.getAddr(), piece.octets(), piece.getLkey());
        }
    }

    private void inline() {
        long octets = pieces.octets();
        if (pieces.count() == 1 || octets > maxInlineBytes) {
            // One piece, or too many bytes, which the queue refuses without reading them.
            request.inline(AllMemory.SEGMENT, pieces.get(0).getAddr(), octets);
            return;
        }
        MemorySegment copy = inlineCopy;
        if (copy == null) {
            copy = Arena.ofAuto().allocate(Math.max(1, maxInlineBytes));
            inlineCopy = copy;
        }
        pieces.gather(copy);
        request.inline(copy, 0, octets);
    }

    @Override
    public void setWr_id(long newId) {
        wrId = newId;
    }

    @Override
    public long getWr_id() {
        return wrId;
    }

    @Override
    public void setSend_flags(int flags) {
        sendFlags = flags;
    }

    @Override
    public int getSend_flags() {
        return sendFlags;
    }

    @Override
    public int getNum_sge() {
        return pieces.count();
    }

    @Override
    public int getOpcode() {
        return opcode;
    }

    @Override
    public RdmaMod getRdmaMod() {
        return this;
    }

    @Override
    public SgeMod getSgeMod(int index) {
        return pieces.get(index);
    }

    @Override
    public void setRemote_addr(long address) {
        remoteAddress = address;
    }

    @Override
    public long getRemote_addr() {
        return remoteAddress;
    }

    @Override
    public void setRkey(int key) {
        rkey = key;
    }

    @Override
    public int getRkey() {
        return rkey;
    }

    @Override
    public void setReserved(int value) {
        reserved = value;
    }

    @Override
    public int getReserved() {
        return reserved;
    }
}
