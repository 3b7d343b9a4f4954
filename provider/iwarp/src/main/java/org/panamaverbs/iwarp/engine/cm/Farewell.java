package org.panamaverbs.iwarp.engine.cm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.wire.Crc32c;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Markers;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.TerminateHeader;

/** The only message of a connection that is agreed on but that no queue pair takes. */
final class Farewell {
    private static final int ULPDU = DdpHeader.UNTAGGED_BYTES + TerminateHeader.MIN_BYTES;

    private Farewell() {}

    /**
     * Tells the peer that this side cannot go on, and closes {@code transport}. A responder says nothing, because
     * nothing may come from it before the initiator's first FPDU (RFC 5044 §7.1.2).
     */
    static void setupFailed(Transport transport, Negotiated negotiated) {
        try {
            if (negotiated.initiator()) {
                transport.write(terminate(negotiated.crc(), negotiated.markersOut()));
            }
        } catch (IOException e) {
            System.getLogger(Farewell.class.getName())
                    .log(System.Logger.Level.DEBUG, "a peer left before it was told that this side cannot go on", e);
        } finally {
            transport.close(false);
        }
    }

    // RFC 6581 §9.3: "Layer 2, Error Type 0, Error Code 5 when it encounters any error locally".
    private static ByteBuffer terminate(boolean crc, boolean markers) {
        int marker = markers ? Markers.BYTES : 0;
        byte[] octets = new byte[marker + Fpdu.size(ULPDU)];
        MemorySegment segment = MemorySegment.ofArray(octets);
        int at = marker + Fpdu.LENGTH_BYTES;
        // The marker in front of the first FPDU is zero, as the array is, and belongs to the CRC.
        Fpdu.emitLength(segment, marker, ULPDU);
        DdpHeader.emitUntagged(segment, at, true, Opcode.TERMINATE, 0, 1, 0);
        TerminateHeader.emit(segment, at + DdpHeader.UNTAGGED_BYTES, TerminateCode.MPA_LOCAL_CATASTROPHIC);
        if (crc) {
            Crc32c sum = new Crc32c();
            sum.update(segment, 0, octets.length - Fpdu.CRC_BYTES);
            sum.emit(segment, octets.length - Fpdu.CRC_BYTES);
        }
        return ByteBuffer.wrap(octets);
    }
}
