package org.panamaverbs.iwarp.core.receive;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.ShortCopy;
import org.panamaverbs.iwarp.core.receive.OpenFpdu.Phase;
import org.panamaverbs.iwarp.core.work.TerminatedHeaders;
import org.panamaverbs.iwarp.io.IoVector;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.mpa.Fpdu;
import org.panamaverbs.iwarp.wire.mpa.FpduCrc;
import org.panamaverbs.iwarp.wire.mpa.Markers;

/**
 * Finds the FPDUs in the octets of the peer (RFC 5044 §4 to §6): length, headers, payload, pad, CRC, and the markers in
 * between. Payload above {@link #DIRECT_BYTES} is received where it belongs, all else through a small staging buffer.
 * Any split of the input gives the same result.
 *
 * <p>A fault of the headers is reported only after the CRC was right, so that a damaged FPDU is called just that; its
 * payload is not placed. Payload is placed before the CRC is known: after a CRC error the buffer's contents are
 * indeterminate (RFC 5040 §3.1).
 */
public final class FpduReceiver {
    /** Payload from here on is received in place. */
    public static final int DIRECT_BYTES = 256;

    private static final int HEADER_BYTES = 128;

    private final SegmentHandler handler;
    private final Placement placement;
    private final TerminatedHeaders terminatedHeaders;
    private final MemorySegment header;
    private final MemorySegment ddp;
    private final MemorySegment trailer;
    private final MarkersIn markers;
    private final FpduCrc crc = new FpduCrc();
    private final Landing landing = new Landing();
    private final OpenFpdu fpdu = new OpenFpdu();

    // So many octets of the stream are taken, markers included.
    private long position;
    // Nothing that follows counts; from the end of the stream on.
    private boolean stopped;
    // What the stream ends with; from the first fault on.
    private @Nullable TerminateCode fault;

    public FpduReceiver(SegmentHandler handler, Placement placement, TerminatedHeaders terminatedHeaders, Arena arena) {
        this.handler = handler;
        this.placement = placement;
        this.terminatedHeaders = terminatedHeaders;
        header = arena.allocate(HEADER_BYTES, 8);
        ddp = header.asSlice(Fpdu.LENGTH_BYTES);
        trailer = arena.allocate(Long.BYTES, 8);
        markers = new MarkersIn(arena);
    }

    public void start(boolean withCrc, boolean withMarkers) {
        crc.start(withCrc);
        markers.start(withMarkers);
    }

    /** Returns where the next octets must land; pair with {@link #received}. */
    public IoVector aim(Staging ours) {
        landing.aim(ours);
        int run = fpdu.phase == Phase.PAYLOAD && !fpdu.discard ? markers.runToNext(position, fpdu.payloadLeft) : 0;
        if (run >= DIRECT_BYTES) {
            aimDirectly(run, ours);
        }
        return landing.vector();
    }

    private void aimDirectly(int run, Staging ours) {
        ByteBuffer view = placement.lend(run);
        if (view != null) {
            landing.aim(view, placement.memory(), ours);
        } else if (placement.isRefused()) {
            // Memory that takes copies only is no refusal.
            refuse();
        }
    }

    /** Takes nothing any more: what follows the segment at hand does not count. Nobody stays in registered memory. */
    public void stop() {
        stopped = true;
        placement.release();
    }

    /** Returns how many octets of the stream were taken. */
    public long position() {
        return position;
    }

    /** Tells whether the octets so far end with an FPDU. */
    public boolean isBetweenFpdus() {
        return fpdu.isBefore() && !markers.isOpen() && !fpdu.open;
    }

    /**
     * Takes {@code octets} that were stored where they must land; answers the fault that they hold. Nothing after it
     * counts.
     */
    @Nullable
    public TerminateCode received(long octets) {
        boolean direct = landing.isDirect();
        int landed = landing.landed(octets);
        if (direct) {
            if (!placement.landed(crc, landing.directStart(), landed)) {
                refuse();
            }
            position += landed;
            fpdu.took(landed);
        }
        consume((int) (octets - landed));
        return fault;
    }

    private void consume(int available) {
        int at = 0;
        crc.beginsAgain();
        while (at < available && fault == null && !stopped) {
            if (markers.isDue(position)) {
                at += collectMarker(at, available - at);
                continue;
            }
            int whole = isBetweenFpdus() && !markers.areOn() ? takeWhole(at, available - at) : 0;
            if (whole > 0) {
                at += whole;
                continue;
            }
            at += fpdu.phase == Phase.PAYLOAD ? payload(at, available - at) : collect(at, available - at);
        }
        if (fpdu.open && !fpdu.isInCrcField()) {
            crcUpTo(at);
        }
    }

    /**
     * Takes the FPDU that begins at {@code at} in one go, as the small ones that come many at once; answers its octets,
     * 0 if it is not all there or no FPDU.
     */
    private int takeWhole(int at, int available) {
        if (available < ShortCopy.BYTES) {
            return 0;
        }
        MemorySegment staged = landing.staging();
        long first = Fpdu.first(staged, at);
        int length = Fpdu.ulpduLength(first);
        int size = Fpdu.size(length);
        if (size > available || length < DdpHeader.size(Fpdu.ddpControl(first))) {
            return 0;
        }
        openFpdu(at);
        fpdu.position = position;
        ShortCopy.copy(staged, at, header, 0);
        afterPrefix(first);
        if (fpdu.need > ShortCopy.BYTES) {
            MemorySegment.copy(staged, at, header, 0, fpdu.need);
        }
        position += fpdu.need;
        int taken = fpdu.need;
        afterHeader();
        if (fpdu.payloadLeft > 0) {
            taken += payload(at + taken, fpdu.payloadLeft);
        }
        position += size - taken;
        int trailerAt = at + size - Fpdu.CRC_BYTES;
        crcUpTo(trailerAt);
        afterTrailer(staged, trailerAt);
        return size;
    }

