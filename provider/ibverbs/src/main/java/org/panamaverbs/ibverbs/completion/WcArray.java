package org.panamaverbs.ibverbs.completion;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.bindings.ibverbs.ibv_wc;
import org.panamaverbs.ibverbs.call.RawMemory;
import org.panamaverbs.spi.support.CompletionWriter;

/**
 * A native array of {@code struct ibv_wc} that ibv_poll_cq(3) fills, and how an entry becomes a {@link WorkCompletion}.
 */
final class WcArray {
    private static final CompletionWriter WRITER = CompletionWriter.get();

    static final long BYTES = ibv_wc.sizeof();

    // infiniband/verbs.h: enum ibv_wc_opcode, enum ibv_wc_flags
    private static final int IBV_WC_RECV = 1 << 7;
    private static final int IBV_WC_RECV_RDMA_WITH_IMM = IBV_WC_RECV + 1;
    static final int IBV_WC_GRH = 1;
    private static final int IBV_WC_WITH_IMM = 1 << 1;
    private static final int IBV_WC_IP_CSUM_OK = 1 << 2;
    private static final WcOpcode[] REQUESTER = {
        WcOpcode.SEND,
        WcOpcode.RDMA_WRITE,
        WcOpcode.RDMA_READ,
        WcOpcode.CMP_SWAP,
        WcOpcode.FETCH_ADD,
        WcOpcode.BIND_WINDOW,
        WcOpcode.LOCAL_INVALIDATE,
        WcOpcode.SEND, // IBV_WC_TSO
        WcOpcode.FLUSH,
        WcOpcode.ATOMIC_WRITE
    };
    static final long WR_ID = ibv_wc.wr_id$offset();
    static final long STATUS = ibv_wc.status$offset();
    static final long OPCODE = ibv_wc.opcode$offset();
    static final long VENDOR_ERROR = ibv_wc.vendor_err$offset();
    static final long BYTE_LEN = ibv_wc.byte_len$offset();
    static final long IMM_DATA = BYTE_LEN + Integer.BYTES;
    static final long QP_NUM = ibv_wc.qp_num$offset();
    static final long SRC_QP = ibv_wc.src_qp$offset();
    static final long FLAGS = ibv_wc.wc_flags$offset();
    static final long PKEY_INDEX = ibv_wc.pkey_index$offset();
    static final long SLID = ibv_wc.slid$offset();
    static final long SL = ibv_wc.sl$offset();
    static final long DLID_PATH_BITS = ibv_wc.dlid_path_bits$offset();
    private static final int ATOMIC_BYTES = 8;
    private static final int POLLED_AT_ONCE = 256;

    private final MemorySegment entries;
    private final long address;
    private final int capacity;
    private final WcKind kind;
    private final ExtraFields extra;

    /** Allocates an array of {@code capacity} entries. */
    WcArray(WcKind kind, int capacity) {
        Arena arena = Arena.ofAuto();
        entries = arena.allocate(BYTES * capacity, Long.BYTES);
        address = entries.address();
        this.capacity = capacity;
        this.kind = kind;
        extra = new ExtraFields(kind.fields(), capacity);
    }

    /** Returns an array to poll a queue of {@code capacity} into. */
    static WcArray polled(WcKind kind, int capacity) {
        return new WcArray(kind, Math.min(capacity + 1, POLLED_AT_ONCE));
    }

    int capacity() {
        return capacity;
    }

    /** Returns the address of entry {@code index}. */
    long address(int index) {
        return address + BYTES * index;
    }

    /** Returns the id of the entry at {@code at}, an address of this array. */
    static long wrIdAt(long at) {
        return RawMemory.getLong(at + WR_ID);
    }

    /** Returns the queue pair's number of the entry at {@code at}, an address of this array. */
    static int qpNumberAt(long at) {
        return RawMemory.getInt(at + QP_NUM);
    }

    static boolean isReceive(int opcode) {
        return (opcode & IBV_WC_RECV) != 0;
    }

    /** Tells whether {@code flags} say that there are immediate data or an invalidated key. */
    boolean hasImmediate(int flags) {
        return (flags & (IBV_WC_WITH_IMM | kind.invalidatedFlag())) != 0;
    }

    /** Returns what entries have beside their native form. */
    ExtraFields extra() {
        return extra;
    }

    /** Tells whether what queue pair {@code number} receives is datagrams. */
    boolean isDatagram(int number) {
        return kind.datagrams().contains(number);
    }

    /** Copies entry {@code index} of {@code from}, an array of the same kind, to {@code to} of this array. */
    void copy(WcArray from, int index, int to) {
        MemorySegment.copy(from.entries, BYTES * index, entries, BYTES * to, BYTES);
        extra.copy(from.extra, index, to, 1);
    }

    /** Moves the entries from {@code first} up to {@code end} to the front. */
    void moveToFront(int first, int end) {
        MemorySegment.copy(entries, BYTES * first, entries, 0, BYTES * (end - first));
        extra.copy(extra, first, 0, end - first);
    }

