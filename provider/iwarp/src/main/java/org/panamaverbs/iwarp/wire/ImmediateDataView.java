package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/**
 * The eight octets of an Immediate Data message (RFC 7306 §6.2), right behind the untagged DDP header.
 *
 * <pre>
 *  0                        8
 *  | Immediate Data         |
 * </pre>
 *
 * <p>RFC 7306 gives them no meaning and no byte order; here they are read as one big-endian number. Reusable flyweight,
 * one thread at a time.
 */
public final class ImmediateDataView {
    /** Size of the data. */
    public static final int BYTES = 8;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** Writes the data. */
    public static void emit(MemorySegment segment, long offset, long immediate) {
        segment.set(Wire.U64, offset, immediate);
    }

    /** Looks at the {@value #BYTES} octets at {@code offset} from now on. */
    public ImmediateDataView wrap(MemorySegment segment, long offset) {
        this.segment = segment;
        this.offset = offset;
        return this;
    }

    /** The data, first octet on the wire in the top bits. */
    public long immediate() {
        return segment.get(Wire.U64, offset);
    }
}
