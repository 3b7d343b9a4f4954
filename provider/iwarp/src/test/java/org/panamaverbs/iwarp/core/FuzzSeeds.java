package org.panamaverbs.iwarp.core;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.Pcap;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * What fuzzing begins with: the worked frames and captures of {@code wire}, in the terms of each target, and one short
 * connection for each opcode and each thing that the generator can do wrong with it.
 */
public final class FuzzSeeds {
    private static final List<String> CAPTURES = List.of(
            "rev1",
            "rev2_all",
            "terms",
            "packed",
            "crc_off",
            "crc_bad",
            "markers_one_way",
            "markers_both",
            "reply_plus_fpdu",
            "swap_draft");
    private static final int HEADER = 20;
    private static final int REJECTING = 0x04;
    private static final int RECEIVE = 19;
    private static final int READ = 21;
    private static final int ATOMIC = 22;
    private static final int RAW = 26;
    private static final int RAW_OCTETS = 2047;

    private FuzzSeeds() {}

    /**
     * Writes the seeds into directories of the targets' names.
     *
     * @param arguments the directory
     */
    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<String, List<byte[]>> target : all().entrySet()) {
            Path directory = Files.createDirectories(Path.of(arguments[0], target.getKey()));
            for (byte[] seed : target.getValue()) {
                Files.write(directory.resolve("seed-%08x".formatted(Arrays.hashCode(seed))), seed);
            }
        }
    }

    /** The seeds by target. */
    static Map<String, List<byte[]>> all() {
        return Map.of(
                "startup",
                startup(),
                "handshake",
                handshake(),
                "decode",
                decode(),
                "fpdus",
                fpdus(),
                "stream",
                stream());
    }

    private static byte[] octets(Object... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Object part : parts) {
            if (part instanceof byte[] bytes) {
                all.writeBytes(bytes);
            } else {
                all.write(((Number) part).intValue());
            }
        }
        return all.toByteArray();
    }

    /** An exchange with a side that wants the CRC and knows all ready-to-receive messages. */
    private static byte[] exchange(byte[] frame) {
        boolean reply = frame[9] == 'p';
        int peerToPeer = frame.length > HEADER && frame[17] == 2 && frame[HEADER] < 0 ? 0x04 : 0;
        return octets(
                (reply ? 0x03 : 0x02), 0x39 | peerToPeer, 16, 16, 0, frame.length >> 8, frame.length & 0xFF, frame);
    }

    private static List<byte[]> startup() {
        List<byte[]> seeds = new ArrayList<>();
        for (Samples.Sample sample : Samples.all()) {
            if (sample.id().startsWith("M")) {
                byte[] frame = sample.bytes().toByteArray();
                seeds.add(exchange(frame));
                seeds.add(exchange(Arrays.copyOf(frame, frame.length - 1)));
                seeds.add(exchange(Arrays.copyOf(frame, frame.length + 5)));
            }
        }
        for (int option : new int[] {StartupFrames.B, StartupFrames.C, StartupFrames.D}) {
            seeds.add(exchange(StartupFrames.enhanced(true, StartupFrames.A | option | 16 << 16 | 16)));
            seeds.add(exchange(StartupFrames.enhanced(false, StartupFrames.A | option | 16 << 16 | 16)));
        }
        return seeds;
    }

    /** The exchanges of {@code startup}, with each end and each way to come. */
    private static List<byte[]> handshake() {
        List<byte[]> seeds = new ArrayList<>();
        for (byte[] exchange : startup()) {
            for (int how = 0; how < 8; how++) {
                // Without private data in the answer.
                seeds.add(octets(exchange, 0, how, 0, 19));
            }
            byte[] rejecting = octets(exchange, 0);
            rejecting[0] |= REJECTING;
            seeds.add(rejecting);
        }
        return seeds;
    }

    private static List<byte[]> decode() {
        List<byte[]> seeds = new ArrayList<>();
        byte[] request = Framing.open(Samples.bytes("F10"), false, 0);
        for (Samples.Sample sample : Samples.all()) {
            byte[] wire = sample.bytes().toByteArray();
            if (sample.id().startsWith("M")) {
                seeds.addAll(frames(wire));
            } else if (!sample.id().startsWith("X")) {
                byte[] ulpdu = Framing.open(wire, false, 0);
                seeds.add(octets(4, wire[0], wire[1], ulpdu));
                if ((ulpdu[1] & 0x0F) == Segments.TERMINATE) {
                    byte[] body = Arrays.copyOfRange(ulpdu, 18, ulpdu.length);
                    seeds.add(octets(1, 0, body));
                    seeds.add(octets(2, 0, body[0] >> 4, body[0] & 0x0F, body[1], request));
                }
            }
        }
        for (int flags : new int[] {0xE0, 0x07}) {
            seeds.add(octets(1, 0, 0x01, 0x01, flags, 0, 0, request.length, request));
        }
        Access[] rights = Access.values();
        for (int right = 0; right < rights.length; right++) {
            byte[] buffer =
                    RemoteBuffer.of(0xCAFE_0100, -64, 64, rights[right].bit()).encode();
            for (int offset : new int[] {0, 56, 57, 64}) {
                seeds.add(octets(0, right << 2, offset, 8, buffer));
            }
            for (int broken : new int[] {4, 16, 22}) {
                byte[] other = buffer.clone();
                other[broken] ^= (byte) 0x80;
                seeds.add(octets(0, 0, 0, 8, other));
            }
        }
        return seeds;
    }

    /** A frame, whole and cut, and with each thing wrong that a frame can have. */
    private static List<byte[]> frames(byte[] frame) {
        int reply = frame[9] == 'p' ? 1 : 0;
        List<byte[]> seeds = new ArrayList<>();
        seeds.add(octets(3, reply, frame));
        seeds.add(octets(3, reply ^ 1, frame));
        seeds.add(octets(3, reply, Arrays.copyOf(frame, frame.length - 1)));
        byte[] none = Arrays.copyOf(frame, HEADER);
        none[18] = 0;
        none[19] = 0;
        seeds.add(octets(3, reply, none));
        for (int broken : new int[] {0, 17, 18}) {
            byte[] other = frame.clone();
            other[broken] ^= (byte) 0x04;
            seeds.add(octets(3, reply, other));
        }
        return seeds;
    }

    private static List<byte[]> fpdus() {
        List<byte[]> seeds = new ArrayList<>();
        for (Samples.Sample sample : Samples.all()) {
            byte[] wire = sample.bytes().toByteArray();
            if (!sample.id().startsWith("M")) {
                int markers = sample.id().startsWith("X") ? 0x02 : 0;
                for (int initiator = 0; initiator <= 0x08; initiator += 0x08) {
                    seeds.add(octets(0x01 | markers | initiator, 0xFF, wire));
                    seeds.add(octets(markers | initiator, 0x2F, wire));
                    if (markers == 0) {
                        byte[] ulpdu = Arrays.copyOfRange(wire, Fpdu.LENGTH_BYTES, wire.length);
                        seeds.add(octets(0x11 | initiator, 0x2F, 0, wire[1] & 0xFF, ulpdu));
                        seeds.add(octets(0xD1 | initiator, 0x2F, 0, wire[1] & 0xFF, ulpdu));
                    }
                }
            }
        }
        seeds.addAll(segments());
        return seeds;
    }

    /** One segment of each kind at each place around each kind of memory, and one of each other message. */
    private static List<byte[]> segments() {
        List<byte[]> seeds = new ArrayList<>();
        FuzzZoo zoo = new FuzzZoo(FuzzZoo.Secret.FIRST);
        for (FuzzZoo.Area area : zoo.areas) {
            int stag = area.stag;
            for (long to : new long[] {area.base, area.base - 8, area.base + area.length - 7, area.base + 1, -4}) {
                seeds.add(framed(0, Segments.write(stag, to, new byte[8])));
                seeds.add(framed(0, Segments.readRequest(1, 1, 0, 8, stag, to)));
                seeds.add(framed(0, Segments.fetchAdd(1, 1, stag, to, 5)));
                seeds.add(framed(0, Segments.cmpSwap(1, 1, stag, to, 0, 5)));
            }
            seeds.add(framed(1, Segments.sendInvalidate(1, stag)));
            seeds.add(framed(2, Segments.untagged(Segments.SEND_SE_INVALIDATE, stag, 0, 1, 0, true), Segments.send(2)));
        }
        byte[] eight = new byte[8];
        FuzzZoo.Area open = zoo.area(FuzzZoo.OPEN);
        byte[] terminate = Framing.fpdu(Segments.terminate(0, 0, 0, 0));
        byte[] write = Framing.fpdu(Segments.write(open.stag, open.base, eight));
        seeds.add(octets(0x09, 0, terminate, write));
        seeds.add(octets(0x09, 0, Framing.fpdu(Segments.send(9)), write));
        seeds.add(framed(3, Segments.immediate(1, eight), Segments.send(2, eight)));
        seeds.add(framed(3, Segments.untagged(Segments.IMMEDIATE_SE, 0, 0, 1, 0, true, eight)));
        seeds.add(framed(3, Segments.untagged(Segments.SEND_SE, 0, 0, 1, 0, false, eight), Segments.send(1, eight)));
        seeds.add(framed(0x08, Segments.readResponse(1, 0, true)));
        FuzzZoo.Area local = zoo.area(FuzzZoo.LOCAL);
        for (int beside : new int[] {0, 8, 4000}) {
            byte[] response = Segments.readResponse(local.stag, local.base + 752 + beside, true, new byte[320]);
            seeds.add(framed(0x10, Segments.readResponse(1, 0, true), response));
        }
        seeds.add(framed(0x20, Segments.atomicResponse(1, 0, 7)));
        seeds.add(framed(3, Segments.send(1, new byte[600]), Segments.send(2, new byte[60])));
        return seeds;
    }

    private static byte[] framed(int posted, byte[]... ulpdus) {
        byte[] seed = octets(0x19, posted);
        for (byte[] ulpdu : ulpdus) {
            seed = octets(seed, ulpdu.length >> 8, ulpdu.length & 0xFF, ulpdu);
        }
        return seed;
    }

    private static List<byte[]> stream() {
        List<byte[]> seeds = new ArrayList<>();
        for (String capture : CAPTURES) {
            for (Pcap.Connection connection : Pcap.load(capture)) {
                for (Pcap.Direction direction : Pcap.Direction.values()) {
                    seeds.add(played(connection.stream(direction)));
                }
            }
        }
        byte[] wraps = {-1, -1, -1, -1, -1, -1, -1, -4};
        seeds.add(connection(octets(0, Segments.READ_REQUEST, 0, FuzzZoo.OPEN, 0xE0, wraps, 8)));
        for (int opcode = 0; opcode <= Segments.ATOMIC_RESPONSE; opcode++) {
            for (int wild = 0; wild <= 0x80; wild = wild == 0 ? 1 : wild << 1) {
                for (int area : new int[] {FuzzZoo.OPEN, FuzzZoo.WINDOW}) {
                    seeds.add(connection(octets(0, opcode, wild, area, 8, 16, 1, 3)));
                    seeds.add(connection(octets(27, 3, 40, opcode, 0, area, 16, 8, opcode, wild, area, 8, 16, 1, 3)));
                }
            }
        }
        return seeds;
    }

    private static byte[] played(byte[] octets) {
        int frame = HEADER + ((octets[18] & 0xFF) << 8 | (octets[19] & 0xFF));
        byte[] seed = octets(exchange(Arrays.copyOf(octets, frame)), 0, 3, RECEIVE, 32, RECEIVE, 32, RECEIVE, 32);
        for (int from = frame; from < octets.length; from += RAW_OCTETS) {
            byte[] piece = Arrays.copyOfRange(octets, from, Math.min(octets.length, from + RAW_OCTETS));
            seed = octets(seed, RAW, piece.length >> 8, piece.length & 0xFF, piece);
        }
        return seed;
    }

    // An initiator of revision 2, whose Read and atomic wait for responses.
    private static byte[] connection(byte[] actions) {
        byte[] setUp = octets(0x01, 0x39, 16, 16, 0, 0x50, 0, 0, 16, 0, 16, 0, 0x03);
        return octets(
                setUp, RECEIVE, 0x83, RECEIVE, 32, READ, 0, 2, 0, 40, ATOMIC, 0, 0, 2, 64, actions, actions, RECEIVE,
                8);
    }
}
