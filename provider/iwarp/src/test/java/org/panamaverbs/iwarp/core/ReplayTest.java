package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.wire.Pcap;
import org.panamaverbs.iwarp.wire.Pcap.Connection;
import org.panamaverbs.iwarp.wire.Pcap.Direction;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.spi.support.WindowBinding;
import org.panamaverbs.testkit.Requirement;

/** The captures of messages and Terminates; each ends as its name says. */
class ReplayTest extends CaptureReplay {
    private void bind(Side side, Region window, Guarded memory) {
        PostStatus.check(side.stream
                .sends()
                .postBind(
                        900,
                        window,
                        true,
                        memory.stag(),
                        new WindowBinding(WINDOW_STAG, memory.base, memory.size(), 2),
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
    @Requirement({
        "DDP-4.1-03",
        "DDP-4.1-04",
        "DDP-4.2-02",
        "RDMAP-5.2-01",
        "EXT-5.2-02",
        "EXT-5.2.2-2-01",
        "MPA-3-07",
        "MPA-7.1.2-2-05",
        "RDMAP-4.1-02",
        "RDMAP-4.1-04",
        "RDMAP-4.4-01",
        "RDMAP-4.4-02",
        "RDMAP-4.4-03",
        "RDMAP-5.2.1-10",
        "RDMAP-5.2.2-01",
        "EXT-5.2.2-01",
        "EXT-5.2.2-3-01",
        "EXT-5.2.1-8-01",
        "EXT-5-04",
        "EXT-5-05"
    })
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
        assertSends(side, inbox);
        assertThat(invalidations).isEqualTo(2);
        if (all) {
            assertExtensions(side, answers);
            assertThat(written.getLong(0)).isEqualTo(0x64);
        } else {
            assertThat(written.bytes()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        }
        side.assertGuards();
    }

    private static void assertSends(Side side, Guarded inbox) {
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
    }

    private static void assertExtensions(Side side, List<Segments.Parsed> answers) {
        assertThat(side.receives.brief().subList(5, 7)).containsExactly("6 RECV_IMMEDIATE", "7 RECV_IMMEDIATE");
        assertThat(side.receives.list.subList(5, 7))
                .extracting(Wc::immediateOrStag)
                .containsOnly(0x0102030405060708L);
        List<Segments.Parsed> atomics =
                answers.stream().filter(segment -> !segment.tagged()).toList();
        assertThat(atomics).hasSize(2);
        assertThat(fpdu(atomics.get(0))).isEqualTo(Samples.bytes("F17"));
        assertThat(fpdu(atomics.get(1))).isEqualTo(Samples.bytes("F19"));
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
    @Requirement({"RDMAP-5.4-03", "RDMAP-5.4-04"})
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

    @Test
    @Requirement({"DRAFT01-5.1.2-01", "EXT-10.1-01"})
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
