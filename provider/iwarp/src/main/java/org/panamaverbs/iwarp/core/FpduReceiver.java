package org.panamaverbs.iwarp.core;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.iovec.IoVector;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.FpduCrc;
import org.panamaverbs.iwarp.wire.Markers;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.TerminateCode;

/**
 * Finds the FPDUs in the octets of the peer (RFC 5044 §4 to §6): length, headers, payload, pad, CRC, and the markers in
 * between. Payload above {@link #DIRECT_BYTES} is received where it belongs, all else through a small staging buffer.
 * Any split of the input gives the same result.
 *
 * <p>{@link #aim} says where the next octets land, {@link #received} takes them. An FPDU that is in staging as a whole
 * is read where it lies; of any other, headers and trailer are collected first.
 *
 * <p>A fault of the headers is reported only after the CRC was right, so that a damaged FPDU is called just that; its
 * payload is not placed. Payload is placed before the CRC is known: after a CRC error the buffer's contents are
 * indeterminate (RFC 5040 §3.1).
 */
final class FpduReceiver {
    /** Payload from here on is received in place. */
    public static final int DIRECT_BYTES = 256;

    // ULPDU_Length and the two control octets: enough to know the rest of the header.
    private static final int PREFIX_BYTES = Fpdu.LENGTH_BYTES + DdpHeader.CONTROL_BYTES;
    private static final int HEADER_BYTES = 128;
    // Staging is copied: more of it is taken only of a peer that sends many small messages.
    private static final int FEW_BYTES = 8 * 1024;

    /** The parts of an FPDU, in order. */
    private enum Phase {
        PREFIX,
        HEADER,
        PAYLOAD,
        TRAILER
    }

    private final Receiver receiver;
    private final Placement placement;
    private final TerminatedHeaders terminatedHeaders;
    private final PredictedReceive predicted;
    private final FpduCrc crc = new FpduCrc();

    // ---- where the octets of one read land: set before each read --------------------------------------------------

    private final IoVector vector = new IoVector(2);
    // Of the read under way or the last one.
    private @Nullable Staging lent;
    private MemorySegment staging = MemorySegment.NULL;
    // The last read left no room in staging: the peer has much to say.
    private boolean filled;
    // Payload lands where it belongs, from there, so much of it; from the aim to the end of the read.
    private boolean direct;
    private int directStart;
    private int directLength;

    // ---- the stream -----------------------------------------------------------------------------------------------

    // So many octets of the stream are taken, markers included.
    private long position;
    // Nothing that follows counts; from the end of the stream on.
    private boolean stopped;
    // What the stream ends with; from the first fault on.
    private @Nullable TerminateCode fault;
    // RFC 5041 §5.1: the L bit ends a message. Whether the segment at hand, or the last one, has it; whether the
    // headers of a message are here and its end is not; how many have ended.
    private boolean messageEnds;
    private boolean messageUnderWay;
    private long messagesEnded;
    // Markers come every 512 octets if the peer was asked for them (RFC 5044 §4.3); so many octets of one are here.
    private final MemorySegment marker;
    private boolean withMarkers;
    // Whether what is expected is taken by prediction first.
    private boolean predicts;
    private int markerCollected;

    // ---- the FPDU that is being received --------------------------------------------------------------------------

    // Octets of prefix and header, and of the trailer, where the FPDU comes in pieces.
    private final MemorySegment header;
    private final MemorySegment trailer;
    // The part that comes next, or is under way.
    private Phase phase = Phase.PREFIX;
    // So many octets end the part, and so many of them are here: of prefix and header together, or of the trailer.
    private int need = PREFIX_BYTES;
    private int collected;
    // Its first octet is here, or that of the marker in front of it.
    private boolean open;
    // Where in the stream its length field begins; known with that.
    private long fpduPosition;
    // Known with the prefix.
    private int ulpduLength;
    // Known with the header, as what follows.
    private int headerLength;
    // So many octets of payload are still to come.
    private int payloadLeft;
    // Its payload goes nowhere: said by the header, or when memory refuses the rest.
    private boolean discard;
    // What is wrong with it, to be told once its CRC was right; said by the header, or when memory refuses.
    private @Nullable TerminateCode verdict;

