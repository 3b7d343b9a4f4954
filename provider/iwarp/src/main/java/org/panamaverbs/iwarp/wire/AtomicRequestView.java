package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The header of an Atomic Request (RFC 7306 §5.2.1), right behind the untagged DDP header.
 *
 * <pre>
 *  0                        4       8             12          20
 *  | Rsvd 28 bits | AOpCode | ReqId | Remote STag | Remote TO |
 *  20              28              36             44             52
 *  | Add/Swap Data | Add/Swap Mask | Compare Data | Compare Mask |
 * </pre>
 *
 * <p>Reusable flyweight, one thread at a time.
 */
public final class AtomicRequestView {
    /** Size of the header. */
    public static final int BYTES = 52;

    private static final int OPERATION = 0;
    private static final int OPERATION_MASK = 0x0F;
    private static final int RESERVED_SHIFT = 4;
    private static final int REQUEST_ID = 4;
    private static final int REMOTE_STAG = 8;
    private static final int REMOTE_TO = 12;
    private static final int DATA = 20;
    private static final int MASK = 28;
    private static final int COMPARE = 36;
    private static final int COMPARE_MASK = 44;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** Writes a FetchAdd; each set bit of {@code mask} marks the top bit of a field, 0 means one 64-bit field. */
    public static void emitFetchAdd(
            MemorySegment segment, long offset, int requestId, int stag, long to, long add, long mask) {
        // RFC 7306 §5.2.1: for FetchAdd the compare data is 0 and the compare mask all ones on transmit.
        emit(segment, offset, AtomicOpcode.FETCH_ADD, requestId, stag, to);
        emitOperands(segment, offset, add, mask, 0, -1);
    }

    /**
     * Writes a CmpSwap: where {@code compareMask} is set memory must equal {@code compare}, where {@code swapMask} is
     * set it changes.
     */
    public static void emitCompareSwap(
            MemorySegment segment,
            long offset,
            int requestId,
            int stag,
            long to,
            long swap,
            long swapMask,
            long compare,
            long compareMask) {
        emit(segment, offset, AtomicOpcode.COMPARE_SWAP, requestId, stag, to);
        emitOperands(segment, offset, swap, swapMask, compare, compareMask);
    }

    /**
     * Writes a Swap as draft-ietf-storm-rdmap-ext-01 §5.2.1 lays it out; a peer that knows RFC 7306 alone refuses it.
     */
    public static void emitDraftSwap(MemorySegment segment, long offset, int requestId, int stag, long to, long swap) {
        // The draft's Swap has neither masks nor compare data: all ones and zeros on transmit, ignored on receive.
        emit(segment, offset, AtomicOpcode.DRAFT_SWAP, requestId, stag, to);
        emitOperands(segment, offset, swap, -1, 0, -1);
    }

    /** Writes what of a request says where it goes, for showing it again; its operands are not written. */
    public static void emitAgain(
            MemorySegment segment, long offset, int operationCode, int requestId, int stag, long to) {
        emit(segment, offset, operationCode, requestId, stag, to);
    }

    private static void emit(
            MemorySegment segment, long offset, AtomicOpcode operation, int requestId, int stag, long to) {
        emit(segment, offset, operation.code(), requestId, stag, to);
    }

    private static void emit(MemorySegment segment, long offset, int operationCode, int requestId, int stag, long to) {
        segment.set(Wire.U32, offset + OPERATION, operationCode);
        segment.set(Wire.U32, offset + REQUEST_ID, requestId);
        segment.set(Wire.U32, offset + REMOTE_STAG, stag);
        segment.set(Wire.U64, offset + REMOTE_TO, to);
    }

    private static void emitOperands(
            MemorySegment segment, long offset, long data, long mask, long compare, long compareMask) {
        segment.set(Wire.U64, offset + DATA, data);
        segment.set(Wire.U64, offset + MASK, mask);
        segment.set(Wire.U64, offset + COMPARE, compare);
        segment.set(Wire.U64, offset + COMPARE_MASK, compareMask);
    }

    /** Wraps the view around the {@value #BYTES} octets at {@code offset} from now on. */
    public AtomicRequestView wrap(MemorySegment segment, long offset) {
        this.segment = segment;
        this.offset = offset;
        return this;
    }

    /**
     * Judges the fields that need no state: whether the operation is one that there is. Alignment is not judged here,
     * because it is the target's address that must be aligned, and a tagged offset alone does not tell it (RFC 7306
     * §5.2.1).
     *
     * @param draftSwap whether the draft's Swap counts as one, too
     * @return what to terminate the stream with, or null
     */
    public @Nullable TerminateCode check(boolean draftSwap) {
        int code = operationCode();
        AtomicOpcode operation = draftSwap ? AtomicOpcode.ofDraft(code) : AtomicOpcode.of(code);
        // RFC 7306 §5.2.1: an unsupported AOpCode MUST surface an error. No code is named; an operation that nobody
        // defined is an unexpected one.
        return operation == null ? TerminateCode.UNEXPECTED_OPCODE : null;
    }

    /** Judges the fields as RFC 7306 alone has it: {@code check(false)}. */
    public @Nullable TerminateCode check() {
        return check(false);
    }

    /** The operation, or null when RFC 7306 does not define {@link #operationCode}. */
    public @Nullable AtomicOpcode operation() {
        return AtomicOpcode.of(operationCode());
    }

    /** AOpCode, 0..15. */
    public int operationCode() {
        return segment.get(Wire.U32, offset + OPERATION) & OPERATION_MASK;
    }

    /** The 28 reserved bits in front of AOpCode; 0 on transmit. */
    public int reserved() {
        return segment.get(Wire.U32, offset + OPERATION) >>> RESERVED_SHIFT;
    }

    /** Request identifier, to be echoed in the response. */
    public int requestId() {
        return segment.get(Wire.U32, offset + REQUEST_ID);
    }

    /** STag of the responder's buffer. */
    public int remoteStag() {
        return segment.get(Wire.U32, offset + REMOTE_STAG);
    }

    /** Tagged offset of the eight target octets, unsigned. */
    public long remoteTo() {
        return segment.get(Wire.U64, offset + REMOTE_TO);
    }

    /** What to add, or what to swap in. */
    public long data() {
        return segment.get(Wire.U64, offset + DATA);
    }

    /** FetchAdd: top bits of the fields. CmpSwap: bits that change. */
    public long mask() {
        return segment.get(Wire.U64, offset + MASK);
    }

    /** CmpSwap: expected value. */
    public long compare() {
        return segment.get(Wire.U64, offset + COMPARE);
    }

    /** CmpSwap: bits that are compared. */
    public long compareMask() {
        return segment.get(Wire.U64, offset + COMPARE_MASK);
    }
}
