package org.panamaverbs.iwarp.core;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.panamaverbs.iwarp.wire.Crc32c;
import org.panamaverbs.memory.Access;

/**
 * Reads the peer's octets by itself, says before a step what they may change, and afterwards holds what the stream sent
 * against it: every response answers a request that had the right, in order and to the octet, and every message is one
 * that RFC 5040, RFC 5041 and RFC 7306 know.
 */
final class FuzzReferee {
    /** A Read or Atomic of the peer. */
    private record Request(
            boolean atomic, int id, int sinkStag, long sinkTo, long size, int stag, long to, boolean permitted) {}

    /** A Read or Atomic of the stream. */
    private record Wanted(boolean atomic, int stag, long to, long size) {}

    private static final int[] QUEUE = {-1, 1, -1, 0, 0, 0, 0, 2, 0, 0, 1, 3};
    private static final int[] FIXED = {-1, 28, -1, -1, -1, -1, -1, -1, 8, 8, 52, 12};
    private static final int TERMINATE_MOST = 52;
    private static final int MARKER_SPACING = 512;
    private static final int LONGEST_SEGMENT = 64_768;

    private final FuzzCore core;
    private final Deque<Request> requests = new ArrayDeque<>();
    private final Deque<Wanted> wanted = new ArrayDeque<>();
    private long wantedArrived;
    private byte[] pending = {};
    private long position;
    private int answersSeen;
    private final int[] nextMsn = {1, 1, 1, 1};
    private long sendOffset;
    private long responseOffset;
    private boolean terminated;
    /** Complete FPDUs with the right CRC, as {@code opcode}; what the corpus is measured by. */
    int lastOpcode = -1;

    FuzzReferee(FuzzCore core) {
        this.core = core;
    }

    /** The peer is about to send this. */
    void before(byte... octets) {
        pending = concat(pending, octets);
        lastOpcode = -1;
        int from = 0;
        while (true) {
            byte[] plain = withoutMarkers(from);
            if (plain.length < 4) {
                break;
            }
            int length = ByteBuffer.wrap(plain).getShort(0) & 0xFFFF;
            int size = (2 + length + 3) / 4 * 4 + 4;
            boolean whole = plain.length >= size;
            byte[] ulpdu = Arrays.copyOfRange(plain, 2, Math.min(plain.length, 2 + length));
            int wire = whole ? wireLength(size) : pending.length - from;
            boolean right = whole && (!core.negotiated.crc() || crcIsRight(from, wire));
            judge(ulpdu, length, right);
            if (!whole) {
                break;
            }
            from += wire;
            position += wire;
        }
        pending = Arrays.copyOfRange(pending, from, pending.length);
    }