    /** Counts what was staged up to {@code at} in the CRC. */
    private void crcUpTo(int at) {
        landing.count(crc, at);
    }

    private int collectMarker(int at, int available) {
        if (!markers.isOpen() && !fpdu.open) {
            openFpdu(at);
        }
        int run = markers.take(landing.staging(), at, available);
        if (markers.ends()) {
            if (!markers.pointsBack(fpdu.isBefore() ? 0 : (int) (position - fpdu.position))) {
                fail(TerminateCode.MPA_FRAMING);
            }
            position += Markers.BYTES;
        }
        return run;
    }

    // The CRC of an FPDU begins with a marker that stands in front of it (RFC 5044 §4.3).
    private void openFpdu(int at) {
        crc.open(at);
        fpdu.open = true;
    }

    private int collect(int at, int available) {
        if (fpdu.isBefore()) {
            if (!fpdu.open) {
                openFpdu(at);
            }
            fpdu.position = position;
        }
        int run = markers.runToNext(position, Math.min(available, fpdu.need - fpdu.collected));
        MemorySegment target = fpdu.phase == Phase.TRAILER ? trailer : header;
        MemorySegment.copy(landing.staging(), at, target, fpdu.collected, run);
        if (fpdu.phase == Phase.TRAILER) {
            crcUpTo(at + Math.clamp(fpdu.need - Fpdu.CRC_BYTES - fpdu.collected, 0, run));
        }
        fpdu.collected += run;
        position += run;
        if (fpdu.collected == fpdu.need) {
            switch (fpdu.phase) {
                case PREFIX -> afterPrefix(Fpdu.first(header, 0));
                case HEADER -> afterHeader();
                case TRAILER -> afterTrailer(trailer, fpdu.need - Fpdu.CRC_BYTES);
                case PAYLOAD -> throw new IllegalStateException("payload is not collected");
            }
        }
        return run;
    }

    private void afterPrefix(long first) {
        fpdu.ulpduLength = Fpdu.ulpduLength(first);
        int control = Fpdu.ddpControl(first);
        if (fpdu.ulpduLength < DdpHeader.size(control)) {
            shortUlpdu();
            return;
        }
        fpdu.phase = Phase.HEADER;
        fpdu.need = Fpdu.LENGTH_BYTES + DdpHeader.size(control);
        Opcode opcode = Opcode.ofControl(Fpdu.rdmapControl(first));
        boolean controlMessage = opcode != null && !opcode.hasPayload();
        if (controlMessage && Fpdu.LENGTH_BYTES + fpdu.ulpduLength <= HEADER_BYTES) {
            fpdu.need = Fpdu.LENGTH_BYTES + fpdu.ulpduLength;
        }
    }

    // No code is registered for a ULPDU without room for its header; siw answers the same.
    private void shortUlpdu() {
        if (fpdu.ulpduLength < DdpHeader.CONTROL_BYTES) {
            fail(TerminateCode.MPA_FRAMING);
            return;
        }
        fpdu.verdict = TerminateCode.MPA_FRAMING;
        fpdu.discard = true;
        fpdu.beginPayload(fpdu.ulpduLength - DdpHeader.CONTROL_BYTES);
    }

    private void afterHeader() {
        fpdu.headerLength = fpdu.need - Fpdu.LENGTH_BYTES;
        placement.nowhere();
        TerminateCode found = handler.onHeader(ddp, fpdu.headerLength, fpdu.ulpduLength, placement);
        fpdu.verdict = found;
        fpdu.discard = found != null || !placement.isAimed();
        if (found != null) {
            keepHeaders();
        }
        fpdu.beginPayload(fpdu.ulpduLength - fpdu.headerLength);
    }

    private void keepHeaders() {
        Opcode opcode = Opcode.ofControl(header.get(ValueLayout.JAVA_BYTE, Fpdu.LENGTH_BYTES + 1));
        terminatedHeaders.received(ddp, 0, fpdu.headerLength, fpdu.ulpduLength, opcode == Opcode.READ_REQUEST);
    }

    private int payload(int at, int available) {
        int run = markers.runToNext(position, Math.min(available, fpdu.payloadLeft));
        if (!fpdu.discard && !placement.copy(landing.staging(), at, run)) {
            refuse();
        }
        position += run;
        fpdu.took(run);
        return run;
    }

    private void refuse() {
        fpdu.discard = true;
        fpdu.verdict = placement.refusalCode();
        if (placement.refusedLocally()) {
            handler.onLocalRefusal();
            terminatedHeaders.clear();
        } else {
            keepHeaders();
        }
    }

    private void afterTrailer(MemorySegment segment, int crcAt) {
        if (!crc.matches(segment, crcAt)) {
            terminatedHeaders.clear();
            fail(TerminateCode.MPA_CRC);
            return;
        }
        TerminateCode found = fpdu.verdict;
        if (found == null) {
            found = handler.onSegment();
            if (found != null) {
                keepHeaders();
            }
        }
        if (found != null) {
            fail(found);
            return;
        }
        fpdu.end();
    }

    private void fail(TerminateCode code) {
        fault = code;
    }
}
