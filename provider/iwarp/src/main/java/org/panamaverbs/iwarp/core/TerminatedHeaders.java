package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.TerminatedSegment;
import org.panamaverbs.iwarp.wire.AtomicRequestView;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.TerminateHeader;

/** The headers of the segment that caused a fault, for the Terminate to return (RFC 5040 §4.8). */
final class TerminatedHeaders {
    private static final int BYTES = DdpHeader.UNTAGGED_BYTES + AtomicRequestView.BYTES;

    private final MemorySegment headers;
    private int octets;
    private int ulpduLength;
    private boolean present;
    private boolean readRequest;

    public TerminatedHeaders(Arena arena) {
        headers = arena.allocate(BYTES, 8);
    }

    /** Takes the headers of a segment as it was received, of which {@code collected} octets are there. */
    public void received(
            MemorySegment segment, long offset, int collected, int segmentUlpduLength, boolean isReadRequest) {
        int size = Math.min(collected, BYTES);
        MemorySegment.copy(segment, offset, headers, 0, size);
        octets = size;
        ulpduLength = segmentUlpduLength;
        present = size >= DdpHeader.CONTROL_BYTES && size >= DdpHeader.size(headers.get(ValueLayout.JAVA_BYTE, 0));
        readRequest = isReadRequest && size >= DdpHeader.UNTAGGED_BYTES + ReadRequestView.BYTES;
    }

    /** Restores the Read or Atomic Request whose response failed after {@code sent} octets. */
    public void request(InboundRequests requests, long sent) {
        readRequest = !requests.isAtomic();
        Opcode opcode = readRequest ? Opcode.READ_REQUEST : Opcode.ATOMIC_REQUEST;
        DdpHeader.emitUntagged(headers, 0, true, opcode, 0, requests.msn(), 0);
        if (readRequest) {
            // RFC 5040 §4.8: the returned header shows how far the response came.
            ReadRequestView.emit(
                    headers,
                    DdpHeader.UNTAGGED_BYTES,
                    requests.sinkStag(),
                    requests.sinkTo() + sent,
                    (int) (requests.size() - sent),
                    requests.sourceStag(),
                    requests.sourceTo() + sent);
        } else {
            AtomicRequestView.emitAgain(
                    headers,
                    DdpHeader.UNTAGGED_BYTES,
                    requests.atomicOperation(),
                    requests.requestId(),
                    requests.sourceStag(),
                    requests.sourceTo());
        }
        octets = DdpHeader.UNTAGGED_BYTES + opcode.headerBytes();
        ulpduLength = DdpHeader.UNTAGGED_BYTES + opcode.headerBytes();
        present = true;
    }

    /** Forgets the segment: the fault has none of the peer. */
    public void clear() {
        present = false;
    }

    /** Returns what is known of the segment that {@code code} is the verdict on, null if it has none. */
    @Nullable
    public TerminatedSegment segment(TerminateCode code) {
        return present && code.includesDdpHeader() ? SegmentHeaders.of(headers, octets, ulpduLength) : null;
    }

    /** Writes the Terminate header for {@code code} and returns its length. */
    public int emit(MemorySegment target, long offset, TerminateCode code) {
        if (!present || !code.includesDdpHeader()) {
            return TerminateHeader.emit(target, offset, code);
        }
        boolean withRequest = readRequest && code.includesReadRequest();
        return TerminateHeader.emit(target, offset, code, ulpduLength, headers, 0, withRequest);
    }
}