    private static byte[] concat(byte[] left, byte[] right) {
        byte[] all = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, all, left.length, right.length);
        return all;
    }

    private byte[] withoutMarkers(int from) {
        byte[] plain = new byte[pending.length - from];
        int to = 0;
        for (int i = from; i < pending.length; i++) {
            long at = position + (i - from);
            if (!core.negotiated.markersIn() || at % MARKER_SPACING >= 4) {
                plain[to++] = pending[i];
            }
        }
        return Arrays.copyOf(plain, to);
    }

    private int wireLength(int plain) {
        int wire = 0;
        for (int left = plain; left > 0; wire++) {
            if (!core.negotiated.markersIn() || (position + wire) % MARKER_SPACING >= 4) {
                left--;
            }
        }
        return wire;
    }

    private boolean crcIsRight(int from, int wire) {
        Crc32c crc = new Crc32c();
        var segment = java.lang.foreign.MemorySegment.ofArray(pending);
        crc.update(segment, from, wire - 4L);
        return crc.matches(segment, from + wire - 4L);
    }

    // Payload may be placed as it arrives; a request counts once its FPDU is whole and right.
    private void judge(byte[] ulpdu, int length, boolean right) {
        if (ulpdu.length < 2) {
            return;
        }
        int opcode = ulpdu[1] & 0x0F;
        boolean tagged = ulpdu[0] < 0;
        boolean versions = (ulpdu[0] & 0x03) == 1 && (ulpdu[1] & 0xC0) == 0x40;
        if (!versions || opcode >= QUEUE.length || tagged != QUEUE[opcode] < 0) {
            return;
        }
        lastOpcode = right ? opcode : lastOpcode;
        if (QUEUE[opcode] == 0) {
            core.zoo.messageInStep();
        } else if (opcode == Segments.READ_RESPONSE && ulpdu.length >= 14) {
            judgeReadResponse(ByteBuffer.wrap(ulpdu), length - 14, right);
        } else if (opcode == Segments.ATOMIC_RESPONSE && right && !wanted.isEmpty()) {
            wanted.remove();
        }
        judgeRequest(opcode, ByteBuffer.wrap(ulpdu), length, right);
    }

    // RFC 5040 §5.2.2: into the oldest Read's sink, one segment behind the other.
    private void judgeReadResponse(ByteBuffer header, int octets, boolean right) {
        Wanted oldest = wanted.peek();
        if (oldest == null || oldest.atomic) {
            return;
        }
        boolean fits = header.getInt(2) == oldest.stag
                && header.getLong(6) == oldest.to + wantedArrived
                && octets <= oldest.size - wantedArrived;
        if (fits) {
            core.zoo.allowInStep(oldest.stag, oldest.to + wantedArrived, octets, Access.LOCAL_WRITE);
        }
        if (right) {
            wantedArrived += octets;
            if ((header.get(0) & 0x40) != 0) {
                wanted.remove();
                wantedArrived = 0;
            }
        }
    }

    private void judgeRequest(int opcode, ByteBuffer header, int length, boolean right) {
        if (opcode == Segments.WRITE && header.capacity() >= 14) {
            core.zoo.allowInStep(header.getInt(2), header.getLong(6), length - 14L, Access.REMOTE_WRITE);
        } else if (opcode == Segments.READ_REQUEST && right && length == 46) {
            long size = Integer.toUnsignedLong(header.getInt(30));
            int stag = header.getInt(34);
            long to = header.getLong(38);
            boolean permitted = size == 0 || core.zoo.permits(stag, to, size, Access.REMOTE_READ);
            requests.add(new Request(false, 0, header.getInt(18), header.getLong(22), size, stag, to, permitted));
        } else if (opcode == Segments.ATOMIC_REQUEST && right && length == 70) {
            int stag = header.getInt(26);
            long to = header.getLong(30);
            boolean permitted = core.zoo.permits(stag, to, Long.BYTES, Access.REMOTE_ATOMIC);
            requests.add(new Request(true, header.getInt(22), 0, 0, Long.BYTES, stag, to, permitted));
            if (permitted) {
                core.zoo.allow(stag, to, Long.BYTES, Access.REMOTE_ATOMIC);
            }
        }
    }

    /** The step is over: looks at what was sent in it. */
    void after() {
        List<Segments.Parsed> answers = core.answers;
        for (; answersSeen < answers.size(); answersSeen++) {
            look(answers.get(answersSeen));
        }
        // RFC 5040 §6.1: more than IRD are not taken.
        int most = Math.max(1, core.negotiated.ird());
        if (core.stream.fault() == null && requests.size() > most) {
            throw new AssertionError(requests.size() + " requests wait, IRD is " + most);
        }
        if (terminated && core.stream.state() == StreamState.ESTABLISHED) {
            throw new AssertionError("a Terminate was sent, but the stream goes on");
        }
    }

    private void look(Segments.Parsed segment) {
        byte[] octets = segment.octets();
        int opcode = segment.opcode();
        boolean control = (octets[0] & 0x3F) == 1 && (octets[1] & 0xF0) == 0x40;
        if (terminated || !control || opcode >= QUEUE.length || segment.tagged() != QUEUE[opcode] < 0) {
            throw new AssertionError("sent behind a Terminate or unknown: " + Arrays.toString(octets));
        }
        if (octets.length > LONGEST_SEGMENT) {
            throw new AssertionError("too long a segment: " + octets.length);
        }
        if (!segment.tagged()) {
            untagged(segment);
        }
        switch (opcode) {
            case Segments.READ_REQUEST ->
                wanted.add(
                        new Wanted(false, segment.at(18), segment.longAt(22), Integer.toUnsignedLong(segment.at(30))));
            case Segments.ATOMIC_REQUEST -> wanted.add(new Wanted(true, 0, 0, Long.BYTES));
            case Segments.READ_RESPONSE -> readResponse(segment);
            case Segments.ATOMIC_RESPONSE -> atomicResponse(segment);
            case Segments.TERMINATE -> terminate(segment);
            default -> {}
        }
    }

    private void untagged(Segments.Parsed segment) {
        int opcode = segment.opcode();
        int queue = QUEUE[opcode];
        boolean send = opcode >= Segments.SEND && opcode <= Segments.SEND_SE_INVALIDATE;
        long offset = send ? sendOffset : 0;
        boolean sizes = FIXED[opcode] < 0 || segment.payload().length == FIXED[opcode];
        boolean whole = send || segment.last();
        if (segment.qn() != queue || segment.msn() != nextMsn[queue] || segment.mo() != offset || !sizes || !whole) {
            throw new AssertionError("bad header: " + Arrays.toString(segment.octets()));
        }
        boolean invalidates = opcode == Segments.SEND_INVALIDATE || opcode == Segments.SEND_SE_INVALIDATE;
        if (!invalidates && segment.stag() != 0) {
            throw new AssertionError("reserved field is used: " + Arrays.toString(segment.octets()));
        }
        sendOffset = send && !segment.last() ? offset + segment.payload().length : send ? 0 : sendOffset;
        if (segment.last()) {
            nextMsn[queue]++;
        }
    }

    private Request oldest(boolean atomic) {
        Request request = requests.peek();
        if (request == null || request.atomic != atomic) {
            throw new AssertionError("a response that nobody asked for, the oldest request is " + request);
        }
        return request;
    }

    private void readResponse(Segments.Parsed segment) {
        Request request = oldest(false);
        byte[] payload = segment.payload();
        long after = responseOffset + payload.length;
        boolean fits = segment.stag() == request.sinkStag
                && segment.to() == request.sinkTo + responseOffset
                && after <= request.size
                && segment.last() == (after == request.size);
        boolean permitted = mayHavePermitted(request, Access.REMOTE_READ);
        if (!fits || !permitted) {
            throw new AssertionError(
                    request + " was answered from " + responseOffset + " with " + Arrays.toString(segment.octets()));
        }
        FuzzZoo.Area area = core.zoo.find(request.stag);
        if (request.size > 0 && area == core.zoo.area(FuzzZoo.READ_ONLY)) {
            byte[] right = core.zoo.read(request.stag, request.to + responseOffset, payload.length);
            if (!Arrays.equals(right, payload)) {
                throw new AssertionError(request + " was answered with other octets");
            }
        }
        responseOffset = segment.last() ? 0 : after;
        if (segment.last()) {
            requests.remove();
        }
    }

    // The right was there when the request came, or when the answer was built.
    private boolean mayHavePermitted(Request request, Access right) {
        return request.permitted || core.zoo.permits(request.stag, request.to, request.size, right);
    }

    private void atomicResponse(Segments.Parsed segment) {
        Request request = oldest(true);
        boolean permitted = mayHavePermitted(request, Access.REMOTE_ATOMIC);
        if (segment.at(18) != request.id || !permitted) {
            throw new AssertionError(request + " was answered");
        }
        requests.remove();
    }

    // RFC 5040 §4.8: M and D together, R only with both; the length follows from them.
    private void terminate(Segments.Parsed segment) {
        terminated = true;
        int flags = segment.flags();
        byte[] body = segment.payload();
        boolean headers = flags == 0xC0 || flags == 0xE0;
        int length = 4;
        if (headers) {
            length += 2 + (body[6] < 0 ? 14 : 18) + (flags == 0xE0 ? 28 : 0);
        }
        // RFC 5040 §4.8, figure 10: which errors return which headers.
        String code = segment.code();
        boolean mayReturn = code.startsWith("0/1") || code.startsWith("0/2") || code.startsWith("1/");
        if ((headers && !mayReturn) || (flags == 0xE0 && !code.startsWith("0/1"))) {
            throw new AssertionError(code + " returns headers " + flags);
        }
        if ((flags != 0 && !headers) || body.length != length || body[3] != 0 || body.length > TERMINATE_MOST) {
            throw new AssertionError("bad Terminate: " + Arrays.toString(segment.octets()));
        }
        Fault fault = core.stream.fault();
        if (fault == null || !segment.code().equals(fault.code().toString().substring(0, 6))) {
            throw new AssertionError("sent " + segment.code() + " for " + fault);
        }
    }
}