    public FpduReceiver(
            Receiver receiver,
            PredictedReceive predicted,
            Placement placement,
            TerminatedHeaders terminatedHeaders,
            Arena arena) {
        this.receiver = receiver;
        this.predicted = predicted;
        this.placement = placement;
        this.terminatedHeaders = terminatedHeaders;
        header = arena.allocate(HEADER_BYTES, 8);
        trailer = arena.allocate(Long.BYTES, 8);
        marker = arena.allocate(Markers.BYTES, 8);
    }

    public void start(boolean withCrc, boolean markers, boolean prediction) {
        crc.start(withCrc);
        withMarkers = markers;
        predicts = prediction && !markers;
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
        return !open;
    }

    /** Tells whether the headers of a message are here and its end is not. */
    public boolean isMessageUnderWay() {
        return messageUnderWay;
    }

    /** Returns how many messages have ended. */
    public long messagesEnded() {
        return messagesEnded;
    }

    // ---- one read -------------------------------------------------------------------------------------------------

    /** Returns where the next octets must land; pair with {@link #received}. */
    public IoVector aim(Staging ours) {
        lent = ours;
        staging = ours.memory;
        direct = false;
        vector.clear();
        int run = phase == Phase.PAYLOAD && !discard ? runToMarker(payloadLeft) : 0;
        if (run >= DIRECT_BYTES) {
            aimDirectly(run);
        }
        int room = direct ? Staging.BEHIND_BYTES : filled ? ours.view.capacity() : FEW_BYTES;
        vector.add(ours.view.clear().limit(Math.min(room, ours.view.capacity())), ours.start);
        return vector;
    }

    private void aimDirectly(int run) {
        ByteBuffer view = placement.lend(run);
        if (view != null) {
            direct = true;
            directStart = view.position();
            directLength = view.remaining();
            vector.add(view, placement.memory());
        } else if (placement.isRefused()) {
            // Memory that takes copies only is no refusal.
            refuse(header, Fpdu.LENGTH_BYTES);
        }
    }

    /**
     * Takes {@code octets} that were stored where they must land; answers the fault that they hold. Nothing after it
     * counts.
     */
    @Nullable
    public TerminateCode received(long octets) {
        filled = !direct && octets > 0 && octets == vector.buffer(0).limit();
        consume((int) (octets - (direct ? takeDirect(octets) : 0)));
        return fault;
    }

    /** Takes what landed where it belongs, the first of {@code octets}; returns how many that were. */
    private int takeDirect(long octets) {
        direct = false;
        vector.forget(0);
        int landed = (int) Math.min(octets, directLength);
        if (!placement.landed(crc, directStart, landed)) {
            refuse(header, Fpdu.LENGTH_BYTES);
        }
        position += landed;
        tookPayload(landed);
        return landed;
    }

    private void consume(int available) {
        int at = 0;
        crc.beginsAgain();
        while (at < available && fault == null && !stopped) {
            if (predicts && !open) {
                int run = takePredicted(at, available);
                if (run > 0) {
                    at += run;
                    continue;
                }
            }
            if (withMarkers && (markerCollected > 0 || Markers.isDue(position))) {
                at += collectMarker(at, available - at);
                continue;
            }
            int whole = withMarkers || open ? 0 : takeWhole(at, available - at);
            if (whole > 0) {
                at += whole;
            } else {
                at += phase == Phase.PAYLOAD ? takePayload(at, available - at) : collect(at, available - at);
            }
        }
        if (open && !isInCrcField()) {
            crcUpTo(at);
        }
    }

    /** Returns how many messages were taken by prediction. */
    long predicted() {
        return predicted.total();
    }

    private int takePredicted(int at, int end) {
        Staging from = lent;
        int run = from == null ? 0 : predicted.take(from, crc, at, end);
        if (run > 0) {
            took(run);
        }
        return run;
    }

    private void took(int run) {
        position += run;
        messageUnderWay = false;
        messagesEnded += predicted.messages();
    }

    /** Has what is expected be taken out of the peer's ring; null for none. */
    void ring(@Nullable SharedRing rings) {
        predicted.ring(rings);
    }

    /** Takes what is expected of the next {@code available} octets of the peer's ring; answers its octets. */
    int takeFromRing(int available) {
        if (!predicts || open || stopped || fault != null || crc.isOn()) {
            return 0;
        }
        int run = predicted.take(available);
        if (run > 0) {
            took(run);
        }
        return run;
    }

