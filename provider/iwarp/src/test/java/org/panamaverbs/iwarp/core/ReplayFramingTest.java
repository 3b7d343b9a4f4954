package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.wire.Pcap;
import org.panamaverbs.iwarp.wire.Pcap.Connection;
import org.panamaverbs.iwarp.wire.Pcap.Direction;
import org.panamaverbs.testkit.Requirement;

/** The captures about FPDUs: packed ones, markers, CRCs. */
class ReplayFramingTest extends CaptureReplay {
    private static byte[] repeat(char letter, int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) letter);
        return bytes;
    }

    @Test
    @Requirement({"MPA-5.1-04", "MPA-5.2-01", "MPA-5.1-03"})
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
    @Requirement({"DDP-6.1-01", "MPA-7.1-01", "MPA-7.1.2-3-04", "MPA-7.1.5-01"})
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
    @Requirement({
        "MPA-4.3-02",
        "MPA-4.3-03",
        "MPA-4.3-01",
        "MPA-4.3-07",
        "MPA-4.3-08",
        "MPA-4.3-09",
        "MPA-7.1.1-06",
        "MPA-7.1.2-7-01"
    })
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
    @Requirement({"MPA-4.3-01", "MPA-7.1.1-05", "MPA-7.1.1-06"})
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
    @Requirement({"MPA-7.1.1-08", "MPA-4.4-06"})
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
    @Requirement({"MPA-4.4-10", "MPA-4.4-05", "MPA-8-2-01"})
    void badCrcIsTerminated() {
        Connection connection = Pcap.load("crc_bad").getFirst();
        Side side = played(connection, Direction.FROM_INITIATOR);
        side.receive(1, side.memory(64), 0, 64);
        packets(connection, Direction.FROM_INITIATOR).forEach(octets -> play(side, octets));
        assertThat(side.out.drain())
                .isEqualTo(packets(connection, Direction.FROM_RESPONDER).getFirst());
        assertThat(side.receives.list).hasSize(1).noneMatch(Wc::ok);
    }
}
