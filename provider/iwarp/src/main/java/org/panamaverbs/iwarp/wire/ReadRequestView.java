package org.panamaverbs.iwarp.wire;

import java.lang.foreign.MemorySegment;

/**
 * The header of an RDMA Read Request (RFC 5040 §4.4), right behind the untagged DDP header.
 *
 * <pre>
 *  0           4             12     16          20           28
 *  | Sink STag | Sink TO     | Size | Src STag  | Src TO     |
 * </pre>
 *
 * <p>The sink is the requester's buffer, the source the responder's. Reusable flyweight, one thread at a time.
 */
public final class ReadRequestView {
    /** Size of the header. */
    public static final int BYTES = 28;

    private static final int SINK_STAG = 0;
    private static final int SINK_TO = 4;
    private static final int SIZE = 12;
    private static final int SOURCE_STAG = 16;
    private static final int SOURCE_TO = 20;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;

    /** Writes a header; {@code size} is the message's length in octets, unsigned, and may be 0. */
    public static void emit(
            MemorySegment segment, long offset, int sinkStag, long sinkTo, int size, int sourceStag, long sourceTo) {
        segment.set(Wire.U32, offset + SINK_STAG, sinkStag);
        segment.set(Wire.U64, offset + SINK_TO, sinkTo);
        segment.set(Wire.U32, offset + SIZE, size);
        segment.set(Wire.U32, offset + SOURCE_STAG, sourceStag);
        segment.set(Wire.U64, offset + SOURCE_TO, sourceTo);
    }

    /** Looks at the {@value #BYTES} octets at {@code offset} from now on. */
    public ReadRequestView wrap(MemorySegment segment, long offset) {
        this.segment = segment;
        this.offset = offset;
        return this;
    }

    /** STag of the requester's buffer, to be echoed in the response. */
    public int sinkStag() {
        return segment.get(Wire.U32, offset + SINK_STAG);
    }

    /** Tagged offset in the requester's buffer, unsigned. */
    public long sinkTo() {
        return segment.get(Wire.U64, offset + SINK_TO);
    }

    /** Octets to read, 0..2^32-1. */
    public long size() {
        return Integer.toUnsignedLong(segment.get(Wire.U32, offset + SIZE));
    }

    /** STag of the responder's buffer. */
    public int sourceStag() {
        return segment.get(Wire.U32, offset + SOURCE_STAG);
    }

    /** Tagged offset in the responder's buffer, unsigned. */
    public long sourceTo() {
        return segment.get(Wire.U64, offset + SOURCE_TO);
    }
}