    /**
     * Takes the FPDU that begins at {@code at} of staging in one go, as the small ones that come many at once; answers
     * its octets, 0 if it is not all there or no FPDU.
     */
    private int takeWhole(int at, int available) {
        if (available < Long.BYTES) {
            return 0;
        }
        MemorySegment staged = staging;
        long first = Fpdu.first(staged, at);
        int length = Fpdu.ulpduLength(first);
        int size = Fpdu.size(length);
        int control = Fpdu.ddpControl(first);
        int ddpBytes = DdpHeader.size(control);
        if (size > available || length < ddpBytes) {
            return 0;
        }
        int headers = at + Fpdu.LENGTH_BYTES;
        openFpdu(at);
        ulpduLength = length;
        headerLength = headerBytes(first, ddpBytes, length);
        judge(staged, headers, control);
        if (!discard && !placement.copy(staged, headers + headerLength, length - headerLength)) {
            refuse(staged, headers);
        }
        position += size;
        int crcAt = at + size - Fpdu.CRC_BYTES;
        crcUpTo(crcAt);
        finish(staged, headers, staged, crcAt);
        return size;
    }

    /** Counts what was staged up to {@code at} in the CRC. */
    private void crcUpTo(int at) {
        Staging from = lent;
        if (from != null) {
            crc.upTo(from.checked, at);
        }
    }

    // ---- what comes in pieces -------------------------------------------------------------------------------------

    private int collectMarker(int at, int available) {
        if (markerCollected == 0 && !open) {
            openFpdu(at);
        }
        int run = Math.min(available, Markers.BYTES - markerCollected);
        MemorySegment.copy(staging, at, marker, markerCollected, run);
        markerCollected += run;
        if (markerCollected == Markers.BYTES) {
            markerCollected = 0;
            // RFC 5044 §4.2: the two low bits of FPDUPTR are treated as zero.
            int pointer = Markers.fpduPointer(marker, 0) & ~3;
            if (pointer != (isBeforeFpdu() ? 0 : (int) (position - fpduPosition))) {
                fault = TerminateCode.MPA_FRAMING;
            }
            position += Markers.BYTES;
        }
        return run;
    }

    private int collect(int at, int available) {
        if (isBeforeFpdu()) {
            if (!open) {
                openFpdu(at);
            }
            fpduPosition = position;
        }
        int run = runToMarker(Math.min(available, need - collected));
        boolean inTrailer = phase == Phase.TRAILER;
        MemorySegment.copy(staging, at, inTrailer ? trailer : header, collected, run);
        if (inTrailer) {
            crcUpTo(at + Math.clamp(need - Fpdu.CRC_BYTES - collected, 0, run));
        }
        collected += run;
        position += run;
        if (collected == need) {
            switch (phase) {
                case PREFIX -> afterPrefix(Fpdu.first(header, 0));
                case HEADER -> afterHeader();
                case TRAILER -> finish(header, Fpdu.LENGTH_BYTES, trailer, need - Fpdu.CRC_BYTES);
                case PAYLOAD -> throw new IllegalStateException("payload is not being collected");
            }
        }
        return run;
    }

    private void afterPrefix(long first) {
        ulpduLength = Fpdu.ulpduLength(first);
        int ddpBytes = DdpHeader.size(Fpdu.ddpControl(first));
        if (ulpduLength < ddpBytes) {
            shortUlpdu();
            return;
        }
        phase = Phase.HEADER;
        need = Fpdu.LENGTH_BYTES + headerBytes(first, ddpBytes, ulpduLength);
    }

    // No code is registered for a ULPDU without room for its header; siw answers the same.
    private void shortUlpdu() {
        if (ulpduLength < DdpHeader.CONTROL_BYTES) {
            fault = TerminateCode.MPA_FRAMING;
            return;
        }
        verdict = TerminateCode.MPA_FRAMING;
        discard = true;
        beginPayload(ulpduLength - DdpHeader.CONTROL_BYTES);
    }

    private void afterHeader() {
        headerLength = need - Fpdu.LENGTH_BYTES;
        judge(header, Fpdu.LENGTH_BYTES, header.get(ValueLayout.JAVA_BYTE, Fpdu.LENGTH_BYTES));
        beginPayload(ulpduLength - headerLength);
    }

