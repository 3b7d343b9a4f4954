package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.TerminatedSegment;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.UntaggedView;
import org.panamaverbs.memory.STag;

/** Reads the headers of a segment at fault for the application. Whatever they hold, they are shown as they stand. */
final class SegmentHeaders {
    // Of a returned Atomic Request there may be as much as a Read Request has: its STag and offset are in that.
    private static final int SHORTEST_REQUEST = ReadRequestView.BYTES;

    // RFC 5041 §4.1: the second octet of any header is RDMAP's, and there the lower half is the opcode.
    private static final int RDMAP_CONTROL = 1;
    private static final int OPCODE_MASK = 0x0F;

    private SegmentHeaders() {}

    /** Returns what a Terminate returned, null if nothing. */
    public static @Nullable TerminatedSegment of(Terminate terminate) {
        int octets = terminate.ddpHeader().size() + terminate.rdmapHeader().size();
        byte[] headers = ByteBuffer.allocate(AtomicRequestView.BYTES + DdpHeader.UNTAGGED_BYTES)
                .put(terminate.ddpHeader().toByteArray())
                .put(terminate.rdmapHeader().toByteArray())
                .array();
        return of(MemorySegment.ofArray(headers), octets, terminate.ulpduLength());
    }

    /**
     * Returns what the {@code octets} at the start of {@code headers} say, null if they are too few.
     *
     * @param headers with room for an untagged header and an Atomic Request, whatever there is of them
     * @param ulpduLength the segment's length, or {@link TerminatedSegment#UNKNOWN_LENGTH}
     */
    public static @Nullable TerminatedSegment of(MemorySegment headers, int octets, int ulpduLength) {
        if (octets < DdpHeader.CONTROL_BYTES) {
            return null;
        }
        int control = headers.get(ValueLayout.JAVA_BYTE, 0);
        if (octets < DdpHeader.size(control)) {
            return null;
        }
        int opcode = headers.get(ValueLayout.JAVA_BYTE, RDMAP_CONTROL) & OPCODE_MASK;
        boolean last = DdpHeader.isLast(control);
        if (DdpHeader.isTagged(control)) {
            TaggedView view = new TaggedView().wrap(headers, 0, DdpHeader.TAGGED_BYTES);
            return new TerminatedSegment.Tagged(opcode, last, ulpduLength, STag.of(view.stag()), view.to());
        }
        UntaggedView view = new UntaggedView().wrap(headers, 0, DdpHeader.UNTAGGED_BYTES);
        Opcode known = Opcode.of(opcode);
        boolean invalidates = known != null && known.invalidates();
        return new TerminatedSegment.Untagged(
                opcode,
                last,
                ulpduLength,
                Integer.toUnsignedLong(view.qn()),
                Integer.toUnsignedLong(view.msn()),
                Integer.toUnsignedLong(view.mo()),
                invalidates ? STag.of(view.invalidateStag()) : null,
                request(known, headers, octets));
    }

    private static TerminatedSegment.@Nullable Request request(
            @Nullable Opcode opcode, MemorySegment headers, int octets) {
        if (octets < DdpHeader.UNTAGGED_BYTES + SHORTEST_REQUEST) {
            return null;
        }
        if (opcode == Opcode.READ_REQUEST) {
            ReadRequestView read = new ReadRequestView().wrap(headers, DdpHeader.UNTAGGED_BYTES);
            return new TerminatedSegment.ReadRequest(
                    STag.of(read.sinkStag()), read.sinkTo(), read.size(), STag.of(read.sourceStag()), read.sourceTo());
        }
        if (opcode == Opcode.ATOMIC_REQUEST) {
            AtomicRequestView atomic = new AtomicRequestView().wrap(headers, DdpHeader.UNTAGGED_BYTES);
            return new TerminatedSegment.AtomicRequest(
                    atomic.operationCode(), atomic.requestId(), STag.of(atomic.remoteStag()), atomic.remoteTo());
        }
        return null;
    }
}