    /**
     * Has entry {@code index} say where it came from if it is a datagram, and 0 otherwise, whatever becomes of its
     * queue pair. Returns what that was given, null for nothing.
     */
    @Nullable
    Object settle(int index) {
        long at = address(index);
        if (!isDatagram(qpNumberAt(at))) {
            RawMemory.putInt(at + SRC_QP, 0);
            RawMemory.putShort(at + PKEY_INDEX, (short) 0);
            RawMemory.putShort(at + SLID, (short) 0);
            RawMemory.putByte(at + SL, (byte) 0);
            RawMemory.putByte(at + DLID_PATH_BITS, (byte) 0);
            RawMemory.putInt(at + FLAGS, RawMemory.getInt(at + FLAGS) & ~IBV_WC_GRH);
        }
        return kind.attachments().of(qpNumberAt(at));
    }

    /** Fills {@code into} from entry {@code index}, whose source was settled. */
    void readSettled(int index, WorkCompletion into) {
        long at = address(index);
        readAt(at, into);
        if (into.ok() && isReceive(RawMemory.getInt(at + OPCODE))) {
            readSource(at, into);
        }
        readExtra(at, into);
    }

    /**
     * Fills {@code into} from the entry at {@code at}, an address of this array, with what its queue pair was given.
     */
    void read(long at, WorkCompletion into) {
        readAt(at, into);
        readExtra(at, into);
        if (!kind.attachments().isEmpty()) {
            WRITER.attachment(into, kind.attachments().of(into.qpNumber()));
        }
    }

    private void readExtra(long at, WorkCompletion into) {
        if (!extra.isEmpty() && into.ok()) {
            extra.read((int) ((at - address) / BYTES), into);
        }
    }

    private static void readSource(long at, WorkCompletion into) {
        WRITER.sourceQpNumber(into, RawMemory.getInt(at + SRC_QP));
        WRITER.datagramAddress(
                into,
                Short.toUnsignedInt(RawMemory.getShort(at + SLID)),
                Byte.toUnsignedInt(RawMemory.getByte(at + SL)),
                Byte.toUnsignedInt(RawMemory.getByte(at + DLID_PATH_BITS)),
                Short.toUnsignedInt(RawMemory.getShort(at + PKEY_INDEX)));
        if ((RawMemory.getInt(at + FLAGS) & IBV_WC_GRH) != 0) {
            WRITER.grh(into);
        }
    }

    private void readAt(long at, WorkCompletion into) {
        int opcode = RawMemory.getInt(at + OPCODE);
        if (RawMemory.getInt(at + STATUS) == 0 && opcode >= 0 && opcode < REQUESTER.length) {
            WcOpcode done = REQUESTER[opcode];
            boolean atomic = done == WcOpcode.CMP_SWAP || done == WcOpcode.FETCH_ADD;
            fill(at, into, done, atomic ? ATOMIC_BYTES : Integer.toUnsignedLong(RawMemory.getInt(at + BYTE_LEN)));
        } else {
            readOther(at, opcode, into);
        }
    }

    private static void fill(long at, WorkCompletion into, WcOpcode opcode, long bytes) {
        long wrId = RawMemory.getLong(at + WR_ID);
        int qpNumber = RawMemory.getInt(at + QP_NUM);
        // Drivers write the vendor's error of failures only: the entry may hold an older one.
        WRITER.set(into, wrId, WcStatus.SUCCESS, opcode, qpNumber, bytes, 0);
    }

    private void readOther(long at, int opcode, WorkCompletion into) {
        int status = RawMemory.getInt(at + STATUS);
        if (status != 0) {
            long wrId = RawMemory.getLong(at + WR_ID);
            int qpNumber = RawMemory.getInt(at + QP_NUM);
            WRITER.set(
                    into, wrId, WcStatus.of(status), WcOpcode.SEND, qpNumber, 0, RawMemory.getInt(at + VENDOR_ERROR));
            return;
        }
        int flags = RawMemory.getInt(at + FLAGS);
        int length = RawMemory.getInt(at + BYTE_LEN);
        // Immediate data of its own is a Send of no bytes here.
        boolean alone = length == 0 && (flags & IBV_WC_WITH_IMM) != 0 && kind.lengths();
        WcOpcode received = alone || opcode == IBV_WC_RECV_RDMA_WITH_IMM ? WcOpcode.RECV_IMMEDIATE : WcOpcode.RECV;
        fill(at, into, received, Integer.toUnsignedLong(length));
        if (opcode != IBV_WC_RECV_RDMA_WITH_IMM) {
            WRITER.bySend(into);
        }
        // verbs.h: "valid for UD"; drivers write what they like there otherwise, or nothing.
        if (isDatagram(qpNumberAt(at))) {
            readSource(at, into);
        }
        if ((flags & IBV_WC_IP_CSUM_OK) != 0) {
            WRITER.checksumsOk(into);
        }
        if ((flags & IBV_WC_WITH_IMM) != 0) {
            // verbs.h: __be32 imm_data
            WRITER.immediate(into, Integer.toUnsignedLong(Integer.reverseBytes(RawMemory.getInt(at + IMM_DATA))));
        } else if ((flags & kind.invalidatedFlag()) != 0) {
            WRITER.invalidatedRkey(into, RawMemory.getInt(at + IMM_DATA));
        }
    }
}
