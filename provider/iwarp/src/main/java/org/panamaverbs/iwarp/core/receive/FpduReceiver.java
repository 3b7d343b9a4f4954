package org.panamaverbs.iwarp.core.receive;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.ShortCopy;
import org.panamaverbs.iwarp.core.work.Offender;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Markers;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.TerminateCode;

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

    // Staging is copied: more of it is taken only of a peer that sends many small messages.
    private static final int FEW_BYTES = 8 * 1024;

    private static final int HEADER_BYTES = 128;
    // ULPDU_Length and the two control octets: enough to know the rest of the header.
    private static final int PREFIX_BYTES = Fpdu.LENGTH_BYTES + DdpHeader.CONTROL_BYTES;

    private enum Phase {
        PREFIX,
        HEADER,
        PAYLOAD,
        TRAILER
    }

    private final SegmentHandler handler;
    private final Placement placement;
    private final Offender offender;
    private final MemorySegment header;
    private final MemorySegment ddp;
    private final MemorySegment trailer;
    private final MarkersIn markers;
    private final FpduCrc crc = new FpduCrc();
    private final ByteBuffer[] buffers = new ByteBuffer[2];
    private final MemorySegment[] memory = {MemorySegment.NULL, MemorySegment.NULL};
    private @Nullable Staging lent;
    private MemorySegment staging = MemorySegment.NULL;
    private boolean filled;
    private boolean direct;
    private int directStart;
    private int directLength;

    private Phase phase = Phase.PREFIX;
    private int need = PREFIX_BYTES;
    private int collected;
    private int ulpduLength;
    private int headerLength;
    private int payloadLeft;
    private boolean fpduOpen;
    private long position;
    private long fpduPosition;
    private boolean discard;
    private boolean stopped;
    private @Nullable TerminateCode verdict;
    private @Nullable TerminateCode fault;

    public FpduReceiver(SegmentHandler handler, Placement placement, Offender offender, Arena arena) {
        this.handler = handler;
        this.placement = placement;
        this.offender = offender;
        header = arena.allocate(HEADER_BYTES, 8);
        ddp = header.asSlice(Fpdu.LENGTH_BYTES);
        trailer = arena.allocate(Long.BYTES, 8);
        markers = new MarkersIn(arena);
    }

    public void start(boolean withCrc, boolean withMarkers) {
        crc.start(withCrc);
        markers.start(withMarkers);
    }

    /** Returns where the next octets must land, in order; pair with {@link #received}. */
    public ByteBuffer[] buffers(Staging ours) {
        direct = false;
        lent = ours;
        staging = ours.memory;
        int run = phase == Phase.PAYLOAD && !discard ? markers.runToNext(position, payloadLeft) : 0;
        if (run >= DIRECT_BYTES) {
            aimDirectly(run);
        }
        int room = direct
                ? Staging.BEHIND_BYTES
                : filled ? ours.view.capacity() : Math.min(FEW_BYTES, ours.view.capacity());
        int at = direct ? 1 : 0;
        buffers[at] = ours.view.clear().limit(room);
        memory[at] = ours.start;
        return buffers;
    }

    /** Returns how many of the {@link #buffers} count. */
    public int bufferCount() {
        return direct ? 2 : 1;
    }

    /**
     * Returns where index 0 of each of the {@link #buffers} lies: a segment of no length, or one to be held while it is
     * written.
     */
    public MemorySegment[] memory() {
        return memory;
    }

    private void aimDirectly(int run) {
        ByteBuffer view = placement.lend(run);
        if (view == null) {
            // Memory that takes copies only is no refusal.
            if (placement.isRefused()) {
                refuse();
            }
            return;
        }
        direct = true;
        directStart = view.position();
        directLength = view.remaining();
        buffers[0] = view;
        memory[0] = placement.memory();
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
        return phase == Phase.PREFIX && collected == 0 && !markers.isOpen() && !fpduOpen;
    }

    /**
     * Takes {@code octets} that were stored over the buffers; answers the fault that they hold. Nothing after it
     * counts.
     */
    @Nullable
    public TerminateCode received(long octets) {
        long rest = octets;
        filled = !direct && octets > 0 && octets == buffers[0].limit();
        if (direct) {
            int landed = (int) Math.min(octets, directLength);
            direct = false;
            // The view keeps the memory.
            buffers[0] = buffers[1];
            memory[0] = memory[1];
            if (!placement.landed(crc, directStart, landed)) {
                refuse();
            }
            payloadLeft -= landed;
            position += landed;
            rest -= landed;
            if (payloadLeft == 0) {
                beginTrailer();
            }
        }
        consume((int) rest);
        return fault;
    }

    private void consume(int available) {
        int at = 0;
        crc.stagedAgain();
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
            at += phase == Phase.PAYLOAD ? payload(at, available - at) : collect(at, available - at);
        }
        if (fpduOpen && !isInCrcField()) {
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
        int length = Fpdu.ulpduLength(staging, at);
        int size = Fpdu.size(length);
        if (size > available || length < DdpHeader.size(staging.get(ValueLayout.JAVA_BYTE, at + Fpdu.LENGTH_BYTES))) {
            return 0;
        }
        openFpdu(at);
        fpduPosition = position;
        ShortCopy.copy(staging, at, header, 0);
        afterPrefix();
        if (need > ShortCopy.BYTES) {
            MemorySegment.copy(staging, at, header, 0, need);
        }
        position += need;
        int taken = need;
        afterHeader();
        if (payloadLeft > 0) {
            taken += payload(at + taken, payloadLeft);
        }
        position += size - taken;
        int trailerAt = at + size - Fpdu.CRC_BYTES;
        crcUpTo(trailerAt);
        afterTrailer(staging, trailerAt);
        return size;
    }

    // RFC 5044 §4.1: the pad counts in the CRC whatever it holds; the CRC field itself does not.
    private boolean isInCrcField() {
        return phase == Phase.TRAILER && collected > need - Fpdu.CRC_BYTES;
    }

    /** Counts what was staged up to {@code at} in the CRC. */
    private void crcUpTo(int at) {
        Staging from = lent;
        if (from != null) {
            crc.upTo(from.checked, at);
        }
    }

    private int collectMarker(int at, int available) {
        if (!markers.isOpen() && !fpduOpen) {
            openFpdu(at);
        }
        int run = markers.take(staging, at, available);
        if (markers.ends()) {
            boolean inside = collected > 0 || phase != Phase.PREFIX;
            if (!markers.pointsBack(inside ? (int) (position - fpduPosition) : 0)) {
                fail(TerminateCode.MPA_FRAMING);
            }
            position += Markers.BYTES;
        }
        return run;
    }

    // The CRC of an FPDU begins with a marker that stands in front of it (RFC 5044 §4.3).
    private void openFpdu(int at) {
        crc.open(at);
        fpduOpen = true;
    }

    private int collect(int at, int available) {
        if (phase == Phase.PREFIX && collected == 0) {
            if (!fpduOpen) {
                openFpdu(at);
            }
            fpduPosition = position;
        }
        int run = markers.runToNext(position, Math.min(available, need - collected));
        MemorySegment target = phase == Phase.TRAILER ? trailer : header;
        MemorySegment.copy(staging, at, target, collected, run);
        if (phase == Phase.TRAILER) {
            crcUpTo(at + Math.clamp(need - Fpdu.CRC_BYTES - collected, 0, run));
        }
        collected += run;
        position += run;
        if (collected == need) {
            switch (phase) {
                case PREFIX -> afterPrefix();
                case HEADER -> afterHeader();
                case TRAILER -> afterTrailer(trailer, need - Fpdu.CRC_BYTES);
                case PAYLOAD -> throw new IllegalStateException("payload is not collected");
            }
        }
        return run;
    }

    private void afterPrefix() {
        ulpduLength = Fpdu.ulpduLength(header, 0);
        int control = header.get(ValueLayout.JAVA_BYTE, Fpdu.LENGTH_BYTES);
        if (ulpduLength < DdpHeader.size(control)) {
            shortUlpdu();
            return;
        }
        phase = Phase.HEADER;
        need = Fpdu.LENGTH_BYTES + DdpHeader.size(control);
        Opcode opcode = Opcode.ofControl(header.get(ValueLayout.JAVA_BYTE, Fpdu.LENGTH_BYTES + 1));
        boolean controlMessage = opcode != null && !opcode.hasPayload();
        if (controlMessage && Fpdu.LENGTH_BYTES + ulpduLength <= HEADER_BYTES) {
            need = Fpdu.LENGTH_BYTES + ulpduLength;
        }
    }

    // No code is registered for a ULPDU without room for its header; siw answers the same.
    private void shortUlpdu() {
        if (ulpduLength < DdpHeader.CONTROL_BYTES) {
            fail(TerminateCode.MPA_FRAMING);
            return;
        }
        verdict = TerminateCode.MPA_FRAMING;
        discard = true;
        phase = Phase.PAYLOAD;
        payloadLeft = ulpduLength - DdpHeader.CONTROL_BYTES;
        if (payloadLeft == 0) {
            beginTrailer();
        }
    }

    private void afterHeader() {
        headerLength = need - Fpdu.LENGTH_BYTES;
        payloadLeft = ulpduLength - headerLength;
        placement.nowhere();
        verdict = handler.onHeader(ddp, headerLength, ulpduLength, placement);
        discard = verdict != null || !placement.isAimed();
        if (verdict != null) {
            rememberOffender();
        }
        phase = Phase.PAYLOAD;
        if (payloadLeft == 0) {
            beginTrailer();
        }
    }

    private void rememberOffender() {
        Opcode opcode = Opcode.ofControl(header.get(ValueLayout.JAVA_BYTE, Fpdu.LENGTH_BYTES + 1));
        offender.received(ddp, 0, headerLength, ulpduLength, opcode == Opcode.READ_REQUEST);
    }

    private int payload(int at, int available) {
        int run = markers.runToNext(position, Math.min(available, payloadLeft));
        if (!discard && !placement.copy(staging, at, run)) {
            refuse();
        }
        payloadLeft -= run;
        position += run;
        if (payloadLeft == 0) {
            beginTrailer();
        }
        return run;
    }

    private void refuse() {
        discard = true;
        verdict = placement.refusalCode();
        if (placement.refusedLocally()) {
            handler.onLocalRefusal();
            offender.clear();
        } else {
            rememberOffender();
        }
    }

    private void beginTrailer() {
        phase = Phase.TRAILER;
        need = Fpdu.pad(ulpduLength) + Fpdu.CRC_BYTES;
        collected = 0;
    }

    private void afterTrailer(MemorySegment segment, int crcAt) {
        if (!crc.matches(segment, crcAt)) {
            offender.clear();
            fail(TerminateCode.MPA_CRC);
            return;
        }
        TerminateCode found = verdict;
        if (found == null) {
            found = handler.onSegment();
            if (found != null) {
                rememberOffender();
            }
        }
        if (found != null) {
            fail(found);
            return;
        }
        phase = Phase.PREFIX;
        need = PREFIX_BYTES;
        collected = 0;
        fpduOpen = false;
    }

    private void fail(TerminateCode code) {
        fault = code;
    }
}
