package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.HostileFixture.BASE;
import static org.panamaverbs.iwarp.core.HostileFixture.BYTES;
import static org.panamaverbs.iwarp.core.HostileFixture.UNKNOWN_STAG;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Crc32c;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.testkit.Requirement;

/** What looks odd but is allowed, or must be ignored, on receive. */
class LenientPeerTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);

    private final HostileFixture fixture = HostileFixture.responder().receives(4);
    private final RawPeer peer = fixture.peer;
    private final Side side = fixture.side;

    private void assertFine() {
        assertThat(side.stream.fault()).isNull();
        assertThat(side.stream.state()).isEqualTo(StreamState.ESTABLISHED);
        assertThat(peer.terminates()).isEmpty();
        side.assertGuards();
    }

    // RFC 5041 §4.1: the reserved bits are not checked; RFC 5040 §4.1 likewise.
    @Test
    @Requirement({"RDMAP-4.1-08", "DDP-4.1-08"})
    void ignoresReservedBits() {
        peer.inject(
                Segments.flip(Segments.send(1, HELLO), 0, 0x3C),
                Segments.flip(Segments.send(2, HELLO), 1, 0x30),
                Segments.flip(Segments.write(fixture.open.stag(), BASE, HELLO), 0, 0x3C),
                Segments.flip(Segments.write(fixture.open.stag(), BASE + 8, HELLO), 1, 0x30));
        assertThat(side.receives.brief()).containsExactly("100 RECV", "101 RECV");
        assertThat(fixture.open.bytes(0, 5)).isEqualTo(HELLO);
        assertThat(fixture.open.bytes(8, 5)).isEqualTo(HELLO);
        assertFine();
    }

    // RFC 5040 §4.1, RFC 7306 §4.1.
    @Test
    @Requirement({"RDMAP-4.1-10", "EXT-4.1-04"})
    void ignoresTheInvalidateStagWhereNoneIsMeant() {
        int stag = fixture.window.stag();
        peer.inject(
                Segments.untagged(Segments.SEND, stag, 0, 1, 0, true, HELLO),
                Segments.untagged(Segments.SEND_SE, stag, 0, 2, 0, true, HELLO),
                Segments.untagged(Segments.IMMEDIATE, stag, 0, 3, 0, true, new byte[8]),
                Segments.untagged(Segments.IMMEDIATE_SE, stag, 0, 4, 0, true, new byte[8]),
                Segments.untagged(
                        Segments.READ_REQUEST,
                        stag,
                        1,
                        1,
                        0,
                        true,
                        Segments.readHeader(7, 0, 4, fixture.open.stag(), BASE)),
                Segments.untagged(
                        Segments.ATOMIC_REQUEST,
                        stag,
                        1,
                        2,
                        0,
                        true,
                        Segments.atomicHeader(0, 1, fixture.open.stag(), BASE, 0, 0, 0, -1)),
                Segments.write(stag, BASE, HELLO));
        assertThat(side.receives.list)
                .hasSize(4)
                .allMatch(Wc::ok)
                .noneMatch(wc -> wc.has(CompletionSink.HAS_INVALIDATED_STAG));
        assertThat(peer.answers).hasSize(2);
        assertThat(fixture.open.bytes(0, 5)).isEqualTo(HELLO);
        assertFine();
    }

    // RFC 7306 §4.1; the Atomic Response is the only one of the four that a requester gets.
    @Test
    @Requirement("EXT-4.1-04")
    void ignoresTheInvalidateStagOfAnAtomicResponse() {
        side.fetchAdd(1, fixture.local, 64, fixture.open, 0, 1);
        peer.settle();
        int identifier = peer.answers.getLast().at(18 + 4);
        byte[] response = ByteBuffer.allocate(12).putInt(identifier).putLong(77).array();
        peer.inject(Segments.untagged(Segments.ATOMIC_RESPONSE, fixture.window.stag(), 3, 1, 0, true, response));
        assertThat(side.sends.brief()).containsExactly("1 FETCH_ADD");
        assertThat(fixture.local.getLong(64)).isEqualTo(77);
        assertThat(fixture.window.revoke()).as("was still valid").isTrue();
        assertFine();
    }

    // RFC 5041 §5.2: STag and TO of a zero-length tagged message are not checked.
    @Test
    @Requirement({"DDP-5.2-09", "DDP-5.2-10"})
    void looksAtNothingInAnEmptyWrite() {
        for (int stag : new int[] {0, 1, UNKNOWN_STAG, fixture.foreign.stag(), fixture.revoked.stag()}) {
            peer.inject(Segments.write(stag, -1));
        }
        fixture.assertMemoryUntouched();
        assertFine();
    }

    @Test
    @Requirement({"DDP-5.2-09", "DDP-5.2-10"})
    void looksAtNothingInAnEmptyReadResponse() {
        HostileFixture asking = HostileFixture.initiator();
        asking.side.read(1, asking.local, 8, 0, asking.open, 0);
        asking.side.read(2, asking.local, 8, 16, asking.open, 0);
        asking.peer.settle();
        asking.peer.inject(
                Segments.readResponse(UNKNOWN_STAG, -1, true),
                Segments.tagged(Segments.READ_RESPONSE, asking.foreign.stag(), 3, false),
                Segments.readResponse(asking.local.stag(), asking.local.base + 8, true, new byte[16]));
        assertThat(asking.side.sends.brief()).containsExactly("1 RDMA_READ", "2 RDMA_READ");
        assertThat(asking.side.stream.fault()).isNull();
    }

    // RFC 5040 §5.2.1: the source of a zero-length Read is not validated.
    @Test
    @Requirement({
        "RDMAP-5.2.1-07",
        "RDMAP-5.2.1-13",
        "RDMAP-5.2.1-14",
        "RDMAP-5.2.2-05",
        "RDMAP-4.4-02",
        "RDMAP-4.4-03",
        "SEC-6.3.5-02"
    })
    void answersAnEmptyReadOfAnything() {
        peer.inject(
                Segments.readRequest(1, 0x11111111, 77, 0, 0, 0),
                Segments.readRequest(2, 0x22222222, -1, 0, UNKNOWN_STAG, -1),
                Segments.readRequest(3, 0x33333333, 5, 0, fixture.foreign.stag(), 0));
        assertThat(peer.answers).hasSize(3);
        assertThat(peer.answers).allMatch(answer -> answer.tagged() && answer.last() && answer.opcode() == 2);
        assertThat(peer.answers).allMatch(answer -> answer.payload().length == 0);
        assertThat(peer.answers).extracting(Segments.Parsed::stag).containsExactly(0x11111111, 0x22222222, 0x33333333);
        assertThat(peer.answers).extracting(Segments.Parsed::to).containsExactly(77L, -1L, 5L);
        assertFine();
    }

    @Test
    void takesTheWholeBufferAndItsLastOctet() {
        byte[] all = new byte[BYTES];
        Arrays.fill(all, (byte) 0x77);
        peer.inject(
                Segments.write(fixture.open.stag(), BASE, all),
                Segments.write(fixture.open.stag(), BASE + BYTES - 1, (byte) 1),
                Segments.readRequest(1, 9, 0, BYTES, fixture.open.stag(), BASE),
                Segments.fetchAdd(2, 1, fixture.open.stag(), BASE + BYTES - 8, 0),
                Segments.send(1, new byte[64]));
        all[BYTES - 1] = 1;
        assertThat(peer.answers).hasSize(2);
        assertThat(peer.answers.getFirst().payload()).isEqualTo(all);
        assertThat(side.receives.list.getFirst().byteCount()).isEqualTo(64);
        assertFine();
    }

    // RFC 7306 §5.2.1: 28 reserved bits, and for FetchAdd the compare fields, are ignored; the identifier is echoed.
    @Test
    @Requirement({
        "EXT-4.1-03",
        "EXT-5.2.1-03",
        "EXT-5.2.1-02",
        "EXT-5.2.1-04",
        "EXT-5.2.1-06",
        "EXT-5.2.1-07",
        "EXT-5.2.2-01",
        "DRAFT01-5.2.1-01"
    })
    void ignoresWhatAFetchAddDoesNotUse() {
        fixture.open.putLong(0, 40);
        peer.inject(Segments.untagged(
                Segments.ATOMIC_REQUEST,
                0,
                1,
                1,
                0,
                true,
                Segments.atomicHeader(0xFFFF_FFF0, 0xCAFE, fixture.open.stag(), BASE, 2, 0, 123, 456)));
        assertThat(fixture.open.getLong(0)).isEqualTo(42);
        Segments.Parsed answer = peer.answers.getFirst();
        assertThat(answer.octets()).isEqualTo(Segments.atomicResponse(1, 0xCAFE, 40));
        assertFine();
    }

    @Test
    @Requirement({"EXT-5.1.2-02", "EXT-5.2.1-03"})
    void comparesAndSwapsUnderMasks() {
        fixture.open.putLong(0, 0x1111_2222_3333_4444L);
        byte[] header = Segments.atomicHeader(
                2, 5, fixture.open.stag(), BASE, 0xAAAA_BBBB_CCCC_DDDDL, 0xFFL << 56, 0x4444L, 0xFFFFL);
        peer.inject(Segments.untagged(Segments.ATOMIC_REQUEST, 0, 1, 1, 0, true, header));
        assertThat(fixture.open.getLong(0)).isEqualTo(0xAA11_2222_3333_4444L);
        assertThat(peer.answers.getFirst().octets()).isEqualTo(Segments.atomicResponse(1, 5, 0x1111_2222_3333_4444L));
        assertFine();
    }

    // RFC 5044 §4.1: pad octets count for the CRC alone.
    @Test
    @Requirement("MPA-4.1-04")
    void ignoresThePad() {
        byte[] wire = Framing.fpdu(Segments.send(1, HELLO));
        int pad = 2 + 18 + 5;
        Arrays.fill(wire, pad, pad + 3, (byte) 0xEE);
        peer.injectOctets(withCrc(wire));
        assertThat(side.receives.brief()).containsExactly("100 RECV");
        assertFine();
    }

    private static byte[] withCrc(byte[] wire) {
        java.lang.foreign.MemorySegment segment = java.lang.foreign.MemorySegment.ofArray(wire);
        Crc32c crc = new Crc32c();
        crc.update(segment, 0, wire.length - 4);
        crc.emit(segment, wire.length - 4);
        return wire;
    }

    // RFC 5044 §4.2: a marker's reserved half and the low bits of FPDUPTR are ignored.
    @ParameterizedTest
    @CsvSource({"0, 255, true", "1, 1, true", "3, 3, true", "3, 4, false", "2, 1, false"})
    @Requirement({"MPA-4.2-02", "MPA-4.2-04", "MPA-8-3-01", "MPA-8-3-02"})
    void looksOnlyAtWhatMattersInAMarker(int octet, int mask, boolean fine) {
        HostileFixture marked = new HostileFixture(Negotiated.builder(true)
                        .crc(true)
                        .markersIn(true)
                        .revision(1)
                        .ird(4)
                        .ord(4)
                        .emss(Pair.EMSS)
                        .build())
                .receives(4);
        byte[] plain = Segments.send(1, new byte[64]);
        // The fixture sent 14 octets of ULPDU already, and a marker before them.
        long position = Framing.fpduWithMarkers(0, Segments.write(0, 0)).length;
        marked.peer.inject(Segments.write(marked.open.stag(), BASE, new byte[BYTES]));
        position += Framing.fpduWithMarkers(position, Segments.write(0, 0, new byte[BYTES])).length;
        byte[] filler = Segments.write(marked.open.stag(), BASE, new byte[160]);
        marked.peer.inject(filler);
        position += Framing.fpduWithMarkers(position, filler).length;
        byte[] wire = Framing.fpduWithMarkers(position, plain);
        int marker = (int) (512 - position % 512);
        assertThat(marker).isBetween(4, wire.length - 8);
        wire[marker + octet] ^= (byte) mask;
        marked.peer.injectOctets(withCrc(wire));
        if (fine) {
            assertThat(marked.side.stream.fault()).isNull();
            assertThat(marked.side.receives.brief()).containsExactly("100 RECV");
        } else {
            marked.assertTerminated("2/0/03", 0, plain);
            assertThat(marked.side.receives.list).noneMatch(Wc::ok);
        }
    }

    @Test
    @Requirement({"MPA-7.1.1-08", "MPA-4.1-07", "MPA-4.4-06"})
    void doesNotCheckTheCrcIfNobodyWantedIt() {
        HostileFixture loose = new HostileFixture(Negotiated.builder(false)
                        .revision(1)
                        .ird(4)
                        .ord(4)
                        .emss(Pair.EMSS)
                        .build())
                .receives(1);
        byte[] wire = Framing.fpdu(Segments.send(1, HELLO));
        wire[wire.length - 2] ^= 0x55;
        loose.peer.injectOctets(wire);
        assertThat(loose.side.receives.brief()).containsExactly("100 RECV");
        assertThat(loose.inbox.bytes(0, 5)).isEqualTo(HELLO);
    }

    // RFC 5041 §5.3: segments of a tagged and an untagged message may alternate.
    @Test
    @Requirement("DDP-4.1-01")
    void takesWriteSegmentsBetweenSendSegments() {
        peer.inject(
                Segments.untagged(Segments.SEND, 0, 0, 1, 0, false, HELLO),
                Segments.tagged(Segments.WRITE, fixture.open.stag(), BASE, false, HELLO),
                Segments.readRequest(1, 3, 0, 0, 0, 0),
                Segments.untagged(Segments.SEND, 0, 0, 1, 5, false, HELLO),
                Segments.write(fixture.open.stag(), BASE + 5, HELLO),
                Segments.untagged(Segments.SEND, 0, 0, 1, 10, true, HELLO));
        assertThat(side.receives.brief()).containsExactly("100 RECV");
        assertThat(side.receives.last().byteCount()).isEqualTo(15);
        assertThat(new String(fixture.inbox.bytes(0, 15), StandardCharsets.US_ASCII))
                .isEqualTo("hellohellohello");
        assertThat(new String(fixture.open.bytes(0, 10), StandardCharsets.US_ASCII))
                .isEqualTo("hellohello");
        assertFine();
    }

    // A ready-to-receive Read takes a slot even where no Reads were agreed.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void answersAReadyToReceiveReadWithIrdZero(int revision) {
        HostileFixture frugal = new HostileFixture(Negotiated.builder(false)
                .crc(true)
                .revision(revision)
                .emss(Pair.EMSS)
                .build());
        frugal.peer.inject(Segments.readRequest(1, 0, 0, 0, 1, 0));
        assertThat(frugal.peer.answers).hasSize(1);
        assertThat(frugal.side.stream.fault()).isNull();
    }

    @Test
    @Requirement({
        "RDMAP-5.2.2-05",
        "EXT-5-04",
        "EXT-5.2-02",
        "EXT-5.2.2-1-01",
        "EXT-5.2.2-2-01",
        "EXT-4.1-03",
        "EXT-4.2-01",
        "EXT-5-05",
        "EXT-5.2.1-7-01",
        "EXT-5.2.2-8-01",
        "EXT-5.4-8-01",
        "EXT-7-03",
        "EXT-7-04",
        "RDMAP-5.5-20-01",
        "RDMAP-5.2.1-07",
        "DDP-4.3-06"
    })
    void processesRequestsInOrderAndCountsAtomicResponsesApart() {
        fixture.open.putLong(8, 10);
        peer.inject(
                Segments.fetchAdd(1, 1, fixture.open.stag(), BASE + 8, 1),
                Segments.readRequest(2, 6, 0x99, 8, fixture.open.stag(), BASE + 8),
                Segments.fetchAdd(3, 2, fixture.open.stag(), BASE + 8, 1));
        List<Segments.Parsed> answers = peer.answers;
        assertThat(answers).hasSize(3);
        assertThat(answers.get(0).octets()).isEqualTo(Segments.atomicResponse(1, 1, 10));
        assertThat(answers.get(1).opcode()).isEqualTo(Segments.READ_RESPONSE);
        assertThat(answers.get(1).stag()).isEqualTo(6);
        assertThat(answers.get(1).to()).isEqualTo(0x99);
        assertThat(answers.get(2).octets()).isEqualTo(Segments.atomicResponse(2, 2, 11));
        assertFine();
    }

    // RFC 5041 §6.2.1: a half-close stops one direction only.
    @Test
    @Requirement({"MPA-7.2-01", "DDP-6.2.1-04", "DDP-6.2.1-05"})
    void answersWhatIsOutstandingAfterThePeersFin() {
        peer.fromStream.window = 0;
        peer.inject(Segments.readRequest(1, 6, 0, BYTES, fixture.open.stag(), BASE));
        assertThat(side.stream.receives().post(200, fixture.inbox.base, 8, fixture.inbox.stag()))
                .isEqualTo(PostStatus.ACCEPTED);
        peer.fin();
        peer.fromStream.window = Long.MAX_VALUE;
        peer.settle();
        assertThat(peer.answers).hasSize(1);
        assertThat(peer.answers.getFirst().payload()).isEqualTo(fixture.open.bytes());
        // The end is told once the peer has acknowledged everything, which is looked at from time to time.
        peer.elapse();
        assertThat(side.closed).isTrue();
        assertThat(side.aborted).isFalse();
        assertThat(side.stream.fault()).isNull();
        assertThat(side.receives.list).hasSize(5).allMatch(Wc::flushed);
    }
}
