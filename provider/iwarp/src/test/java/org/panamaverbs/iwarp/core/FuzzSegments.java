package org.panamaverbs.iwarp.core;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.Markers;

/**
 * A peer that speaks correctly by default, so that deep states are reached, and distorts one field or another as the
 * fuzzer wants: sequence numbers, offsets, STags, versions, lengths, and octets on the wire.
 */
final class FuzzSegments {
    /** A Read or Atomic of the stream that waits for this peer's response. */
    private record Wanted(boolean atomic, int id, int stag, long to, long size) {}

    private static final int WILD_MSN = 0x01;
    private static final int WILD_MO = 0x02;
    private static final int WILD_QUEUE = 0x04;
    private static final int WILD_CONTROL = 0x08;
    private static final int WILD_LENGTH = 0x10;
    private static final int WILD_WIRE = 0x20;
    private static final int NOT_LAST = 0x40;
    private static final int WILD_STAG = 0x80;

    private final FuzzCore core;
    private final Deque<Wanted> wanted = new ArrayDeque<>();
    private int answersSeen;
    private long wantedSent;
    private int sendMsn = 1;
    private int sendOffset;
    private int requestMsn = 1;
    private int atomicMsn = 1;
    private long position;

    FuzzSegments(FuzzCore core) {
        this.core = core;
    }

    /** The octets of one FPDU. */
    byte[] next(FuzzInput in) {
        lookAtAnswers();
        int opcode = in.octet() & 0x0F;
        int wild = in.octet();
        byte[] segment = switch (opcode) {
            case Segments.WRITE -> write(in, wild);
            case Segments.READ_REQUEST -> readRequest(in, wild);
            case Segments.READ_RESPONSE -> readResponse(in, wild);
            case Segments.TERMINATE -> terminate(in);
            case Segments.IMMEDIATE, Segments.IMMEDIATE_SE ->
                untagged(opcode, 0, 0, sendMsn++, 0, wild, longs(in.int64()));
            case Segments.ATOMIC_REQUEST -> atomicRequest(in, wild);
            case Segments.ATOMIC_RESPONSE -> atomicResponse(in, wild);
            default -> send(opcode, in, wild);
        };
        distort(segment, in, wild);
        if ((wild & WILD_LENGTH) != 0) {
            segment = Arrays.copyOf(segment, Math.max(0, segment.length + (byte) in.octet()));
        }
        byte[] wire = frame(segment);
        if ((wild & WILD_WIRE) != 0) {
            wire[in.u16() % wire.length] ^= (byte) in.octet();
        }
        return wire;
    }

    /** The FPDU around {@code ulpdu}, with the markers that are due. */
    byte[] frame(byte... ulpdu) {
        byte[] wire = core.negotiated.markersIn() ? Framing.fpduWithMarkers(position, ulpdu) : Framing.fpdu(ulpdu);
        position += wire.length;
        return wire;
    }

    /** Octets that were sent as they are. */
    void sentRaw(int octets) {
        position += octets;
    }

    /** Where the next marker is due, from here. */
    boolean markerIsDue() {
        return core.negotiated.markersIn() && Markers.isDue(position);
    }

    private void lookAtAnswers() {
        for (; answersSeen < core.answers.size(); answersSeen++) {
            Segments.Parsed answer = core.answers.get(answersSeen);
            if (answer.opcode() == Segments.READ_REQUEST) {
                wanted.add(
                        new Wanted(false, 0, answer.at(18), answer.longAt(22), Integer.toUnsignedLong(answer.at(30))));
            } else if (answer.opcode() == Segments.ATOMIC_REQUEST) {
                wanted.add(new Wanted(true, answer.at(22), 0, 0, 0));
            }
        }
    }

    private void distort(byte[] segment, FuzzInput in, int wild) {
        ByteBuffer octets = ByteBuffer.wrap(segment);
        boolean untagged = segment[0] >= 0;
        if ((wild & WILD_CONTROL) != 0) {
            octets.putShort(0, (short) in.u16());
        }
        if ((wild & WILD_MSN) != 0 && untagged) {
            octets.putInt(10, octets.getInt(10) + (byte) in.octet());
        }
        if ((wild & WILD_MO) != 0 && untagged) {
            octets.putInt(14, octets.getInt(14) + (byte) in.octet());
        }
        if ((wild & WILD_QUEUE) != 0 && untagged) {
            octets.putInt(6, in.octet());
        }
    }

    private int stag(FuzzInput in, int wild) {
        int stag = core.zoo.area(in.below(FuzzZoo.AREAS)).stag;
        return (wild & WILD_STAG) == 0 ? stag : stag ^ in.int32();
    }

