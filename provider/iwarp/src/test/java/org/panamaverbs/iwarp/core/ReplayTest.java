package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.TerminateCause;
import org.panamaverbs.iwarp.wire.Pcap;
import org.panamaverbs.iwarp.wire.Pcap.Connection;
import org.panamaverbs.iwarp.wire.Pcap.Direction;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.testkit.Requirement;

/** The captures of an independent implementation, played to set-up and stream; each ends as its name says. */
@Requirement({
    "RDMAP-4.1-02",
    "RDMAP-4.1-04",
    "RDMAP-4.4-01",
    "RDMAP-4.4-02",
    "RDMAP-4.4-03",
    "RDMAP-5.2.1-10",
    "RDMAP-5.2.2-01",
    "RDMAP-5.4-04",
    "DRAFT01-5.1.2-01",
    "EXT-5.2.2-01",
    "EXT-5.2.2-3-01",
    "EXT-5.2.1-8-01",
    "EXT-5-04",
    "EXT-5-05",
    "EXT-10.1-01",
    "MPA-4.3-01",
    "MPA-4.3-07",
    "MPA-4.3-08",
    "MPA-4.3-09",
    "MPA-4.4-06",
    "MPA-7.1.1-05",
    "MPA-7.1.1-06",
    "MPA-7.1.2-7-01",
    "MPA-8-2-01"
})
class ReplayTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final int WRITE_STAG = 0x12345678;
    private static final long WRITE_TO = 0x1122334455667788L;
    private static final int SOURCE_STAG = 0x55667702;
    private static final int SINK_STAG = 0xAABBCC01;
    private static final int WINDOW_STAG = 0xCAFE0100;

    /** STags that come up next, then random ones. */
    private final Deque<Integer> script = new ArrayDeque<>();

    private final SplittableRandom random = new SplittableRandom(1);

    private final StagTable stags = new StagTable(64, () -> script.isEmpty() ? random.nextInt() : script.remove());

    /** The side that the capture is played to, with its own frame of the exchange behind it. */
    private Side played(Connection connection, Direction from) {
        byte[] theirs = connection.stream(from);
        byte[] ours = connection.stream(
                from == Direction.FROM_INITIATOR ? Direction.FROM_RESPONDER : Direction.FROM_INITIATOR);
        MpaStartup startup;
        if (from == Direction.FROM_INITIATOR) {
            StartupConfig config = configLike(ours);
            startup = MpaStartup.responder(config);
            feed(startup, theirs);
            assertThat(startup.state()).isEqualTo(MpaStartup.State.REQUEST_READY);
            startup.accept(config);
            drain(startup);
        } else {
            startup = MpaStartup.initiator(configLike(ours));
            byte[] request = drain(startup);
            assertThat(request).isEqualTo(Arrays.copyOf(ours, request.length));
            feed(startup, theirs);
        }
        assertThat(startup.failure()).isNull();
        assertThat(startup.state()).isEqualTo(MpaStartup.State.DONE);
        Side side = new Side(0x77, new Pipe(), new Pipe(), stags);
        side.stream.start(startup.negotiated().withEmss(Pair.EMSS), 0);
        return side;
    }

    /** What made the other side's frame, for us to make the same. */
    private static StartupConfig configLike(byte[] frame) {
        int flags = frame[16];
        int revision = frame[17];
        int block = revision == 2 ? ByteBuffer.wrap(frame).getInt(20) : 0;
        int dataFrom = revision == 2 ? 24 : 20;
        int dataTo = 20 + (frame[18] << 8 | frame[19]);
        return new StartupConfig(
                (flags & 0x40) != 0,
                (flags & 0x80) != 0,
                revision,
                (block & 1 << 31) != 0,
                revision == 2 ? block >>> 16 & 0x3FFF : 16,
                revision == 2 ? block & 0x3FFF : 16,
                16,
                true,
                true,
                false,
                Arrays.copyOfRange(frame, dataFrom, dataTo));
    }

    private static void feed(MpaStartup startup, byte[] octets) {
        int from = 0;
        for (ByteBuffer into = startup.receiveBuffer(); into.hasRemaining(); into = startup.receiveBuffer()) {
            int count = into.remaining();
            into.put(octets, from, count);
            from += count;
            startup.received();
        }
        assertThat(from).isEqualTo(20 + (((octets[18] & 0xFF) << 8) | (octets[19] & 0xFF)));
    }

    private static byte[] drain(MpaStartup startup) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer buffer = startup.transmitBuffer(); buffer.hasRemaining(); buffer = startup.transmitBuffer()) {
            all.write(buffer.get());
        }
        return all.toByteArray();
    }

    /** The octets behind the sender's frame, cut as TCP cut them. */
    private static List<byte[]> packets(Connection connection, Direction from) {
        byte[] stream = connection.stream(from);
        int frame = 20 + (((stream[18] & 0xFF) << 8) | (stream[19] & 0xFF));
        int[] position = {0};
        return connection.data().stream()
                .filter(segment -> segment.direction() == from)
                .map(segment -> segment.payload().toByteArray())
                .map(octets -> {
                    int skip = Math.clamp(frame - position[0], 0, octets.length);
                    position[0] += octets.length;
                    return Arrays.copyOfRange(octets, skip, octets.length);
                })
                .filter(octets -> octets.length > 0)
                .toList();
    }

    private static void play(Side side, byte[] octets) {
        side.in.write(octets);
        side.settle(0);
    }

    private Guarded fixed(Side side, int stag, int bytes, long base, int access) {
        script.add(stag);
        Guarded memory = side.memory(bytes, base, access);
        assertThat(memory.stag()).isEqualTo(stag);
        return memory;
    }

    private void bind(Side side, Region window, Guarded memory) {
        PostStatus.check(side.stream
                .sends()
                .postBind(
                        900,
                        window,
                        true,
                        WINDOW_STAG,
                        memory.stag(),
                        memory.base,
                        memory.size(),
                        2,
                        SendFlag.SIGNALED));
        play(side);
        assertThat(side.sends.last().ok()).isTrue();
    }

    private Region reserveWindow(Side side) {
        script.add(WINDOW_STAG | 0x55);
        return Objects.requireNonNull(side.stags.reserve(Side.DOMAIN));
    }

    @ParameterizedTest
    @CsvSource({"rev1, false", "rev2_all, true"})
    @Requirement({"DDP-4.2-02", "EXT-5.2-02", "EXT-5.2.2-2-01", "MPA-3-07", "MPA-7.1.2-2-05"})
    void revisionsOneAndTwoDeliverEveryMessage(String name, boolean all) {
        Connection connection = Pcap.load(name).getFirst();
        Side side = played(connection, Direction.FROM_INITIATOR);
        Wiretap tap = new Wiretap();
        Guarded inbox = side.memory(64 * 16);
        side.receives(16, 1, inbox, 64);
        Guarded written = fixed(side, WRITE_STAG, 8, WRITE_TO, Guarded.ALL);
        Guarded source = fixed(side, SOURCE_STAG, 4096, 0x2000, Guarded.ALL).pattern(4);
        Region window = reserveWindow(side);
        Guarded behindWindow = side.memory(64);
        int invalidations = 0;
        for (byte[] fpdu : packets(connection, Direction.FROM_INITIATOR)) {
            int opcode = fpdu[3] & 0x0F;
            if (opcode == Segments.SEND_INVALIDATE || opcode == Segments.SEND_SE_INVALIDATE) {
                bind(side, window, behindWindow);
                invalidations++;
            }
            if (opcode == Segments.ATOMIC_REQUEST && written.base == WRITE_TO) {
                assertThat(written.bytes()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
                assertThat(written.region.revoke()).isTrue();
                side.stags.remove(written.region);
                written = fixed(side, WRITE_STAG, 64, 0x4000, Guarded.ALL).putLong(0, 0x2A);
            }
            play(side, fpdu);
            assertThat(side.stream.fault()).as("after opcode %x", opcode).isNull();
        }
        List<Segments.Parsed> answers = tap.take(side.out.drain()).stream()
                .filter(segment -> !(segment.tagged() && segment.opcode() == Segments.WRITE))
                .toList();
        assertReadAnswered(answers, source);
        assertThat(side.receives.list).allMatch(Wc::ok);
        assertThat(side.receives.brief().subList(0, 5))
                .containsExactly("1 RECV", "2 RECV", "3 RECV", "4 RECV", "5 RECV");
        assertThat(side.receives.list.subList(0, 5))
                .extracting(wc -> wc.has(CompletionSink.SOLICITED))
                .containsExactly(false, false, true, true, false);
        for (int i = 0; i < 4; i++) {
            assertThat(inbox.bytes(64L * i, 5)).isEqualTo(HELLO);
        }
        assertThat(inbox.bytes(64 * 4, 7)).isEqualTo("abcdefg".getBytes(StandardCharsets.US_ASCII));
        assertThat(side.receives.list.get(1).immediateOrStag() & 0xFFFF_FFFFL).isEqualTo(0xCAFE0100L);
        assertThat(invalidations).isEqualTo(2);
        if (all) {
            assertThat(side.receives.brief().subList(5, 7)).containsExactly("6 RECV_IMMEDIATE", "7 RECV_IMMEDIATE");
            assertThat(side.receives.list.subList(5, 7))
                    .extracting(Wc::immediateOrStag)
                    .containsOnly(0x0102030405060708L);
            assertThat(written.getLong(0)).isEqualTo(0x64);
            List<Segments.Parsed> atomics =
                    answers.stream().filter(segment -> !segment.tagged()).toList();
            assertThat(atomics).hasSize(2);
            assertThat(fpdu(atomics.get(0))).isEqualTo(Samples.bytes("F17"));
            assertThat(fpdu(atomics.get(1))).isEqualTo(Samples.bytes("F19"));
        } else {
            assertThat(written.bytes()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        }
        side.assertGuards();
    }

    private static byte[] fpdu(Segments.Parsed segment) {
        return org.panamaverbs.iwarp.wire.Framing.fpdu(segment.octets());
    }

    private static void assertReadAnswered(List<Segments.Parsed> answers, Guarded source) {
        List<Segments.Parsed> responses = answers.stream()
                .filter(segment -> segment.opcode() == Segments.READ_RESPONSE)
                .toList();
        long to = 0x1000;
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Segments.Parsed response : responses) {
            assertThat(response.tagged()).isTrue();
            assertThat(response.stag()).isEqualTo(SINK_STAG);
            assertThat(response.to()).isEqualTo(to);
            all.writeBytes(response.payload());
            to += response.payload().length;
            assertThat(response.last()).isEqualTo(all.size() == 4096);
        }
        assertThat(all.toByteArray()).isEqualTo(source.bytes());
    }

    static Stream<String> terminates() {
        return Stream.of(
                "0, 1/2/02",
                "1, 1/1/00",
                "2, 0/1/01",
                "3, 0/1/09",
                "4, 0/2/07",
                "5, 0/2/06",
                "6, 0/0/00",
                "7, 2/0/02",
                "8, 2/0/07",
                "9, 0/2/06",
                "10, 1/2/02");
    }

    // T10 carries 20 06: from a responder that is siw's unexpected opcode, because set-up errors are the initiator's.
    @ParameterizedTest
    @MethodSource("terminates")
    @Requirement("RDMAP-5.4-03")
    void everyTerminateTellsItsCause(String row) {
        int index = Integer.parseInt(row.split(", ", -1)[0]);
        String code = row.split(", ", -1)[1];
        Connection connection = Pcap.load("terms").get(index);
        Side side = played(connection, Direction.FROM_RESPONDER);
        Guarded local = side.memory(64).put(0, HELLO);
        side.receive(50, local, 0, 64);
        side.send(1, local, 0, 5);
        play(side);
        assertThat(side.out.drain())
                .isEqualTo(packets(connection, Direction.FROM_INITIATOR).getFirst());
        assertThat(side.sends.brief()).containsExactly("1 SEND");
        packets(connection, Direction.FROM_RESPONDER).forEach(octets -> play(side, octets));
        TerminateCause cause = Objects.requireNonNull(side.stream.terminateCause());
        assertThat(cause.toString()).startsWith(code);
        assertThat(cause.origin()).isEqualTo(TerminateCause.Origin.REMOTE);
        assertThat(side.receives.brief()).containsExactly("50 WR_FLUSH_ERROR");
        assertThat(side.events).contains(StreamEvent.FATAL);
        assertThat(side.out.drain()).as("nothing is sent after a Terminate").isEmpty();
        side.in.finish();
        play(side);
        assertThat(side.closed).isTrue();
        assertThat(side.aborted).isFalse();
    }

    private static byte[] repeat(char letter, int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) letter);
        return bytes;
    }

    private static void play(Side side) {
        play(side, new byte[0]);
    }

    @Test
    @Requirement({"MPA-5.1-04", "MPA-5.2-01"})
    void packedSegmentsAreUnpacked() {
        Connection connection = Pcap.load("packed").getFirst();
        Side side = played(connection, Direction.FROM_INITIATOR);
        Guarded inbox = side.memory(256);
        // Its Sends have MSN 1 and 3, so the second one is an error, and nothing behind it is looked at.
        side.receives(3, 1, inbox, 64);
        Guarded written = fixed(side, WRITE_STAG, 8, WRITE_TO, Guarded.ALL);
        packets(connection, Direction.FROM_INITIATOR).forEach(octets -> play(side, octets));
        assertThat(side.receives.list.getFirst().ok()).isTrue();
        assertThat(inbox.bytes(0, 5)).isEqualTo(HELLO);
        List<Segments.Parsed> answers = new Wiretap().take(side.out.drain());
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst().code()).isEqualTo("1/2/03");
        assertThat(written.bytes()).containsOnly(0);
    }

    @Test
    @Requirement({"DDP-6.1-01", "MPA-7.1-01", "MPA-7.1.2-3-04"})
    void fpdusBehindTheReplyAreTaken() {
        Connection connection = Pcap.load("reply_plus_fpdu").getFirst();
        assertThat(packets(connection, Direction.FROM_RESPONDER).getFirst()).hasSize(32);
        Side side = played(connection, Direction.FROM_RESPONDER);
        Guarded inbox = side.memory(256);
        side.receives(3, 1, inbox, 64);
        play(side, packets(connection, Direction.FROM_RESPONDER).getFirst());
        assertThat(side.receives.brief()).containsExactly("1 RECV");
        assertThat(inbox.bytes(0, 5)).isEqualTo(HELLO);
        assertThat(side.stream.state()).isEqualTo(StreamState.ESTABLISHED);
    }

    @Test
    @Requirement({"MPA-4.3-02", "MPA-4.3-03"})
    void markersInBothDirections() {
        Connection connection = Pcap.load("markers_both").getFirst();
        Side side = played(connection, Direction.FROM_INITIATOR);
        Guarded inbox = side.memory(4 * 2048);
        side.receives(4, 1, inbox, 2048);
        side.send(1, side.memory(128).put(0, repeat('A', 100)), 0, 100);
        packets(connection, Direction.FROM_INITIATOR).forEach(octets -> play(side, octets));
        assertThat(side.stream.fault()).isNull();
        assertThat(side.receives.list).allMatch(Wc::ok);
        assertThat(side.receives.list).extracting(Wc::byteCount).containsExactly(24L, 500L, 1200L, 8L);
        assertThat(inbox.bytes(2048, 500)).isEqualTo(repeat('B', 500));
        assertThat(inbox.bytes(4096, 1200)).isEqualTo(repeat('C', 1200));
        assertThat(inbox.bytes(6144, 8)).isEqualTo(repeat('D', 8));
        byte[] theirs = packets(connection, Direction.FROM_RESPONDER).getFirst();
        assertThat(Arrays.copyOf(side.out.drain(), theirs.length)).isEqualTo(theirs);

        Side initiator = played(connection, Direction.FROM_RESPONDER);
        Guarded box = initiator.memory(128);
        initiator.receive(9, box, 0, 128);
        play(initiator, theirs);
        assertThat(initiator.receives.brief()).containsExactly("9 RECV");
        assertThat(box.bytes(0, 100)).isEqualTo(repeat('A', 100));
    }

    @Test
    void markersInOneDirection() {
        Connection connection = Pcap.load("markers_one_way").getFirst();
        Side responder = played(connection, Direction.FROM_INITIATOR);
        responder.receive(1, responder.memory(64), 0, 64);
        byte[] text = "no marker here".getBytes(StandardCharsets.US_ASCII);
        responder.send(2, responder.memory(64).put(0, text), 0, text.length);
        packets(connection, Direction.FROM_INITIATOR).forEach(octets -> play(responder, octets));
        assertThat(responder.receives.brief()).containsExactly("1 RECV");
        byte[] theirs = packets(connection, Direction.FROM_RESPONDER).getFirst();
        assertThat(Arrays.copyOf(responder.out.drain(), theirs.length)).isEqualTo(theirs);

        Side initiator = played(connection, Direction.FROM_RESPONDER);
        Guarded box = initiator.memory(64);
        initiator.receive(3, box, 0, 64);
        initiator.send(4, initiator.memory(24), 0, 24);
        play(initiator, theirs);
        assertThat(box.bytes(0, text.length)).isEqualTo(text);
        assertThat(initiator.out.drain())
                .isEqualTo(packets(connection, Direction.FROM_INITIATOR).getFirst());
    }

    @Test
    @Requirement("MPA-7.1.1-08")
    void noCrcIsNotChecked() {
        Connection connection = Pcap.load("crc_off").getFirst();
        Side side = played(connection, Direction.FROM_INITIATOR);
        Guarded inbox = side.memory(64);
        side.receive(1, inbox, 0, 64);
        packets(connection, Direction.FROM_INITIATOR).forEach(octets -> play(side, octets));
        assertThat(side.receives.brief()).containsExactly("1 RECV");
        assertThat(inbox.bytes(0, 5)).isEqualTo(HELLO);
    }

    @Test
    @Requirement({"MPA-4.4-10", "MPA-4.4-05"})
    void badCrcIsTerminated() {
        Connection connection = Pcap.load("crc_bad").getFirst();
        Side side = played(connection, Direction.FROM_INITIATOR);
        side.receive(1, side.memory(64), 0, 64);
        packets(connection, Direction.FROM_INITIATOR).forEach(octets -> play(side, octets));
        assertThat(side.out.drain())
                .isEqualTo(packets(connection, Direction.FROM_RESPONDER).getFirst());
        assertThat(side.receives.list).hasSize(1).noneMatch(Wc::ok);
    }

    @Test
    void theDraftsSwapIsAnUnexpectedOpcode() {
        Connection connection = Pcap.load("swap_draft").getFirst();
        Side side = played(connection, Direction.FROM_INITIATOR);
        side.receive(1, side.memory(64), 0, 64);
        Guarded cell = fixed(side, WRITE_STAG, 64, 0x4000, Guarded.ALL).putLong(0, 5);
        List<byte[]> packets = packets(connection, Direction.FROM_INITIATOR);
        play(side, packets.get(0));
        // The capture's request has MSN 4; ours is the first, so that nothing but the operation is wrong.
        byte[] request = Arrays.copyOfRange(packets.get(1), 2, packets.get(1).length - 4);
        request[13] = 1;
        play(side, org.panamaverbs.iwarp.wire.Framing.fpdu(request));
        List<Segments.Parsed> answers = new Wiretap().take(side.out.drain());
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst().code()).isEqualTo("0/2/06");
        assertThat(answers.getFirst().flags()).isEqualTo(0xC0);
        assertThat(cell.getLong(0)).isEqualTo(5);
    }

    @Test
    @Requirement({
        "RDMAP-3.1-01",
        "RDMAP-3.2-01",
        "RDMAP-4.1-01",
        "RDMAP-4.1-06",
        "RDMAP-4.1-07",
        "RDMAP-4.1-09",
        "RDMAP-4.2-02",
        "RDMAP-5.1-01",
        "RDMAP-5.2.1-01",
        "RDMAP-5.3-01",
        "RDMAP-5.3-08",
        "DDP-4.1-09",
        "DDP-5.3-01",
        "MPA-3-01"
    })
    void theRequestsOfACaptureAreOursToTheOctet() {
        Connection connection = Pcap.load("rev2_all").getFirst();
        Side side = played(connection, Direction.FROM_RESPONDER);
        Guarded local = side.memory(64).put(0, HELLO).put(8, new byte[] {0, 1, 2, 3, 4, 5, 6, 7});
        side.send(1, local, 0, 5);
        side.post(SendOpcode.SEND_WITH_INVALIDATE, 2, local, 0, 5, 0, 0, WINDOW_STAG);
        side.stream.sends().post(SendOpcode.SEND, 3, local.base, 5, local.stag(), 0, 0, 0, SendFlag.SOLICITED);
        side.stream
                .sends()
                .post(
                        SendOpcode.SEND_WITH_INVALIDATE,
                        4,
                        local.base,
                        5,
                        local.stag(),
                        0,
                        0,
                        WINDOW_STAG,
                        SendFlag.SOLICITED);
        side.post(SendOpcode.RDMA_WRITE, 5, local, 8, 8, WRITE_TO, WRITE_STAG, 0);
        Guarded sink = fixed(side, SINK_STAG, 4096, 0x1000, Guarded.ALL);
        side.stream.sends().post(SendOpcode.RDMA_READ, 6, 0x1000, 4096, sink.stag(), 0x2000, SOURCE_STAG, 0, 0);
        play(side);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (String frame : new String[] {"F01", "F05", "F06", "F07", "F08", "F09", "F10"}) {
            expected.writeBytes(Samples.bytes(frame));
        }
        assertThat(side.out.drain()).isEqualTo(expected.toByteArray());
        assertThat(side.sends.list).allMatch(Wc::ok);
    }
}
