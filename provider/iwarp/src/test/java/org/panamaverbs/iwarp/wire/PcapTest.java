package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.iwarp.wire.Pcap.Connection;
import org.panamaverbs.iwarp.wire.Pcap.Direction;
import org.panamaverbs.iwarp.wire.Pcap.Segment;

/** The captures can be read, and the wire layer agrees with every octet in them. */
class PcapTest {
    @ParameterizedTest
    @CsvSource({
        // file, connections, FPDUs from the initiator, FPDUs from the responder, bad CRCs
        "rev1, 1, 8, 2, 0",
        "rev2_all, 1, 13, 4, 0",
        "terms, 11, 11, 11, 0",
        "packed, 1, 4, 1, 0",
        "reply_plus_fpdu, 1, 0, 2, 0",
        "markers_both, 1, 4, 1, 0",
        "markers_one_way, 1, 1, 1, 0",
        "crc_off, 1, 1, 0, 1",
        "crc_bad, 1, 1, 1, 1",
        "swap_draft, 1, 2, 0, 0",
    })
    void dissectsEveryCapture(String name, int connections, int fromInitiator, int fromResponder, int badCrcs) {
        List<Connection> found = Pcap.load(name);
        assertThat(found).hasSize(connections);
        Tally tally = new Tally();
        for (Connection connection : found) {
            byte[] request = connection.stream(Direction.FROM_INITIATOR);
            byte[] reply = connection.stream(Direction.FROM_RESPONDER);
            MpaFrame.Frame requestFrame = frame(request, false);
            MpaFrame.Frame replyFrame = frame(reply, true);
            // Each side says in its own frame whether it wants markers in what it receives.
            tally.initiator +=
                    fpdus(rest(request, requestFrame), replyFrame.frame().markers(), tally);
            tally.responder +=
                    fpdus(rest(reply, replyFrame), requestFrame.frame().markers(), tally);
        }
        assertThat(tally.initiator).isEqualTo(fromInitiator);
        assertThat(tally.responder).isEqualTo(fromResponder);
        assertThat(tally.badCrcs).isEqualTo(badCrcs);
    }

    @Test
    void keepsSegmentBoundariesDirectionsAndFlags() {
        Connection connection = Pcap.load("packed").getFirst();
        assertThat(connection.initiatorPort()).isEqualTo(42000);
        assertThat(connection.responderPort()).isEqualTo(18515);
        assertThat(connection.segments().getFirst())
                .isEqualTo(new Segment(Direction.FROM_INITIATOR, true, false, false, Octets.EMPTY));
        assertThat(connection.segments().get(1).direction()).isEqualTo(Direction.FROM_RESPONDER);
        assertThat(connection.segments().get(1).syn()).isTrue();
        assertThat(connection.data())
                .extracting(segment -> segment.payload().size())
                .containsExactly(20, 20, 32 + 32 + 28, 20, 32, 28);
    }

    @Test
    void tellsWhoClosed() {
        byte[] file = Samples.resource("pcap/rev1.pcap");
        int emptyPacket = 16 + 14 + 20 + 20;
        // The last three packets are FIN, FIN, ACK.
        for (int kept = 0; kept <= 3; kept++) {
            Connection connection = Pcap.parse(Arrays.copyOf(file, file.length - (3 - kept) * emptyPacket))
                    .getFirst();
            assertThat(connection.finished(Direction.FROM_INITIATOR)).isEqualTo(kept >= 1);
            assertThat(connection.finished(Direction.FROM_RESPONDER)).isEqualTo(kept >= 2);
            assertThat(connection.segments()).noneMatch(Segment::rst);
        }
    }

    @Test
    void separatesConnections() {
        assertThat(Pcap.load("terms")).extracting(Connection::initiatorPort).doesNotHaveDuplicates();
    }

    @Test
    void refusesWhatItCannotReplay() {
        byte[] file = Samples.resource("pcap/rev1.pcap");
        byte[] noMagic = file.clone();
        noMagic[0] ^= 1;
        assertThatThrownBy(() -> Pcap.parse(noMagic)).hasMessageContaining("not a pcap file");
        int firstPacket = 24 + 16;
        byte[] noSyn = file.clone();
        noSyn[firstPacket + 14 + 20 + 13] = 0x10;
        assertThatThrownBy(() -> Pcap.parse(noSyn)).hasMessageContaining("began before");
        byte[] udp = file.clone();
        udp[firstPacket + 14 + 9] = 17;
        assertThatThrownBy(() -> Pcap.parse(udp)).hasMessageContaining("not TCP");
        byte[] gap = file.clone();
        gap[firstPacket + 14 + 20 + 7]++;
        assertThatThrownBy(() -> Pcap.parse(gap)).hasMessageContaining("out of order");
    }

    private static final class Tally {
        int initiator;
        int responder;
        int badCrcs;
    }

    private static MpaFrame.Frame frame(byte[] stream, boolean reply) {
        MpaFrame.Parsed parsed = MpaFrame.parse(MemorySegment.ofArray(stream), 0, stream.length, reply);
        assertThat(parsed).isInstanceOf(MpaFrame.Frame.class);
        return (MpaFrame.Frame) parsed;
    }

    private static byte[] rest(byte[] stream, MpaFrame.Frame frame) {
        return Arrays.copyOfRange(stream, frame.bytes(), stream.length);
    }

    private static int fpdus(byte[] stream, boolean markers, Tally tally) {
        MemorySegment segment = MemorySegment.ofArray(stream);
        List<TerminateCode> verdicts = new ArrayList<>();
        int count = 0;
        for (int position = 0; position < stream.length; count++) {
            int leading = markers && Markers.isDue(position) ? Markers.BYTES : 0;
            int plain = Fpdu.size(Fpdu.ulpduLength(segment, position + leading));
            int size = markers ? Markers.sizeWithMarkers(position, plain) : plain;
            byte[] wire = Arrays.copyOfRange(stream, position, position + size);
            Crc32c crc = new Crc32c();
            crc.update(segment, position, size - Fpdu.CRC_BYTES);
            if (!crc.matches(segment, position + size - Fpdu.CRC_BYTES)) {
                tally.badCrcs++;
                crc.emit(MemorySegment.ofArray(wire), size - Fpdu.CRC_BYTES);
            }
            check(Framing.open(wire, markers, position), verdicts);
            position += size;
        }
        assertThat(verdicts).isEmpty();
        return count;
    }

    private static void check(byte[] ulpdu, List<TerminateCode> verdicts) {
        MemorySegment segment = MemorySegment.ofArray(ulpdu);
        TerminateCode verdict = DdpHeader.isTagged(ulpdu[0])
                ? new TaggedView().wrap(segment, 0, ulpdu.length).check()
                : new UntaggedView().wrap(segment, 0, ulpdu.length).check();
        if (verdict != null) {
            verdicts.add(verdict);
        }
    }
}