    /** A tagged offset within, around or far from what the STag stands for. */
    private long to(int stag, FuzzInput in) {
        FuzzZoo.Area area = core.zoo.find(stag);
        long base = area == null ? 0 : area.base;
        long bytes = area == null ? 0 : area.length;
        int how = in.octet();
        return switch (how >>> 5) {
            case 0, 1, 2 -> base + (how & 0x3F) * 8L;
            case 3, 4 -> base + (how & 0x3F);
            case 5 -> base + bytes - (how & 0x1F);
            case 6 -> base - (how & 0x1F);
            default -> in.int64();
        };
    }

    private static byte[] payload(FuzzInput in) {
        byte[] payload = new byte[in.length()];
        int seed = payload.length;
        for (int i = 0; i < payload.length; i++) {
            payload[i] = Guarded.octet(seed, i);
        }
        return payload;
    }

    private static byte[] longs(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private byte[] write(FuzzInput in, int wild) {
        int stag = stag(in, wild);
        return Segments.tagged(Segments.WRITE, stag, to(stag, in), (wild & NOT_LAST) == 0, payload(in));
    }

    private byte[] send(int opcode, FuzzInput in, int wild) {
        boolean invalidates = opcode == Segments.SEND_INVALIDATE || opcode == Segments.SEND_SE_INVALIDATE;
        int stag = invalidates ? stag(in, wild) : 0;
        byte[] payload = payload(in);
        boolean last = (wild & NOT_LAST) == 0;
        byte[] segment = Segments.untagged(opcode, stag, 0, sendMsn, sendOffset, last, payload);
        sendOffset = last ? 0 : sendOffset + payload.length;
        sendMsn += last ? 1 : 0;
        return segment;
    }

    private static byte[] untagged(int opcode, int stag, int qn, int msn, int mo, int wild, byte... body) {
        return Segments.untagged(opcode, stag, qn, msn, mo, (wild & NOT_LAST) == 0, body);
    }

    private byte[] readRequest(FuzzInput in, int wild) {
        int stag = stag(in, wild);
        long to = to(stag, in);
        int how = in.octet();
        int size = how == 0xFF ? in.int32() : (how & 0xC0) == 0xC0 ? (how & 0x3F) * 64 : how;
        byte[] body = Segments.readHeader(0x0100_0000 | in.octet(), in.octet(), size, stag, to);
        return untagged(Segments.READ_REQUEST, 0, 1, requestMsn++, 0, wild, body);
    }

    private byte[] atomicRequest(FuzzInput in, int wild) {
        int stag = stag(in, wild);
        long to = to(stag, in);
        int how = in.octet();
        int operation = (how & 0x80) != 0 ? how & 0x0F : (how & 1) * 2;
        byte[] body = Segments.atomicHeader(
                operation, in.octet(), stag, to, in.u16(), (how & 2) != 0 ? -1 : in.u16(), in.octet(), in.octet());
        return untagged(Segments.ATOMIC_REQUEST, 0, 1, requestMsn++, 0, wild, body);
    }

    private byte[] readResponse(FuzzInput in, int wild) {
        Wanted oldest = wanted.peek();
        if (oldest == null || oldest.atomic) {
            int stag = stag(in, wild);
            return Segments.readResponse(stag, to(stag, in), (wild & NOT_LAST) == 0, payload(in));
        }
        long left = oldest.size - wantedSent;
        int length = (wild & NOT_LAST) != 0 ? (int) Math.min(left, in.length()) : (int) Math.min(left, 4000);
        byte[] payload = new byte[length];
        Arrays.fill(payload, (byte) in.octet());
        long to = oldest.to + wantedSent;
        boolean last = length == left;
        wantedSent = last ? 0 : wantedSent + length;
        if (last) {
            wanted.remove();
        }
        int stag = (wild & WILD_STAG) == 0 ? oldest.stag : stag(in, wild);
        return Segments.readResponse(
                stag, (wild & WILD_MO) == 0 ? to : to + (byte) in.octet(), last ^ (wild & WILD_MSN) != 0, payload);
    }

    private byte[] atomicResponse(FuzzInput in, int wild) {
        Wanted oldest = wanted.peek();
        int id = oldest != null && oldest.atomic ? oldest.id : in.octet();
        if (oldest != null && oldest.atomic) {
            wanted.remove();
        }
        id ^= (wild & WILD_STAG) == 0 ? 0 : in.octet();
        byte[] body = ByteBuffer.allocate(12).putInt(id).putLong(in.int64()).array();
        return untagged(Segments.ATOMIC_RESPONSE, 0, 3, atomicMsn++, 0, wild, body);
    }

    private static byte[] terminate(FuzzInput in) {
        int control = in.octet();
        return Segments.terminate(control >>> 4, control & 0x0F, in.octet(), in.octet(), in.take(in.below(64)));
    }
}
