package org.panamaverbs.ibverbs.objects;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.bindings.ibverbs.ibv_wc;

/**
 * A native array of {@code struct ibv_wc} that ibv_poll_cq(3) fills, and how an entry becomes a {@link WorkCompletion}.
 */
final class WcArray {
    static final long BYTES = ibv_wc.sizeof();

    // infiniband/verbs.h: enum ibv_wc_opcode, enum ibv_wc_flags
    private static final int IBV_WC_RECV = 1 << 7;
    private static final int IBV_WC_RECV_RDMA_WITH_IMM = IBV_WC_RECV + 1;
    private static final int IBV_WC_WITH_IMM = 1 << 1;
    private static final WcOpcode[] REQUESTER = {
        WcOpcode.SEND,
        WcOpcode.RDMA_WRITE,
        WcOpcode.RDMA_READ,
        WcOpcode.CMP_SWAP,
        WcOpcode.FETCH_ADD,
        WcOpcode.BIND_WINDOW,
        WcOpcode.LOCAL_INVALIDATE
    };
    private static final long WR_ID = ibv_wc.wr_id$offset();
    private static final long STATUS = ibv_wc.status$offset();
    private static final long OPCODE = ibv_wc.opcode$offset();
    private static final long VENDOR_ERROR = ibv_wc.vendor_err$offset();
    private static final long BYTE_LEN = ibv_wc.byte_len$offset();
    private static final long IMM_DATA = BYTE_LEN + Integer.BYTES;
    private static final long QP_NUM = ibv_wc.qp_num$offset();
    private static final long SRC_QP = ibv_wc.src_qp$offset();
    private static final long FLAGS = ibv_wc.wc_flags$offset();
    private static final int ATOMIC_BYTES = 8;

    private final MemorySegment entries;
    private final long address;
    private final int capacity;
    private final int invalidatedFlag;

    WcArray(Arena arena, int capacity, int invalidatedFlag) {
        entries = arena.allocate(BYTES * capacity, Long.BYTES);
        address = entries.address();
        this.capacity = capacity;
        this.invalidatedFlag = invalidatedFlag;
    }

    int capacity() {
        return capacity;
    }

    /** Returns the address of entry {@code index}. */
    long address(int index) {
        return address + BYTES * index;
    }

    long wrId(int index) {
        return entries.get(JAVA_LONG, BYTES * index + WR_ID);
    }

    int qpNumber(int index) {
        return entries.get(JAVA_INT, BYTES * index + QP_NUM);
    }

    int status(int index) {
        return entries.get(JAVA_INT, BYTES * index + STATUS);
    }

    /** Copies entry {@code index} of {@code from} to {@code to} of this array. */
    void copy(WcArray from, int index, int to) {
        MemorySegment.copy(from.entries, BYTES * index, entries, BYTES * to, BYTES);
    }

    /** Moves the entries from {@code first} up to {@code end} to the front. */
    void moveToFront(int first, int end) {
        MemorySegment.copy(entries, BYTES * first, entries, 0, BYTES * (end - first));
    }

    /** Fills {@code into} from entry {@code index}. */
    void read(int index, WorkCompletion into) {
        long at = BYTES * index;
        long wrId = entries.get(JAVA_LONG, at + WR_ID);
        int qpNumber = entries.get(JAVA_INT, at + QP_NUM);
        int status = entries.get(JAVA_INT, at + STATUS);
        int vendorError = entries.get(JAVA_INT, at + VENDOR_ERROR);
        if (status != 0) {
            into.set(wrId, WcStatus.of(status), WcOpcode.SEND, qpNumber, 0, vendorError);
            return;
        }
        int opcode = entries.get(JAVA_INT, at + OPCODE);
        long bytes = Integer.toUnsignedLong(entries.get(JAVA_INT, at + BYTE_LEN));
        if (opcode < REQUESTER.length) {
            WcOpcode done = REQUESTER[opcode];
            boolean atomic = done == WcOpcode.CMP_SWAP || done == WcOpcode.FETCH_ADD;
            into.set(wrId, WcStatus.SUCCESS, done, qpNumber, atomic ? ATOMIC_BYTES : bytes, vendorError);
            return;
        }
        WcOpcode received = opcode == IBV_WC_RECV_RDMA_WITH_IMM ? WcOpcode.RECV_IMMEDIATE : WcOpcode.RECV;
        into.set(wrId, WcStatus.SUCCESS, received, qpNumber, bytes, vendorError);
        into.setSourceQpNumber(entries.get(JAVA_INT, at + SRC_QP));
        int flags = entries.get(JAVA_INT, at + FLAGS);
        if ((flags & IBV_WC_WITH_IMM) != 0) {
            // verbs.h: __be32 imm_data
            into.setImmediate(Integer.toUnsignedLong(Integer.reverseBytes(entries.get(JAVA_INT, at + IMM_DATA))));
        } else if ((flags & invalidatedFlag) != 0) {
            into.setInvalidatedStag(entries.get(JAVA_INT, at + IMM_DATA));
        }
    }
}