    /** Payload comes next, or the trailer if there is none. */
    private void beginPayload(int octets) {
        phase = Phase.PAYLOAD;
        payloadLeft = octets;
        tookPayload(0);
    }

    private int takePayload(int at, int available) {
        int run = runToMarker(Math.min(available, payloadLeft));
        if (!discard && !placement.copy(staging, at, run)) {
            refuse(header, Fpdu.LENGTH_BYTES);
        }
        position += run;
        tookPayload(run);
        return run;
    }

    /** So many octets of payload are taken: behind the last one comes the trailer, pad and CRC field. */
    private void tookPayload(int octets) {
        payloadLeft -= octets;
        if (payloadLeft == 0) {
            phase = Phase.TRAILER;
            need = Fpdu.pad(ulpduLength) + Fpdu.CRC_BYTES;
            collected = 0;
        }
    }

    /** Returns how many of {@code wanted} octets come before the next marker. */
    private int runToMarker(int wanted) {
        if (!withMarkers) {
            return wanted;
        }
        return markerCollected > 0 ? 0 : Math.min(wanted, Markers.bytesToNext(position));
    }

    // ---- one FPDU -------------------------------------------------------------------------------------------------

    /** Tells whether no octet of a length field is here. */
    private boolean isBeforeFpdu() {
        return phase == Phase.PREFIX && collected == 0;
    }

    // RFC 5044 §4.1: the pad counts in the CRC whatever it holds; the CRC field itself does not.
    private boolean isInCrcField() {
        return phase == Phase.TRAILER && collected > need - Fpdu.CRC_BYTES;
    }

    // The CRC of an FPDU begins with a marker that stands in front of it (RFC 5044 §4.3).
    private void openFpdu(int at) {
        crc.open(at);
        open = true;
    }

    /** Returns how long the header is: of a message that is all header, as long as there is room for it, all of it. */
    private static int headerBytes(long first, int ddpBytes, int ulpduLength) {
        Opcode opcode = Opcode.ofControl(Fpdu.rdmapControl(first));
        boolean allHeader = opcode != null && !opcode.hasPayload();
        return allHeader && Fpdu.LENGTH_BYTES + ulpduLength <= HEADER_BYTES ? ulpduLength : ddpBytes;
    }

    /** Has the headers at {@code at}, the first octet of which is {@code control}, judged, and the payload aimed. */
    private void judge(MemorySegment headers, long at, int control) {
        messageEnds = DdpHeader.isLast(control);
        messageUnderWay = true;
        placement.nowhere();
        TerminateCode found = receiver.onHeader(DdpHeader.isTagged(control), headers, at, ulpduLength);
        verdict = found;
        discard = found != null || !placement.isAimed();
        if (found != null) {
            keepHeaders(headers, at);
        }
    }

    private void keepHeaders(MemorySegment headers, long at) {
        Opcode opcode = Opcode.ofControl(headers.get(ValueLayout.JAVA_BYTE, at + DdpHeader.RDMAP_CONTROL));
        terminatedHeaders.received(headers, at, headerLength, ulpduLength, opcode == Opcode.READ_REQUEST);
    }

    private void refuse(MemorySegment headers, long at) {
        discard = true;
        verdict = placement.refusalCode();
        if (placement.refusedLocally()) {
            receiver.onLocalRefusal();
            terminatedHeaders.clear();
        } else {
            keepHeaders(headers, at);
        }
    }

    /** Ends the FPDU, whose CRC field is at {@code crcAt} of {@code trailers}: delivers its segment, or fails. */
    private void finish(MemorySegment headers, long at, MemorySegment trailers, long crcAt) {
        if (!crc.matches(trailers, crcAt)) {
            terminatedHeaders.clear();
            fault = TerminateCode.MPA_CRC;
            return;
        }
        TerminateCode found = verdict;
        if (found == null) {
            if (messageEnds) {
                messageUnderWay = false;
                messagesEnded++;
            }
            found = receiver.onSegment(headers, at);
            if (found != null) {
                keepHeaders(headers, at);
            }
        }
        fault = found;
        if (found == null) {
            phase = Phase.PREFIX;
            need = PREFIX_BYTES;
            collected = 0;
            open = false;
        }
    }
}
