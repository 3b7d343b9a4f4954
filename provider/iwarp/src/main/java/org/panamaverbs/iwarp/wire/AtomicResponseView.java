package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/**
 * The header of an Atomic Response (RFC 7306 §5.2.2), right behind the untagged DDP header.
 *
 * <pre>
 *  0                4                       12
 *  | Request Id     | Original Remote Data  |
 * </pre>
 *
 * <p>Reusable flyweight, one thread at a time.
 */
public final class AtomicResponseView {
    /** Size of the header. */
    public static final int BYTES = 12;

    private static final int REQUEST_ID = 0;
    private static final int ORIGINAL = 4;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** Writes a header; {@code original} is the target's value before the operation. */
    public static void emit(MemorySegment segment, long offset, int requestId, long original) {
        segment.set(Wire.U32, offset + REQUEST_ID, requestId);
        segment.set(Wire.U64, offset + ORIGINAL, original);
    }

    /** Looks at the {@value #BYTES} octets at {@code offset} from now on. */
    public AtomicResponseView wrap(MemorySegment segment, long offset) {
        this.segment = segment;
        this.offset = offset;
        return this;
    }

    /** Identifier of the request this answers. */
    public int requestId() {
        return segment.get(Wire.U32, offset + REQUEST_ID);
    }

    /** The target's value before the operation. */
    public long original() {
        return segment.get(Wire.U64, offset + ORIGINAL);
    }
}
