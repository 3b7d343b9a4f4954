package org.panamaverbs.iwarp.core.setup;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.wire.Crc32c;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Markers;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.TerminateHeader;

/** The Terminate that is the only message of a connection which is agreed on but gets no stream. */
public final class SetupTerminate {
    private static final int ULPDU = DdpHeader.UNTAGGED_BYTES + TerminateHeader.MIN_BYTES;

    private SetupTerminate() {}

    /**
     * Returns what to send when this side cannot go on. A responder says nothing, because nothing may come from it
     * before the initiator's first FPDU (RFC 5044 §7.1.2): there are no octets then.
     */
    public static ByteBuffer octets(Negotiated negotiated) {
        if (!negotiated.initiator()) {
            return ByteBuffer.allocate(0);
        }
        int marker = negotiated.markersOut() ? Markers.BYTES : 0;
        byte[] octets = new byte[marker + Fpdu.size(ULPDU)];
        MemorySegment segment = MemorySegment.ofArray(octets);
        int at = marker + Fpdu.LENGTH_BYTES;
        // The marker in front of the first FPDU is zero, as the array is, and belongs to the CRC.
        Fpdu.emitLength(segment, marker, ULPDU);
        DdpHeader.emitUntagged(segment, at, true, Opcode.TERMINATE, 0, 1, 0);
        // RFC 6581 §9.3: "Layer 2, Error Type 0, Error Code 5 when it encounters any error locally".
        TerminateHeader.emit(segment, at + DdpHeader.UNTAGGED_BYTES, TerminateCode.MPA_LOCAL_CATASTROPHIC);
        if (negotiated.crc()) {
            Crc32c sum = new Crc32c();
            sum.update(segment, 0, octets.length - Fpdu.CRC_BYTES);
            sum.emit(segment, octets.length - Fpdu.CRC_BYTES);
        }
        return ByteBuffer.wrap(octets);
    }
}
