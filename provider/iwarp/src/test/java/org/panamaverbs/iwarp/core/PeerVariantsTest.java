package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.StartupFrames.A;
import static org.panamaverbs.iwarp.core.StartupFrames.C;
import static org.panamaverbs.iwarp.core.StartupFrames.C_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.D;
import static org.panamaverbs.iwarp.core.StartupFrames.R_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.S_FLAG;
import static org.panamaverbs.iwarp.core.StartupFrames.config;
import static org.panamaverbs.iwarp.core.StartupFrames.drain;
import static org.panamaverbs.iwarp.core.StartupFrames.enhanced;
import static org.panamaverbs.iwarp.core.StartupFrames.frame;
import static org.panamaverbs.iwarp.core.StartupFrames.responderGot;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.MpaStartup.State;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.testkit.Requirement;

/**
 * Where the RFCs leave a choice, or a peer strays from them, every known peer is understood: Linux siw with its swapped
 * bits, Chelsio's and Intel's adapters.
 */
class PeerVariantsTest {
    private static final int M_D = 0xC0;

    /** How a peer lays out a Terminate. */
    enum Peer {
        /** As the RFC says; the length is that of the segment. */
        RFC,
        /** Linux siw: nibbles and bits swapped, the length is that of the payload. */
        SIW,
        /** As siw, with R but without the Read Request. */
        SIW_R,
        /** Chelsio: the control word alone. */
        BARE;

        byte[] terminate(String code, byte[] offender) {
            int layer = code.charAt(0) - '0';
            int type = code.charAt(2) - '0';
            int number = Integer.parseInt(code.substring(4), 16);
            return switch (this) {
                case RFC -> Segments.terminate(layer, type, number, M_D, headers(offender, offender.length));
                case SIW -> Segments.terminate(type, layer, number, 0x03, headers(offender, payload(offender)));
                case SIW_R -> Segments.terminate(type, layer, number, 0x07, headers(offender, payload(offender)));
                case BARE -> Segments.terminate(layer, type, number, 0);
            };
        }

        private static int header(byte[] offender) {
            return (offender[0] & 0x80) != 0 ? 14 : 18;
        }

        private static int payload(byte[] offender) {
            return offender.length - header(offender);
        }

        private static byte[] headers(byte[] offender, int length) {
            return ByteBuffer.allocate(2 + header(offender))
                    .putShort((short) length)
                    .put(offender, 0, header(offender))
                    .array();
        }
    }

    enum Operation {
        WRITE,
        INVALIDATE,
        READ,
        ATOMIC,
        IMMEDIATE;

        void post(HostileFixture fixture) {
            Side side = fixture.side;
            switch (this) {
                case WRITE -> side.write(1, fixture.local, 0, 8, fixture.open, 0);
                case INVALIDATE -> side.post(SendOpcode.SEND_WITH_INVALIDATE, 1, fixture.local, 0, 8, 0, 0, 0x700);
                case READ -> side.read(1, fixture.local, 0, 8, fixture.open, 0);
                case ATOMIC -> side.fetchAdd(1, fixture.local, 8, fixture.open, 0, 1);
                case IMMEDIATE -> side.post(SendOpcode.IMMEDIATE, 1, fixture.local, 0, 0, 0, 0, 9);
            }
        }
    }

    // The first column is the choice of decision 4.
    @ParameterizedTest
    @CsvSource({
        "1, WRITE, RFC, 1/1/00, 1/1/00, 1 RDMA_WRITE",
        "1, WRITE, SIW, 1/1/00, 1/1/00, 1 RDMA_WRITE",
        "1, WRITE, RFC, 0/1/02, 0/1/02, 1 RDMA_WRITE",
        "1, WRITE, BARE, 0/1/02, 0/1/02, 1 RDMA_WRITE",
        "2, INVALIDATE, RFC, 0/1/09, 0/1/09, 1 SEND",
        "2, INVALIDATE, RFC, 0/2/09, 0/2/09, 1 SEND",
        "2, INVALIDATE, SIW, 0/2/09, 0/2/09, 1 SEND",
        "3, INVALIDATE, SIW_R, 0/1/09, 0/1/09, 1 SEND",
        "3, READ, SIW_R, 0/1/02, 0/1/02, 1 REMOTE_ACCESS_ERROR",
        "4, READ, SIW, 0/2/07, 0/2/07, 1 REMOTE_INVALID_REQUEST",
        "4, READ, RFC, 1/2/03, 1/2/03, 1 REMOTE_INVALID_REQUEST",
        "4, READ, RFC, 1/2/02, 1/2/02, 1 REMOTE_INVALID_REQUEST",
        "5, ATOMIC, RFC, 0/2/06, 0/2/06, 1 REMOTE_INVALID_REQUEST",
        "5, ATOMIC, RFC, 0/2/ff, 0/2/ff, 1 REMOTE_OPERATION_ERROR",
        "5, ATOMIC, RFC, 0/1/02, 0/1/02, 1 REMOTE_ACCESS_ERROR",
        "5, IMMEDIATE, RFC, 1/2/05, 1/2/05, 1 IMMEDIATE",
        "5, IMMEDIATE, RFC, 0/2/ff, 0/2/ff, 1 IMMEDIATE",
        "6, WRITE, BARE, 2/0/02, 2/0/02, 1 RDMA_WRITE",
        "6, WRITE, BARE, 2/3/02, 2/3/02, 1 RDMA_WRITE",
        "7, READ, RFC, 0/1/01, 0/1/01, 1 REMOTE_ACCESS_ERROR",
        "7, READ, SIW, 0/1/01, 0/1/01, 1 REMOTE_ACCESS_ERROR",
        "9, WRITE, BARE, 2/0/03, 2/0/03, 1 RDMA_WRITE",
        "9, WRITE, BARE, 1/0/00, 1/0/00, 1 RDMA_WRITE",
    })
    @Requirement({"RDMAP-5.4-05", "RDMAP-7.1-01", "RDMAP-3.2-03", "EXT-6.1-02"})
    void understandsEveryWayToRefuse(
            int choice, Operation operation, Peer peer, String code, String cause, String completion) {
        HostileFixture fixture = HostileFixture.initiator().receives(1);
        operation.post(fixture);
        fixture.peer.settle();
        byte[] offender = fixture.peer.answers.getFirst().octets();
        fixture.peer.inject(peer.terminate(code, offender));
        assertThat(fixture.side.cause()).startsWith(cause).contains("by the peer");
        assertThat(fixture.side.sends.brief()).containsExactly(completion);
        assertThat(fixture.side.receives.list).hasSize(1).allMatch(Wc::flushed);
        assertThat(fixture.peer.terminates()).isEmpty();
        fixture.assertMemoryUntouched();
    }

    // Choice 6: what Chelsio's and Intel's adapters send as type 3 is the same error.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void takesTypeThreeForTheErrorOfMpa(int code) {
        HostileFixture fixture = HostileFixture.initiator();
        fixture.peer.inject(Segments.terminate(2, 3, code, 0));
        TerminateCause cause = Objects.requireNonNull(fixture.side.stream.terminateCause());
        assertThat(cause.reason()).isEqualTo(TerminateReason.of(2, 0, code)).isNotEqualTo(TerminateReason.UNREGISTERED);
        assertThat(cause.code()).as("as it came").isEqualTo("2/3/0" + code);
    }

    // Choice 8: a rejection is one whether a Terminate follows it or not, with the block or without.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takesARejectionWithATerminateBehindIt(boolean block) {
        byte[] reject = block
                ? frame(true, R_FLAG | S_FLAG | C_FLAG, 2, (byte) 0, (byte) 4, (byte) 0, (byte) 4, (byte) 'n')
                : frame(true, R_FLAG | C_FLAG, 2, (byte) 'n');
        byte[] terminate = Framing.fpdu(Segments.terminate(2, 0, 6, 0));
        byte[] both = ByteBuffer.allocate(reject.length + terminate.length)
                .put(reject)
                .put(terminate)
                .array();
        MpaStartup initiator = MpaStartup.initiator(config(2, true, 4, 4, ""));
        drain(initiator);
        assertThat(StartupFrames.feed(initiator, both)).isEqualTo(reject.length);
        assertThat(initiator.state()).isEqualTo(State.REJECTED);
        assertThat(initiator.peerPrivateData()).containsExactly('n');
    }

    // siw echoes all flags of the request in its reply, reserved ones too, and some peers answer with both RTR bits.
    @ParameterizedTest
    @CsvSource({"WRITE, true, false", "READ, false, true", "WRITE, true, true"})
    void takesRepliesWithFlagsOfTheRequest(Rtr rtr, boolean write, boolean read) {
        byte[] reply = enhanced(true, A | (write ? C : 0) | (read ? D : 0) | 4 << 16 | 4);
        reply[16] |= 0x0F;
        MpaStartup initiator = StartupFrames.initiatorGot(config(2, true, 4, 4, ""), reply);
        assertThat(initiator.state()).isEqualTo(State.DONE);
        assertThat(initiator.startFault()).isNull();
        assertThat(initiator.negotiated().rtr()).isEqualTo(rtr);
    }

    // siw and Chelsio go back to revision 1, or never left it; siw asks with A=0 and no CRC.
    @Test
    void takesRequestsAndRepliesOfOtherMakers() {
        assertThat(StartupFrames.initiatorGot(config(2, true, 4, 4, ""), frame(true, 0, 1))
                        .state())
                .isEqualTo(State.DONE);
        MpaStartup siw = responderGot(config(2, true, 4, 4, ""), Samples.bytes("M06"));
        assertThat(siw.state()).isEqualTo(State.REQUEST_READY);
        MpaStartup plain = responderGot(config(2, true, 4, 4, ""), frame(false, 0, 2, (byte) 1));
        assertThat(plain.state()).isEqualTo(State.REQUEST_READY);
        assertThat(plain.peerPrivateData()).containsExactly(1);
    }

    // On loopback siw sends FPDUs beyond the 64768 octets that RFC 5044 §3 lets a sender use.
    @Test
    void takesTheLongestUlpdu() {
        HostileFixture fixture = HostileFixture.responder();
        Guarded big = fixture.side.memory(70_000);
        byte[] data = new byte[65_535 - 14];
        Arrays.fill(data, (byte) 5);
        fixture.peer.inject(Segments.write(big.stag(), big.base + 1, data));
        assertThat(fixture.side.stream.fault()).isNull();
        assertThat(big.bytes(1, data.length)).isEqualTo(data);
        assertThat(big.bytes(0, 1)).containsOnly(0);
        assertThat(big.bytes(1 + data.length, 8)).containsOnly(0);
    }

    // RFC 5041 §5.3 lets segments of a Write come in any order and more than once; siw would refuse them.
    @Test
    @Requirement({"DDP-5.3-03", "DDP-5.3-04", "RDMAP-5.5-3-01"})
    void placesSegmentsOfAWriteInAnyOrder() {
        HostileFixture fixture = HostileFixture.responder();
        int stag = fixture.open.stag();
        long to = HostileFixture.BASE;
        fixture.peer.inject(
                Segments.tagged(Segments.WRITE, stag, to + 8, false, Attack.EIGHT),
                Segments.tagged(Segments.WRITE, stag, to, false, Attack.EIGHT),
                Segments.tagged(Segments.WRITE, stag, to + 8, false, Attack.EIGHT),
                Segments.tagged(Segments.WRITE, stag, to + 16, true, Attack.EIGHT));
        assertThat(fixture.side.stream.fault()).isNull();
        for (int i = 0; i < 24; i += 8) {
            assertThat(fixture.open.bytes(i, 8)).isEqualTo(Attack.EIGHT);
        }
    }

    // A ready-to-receive message opens also connections of revision 1: irdma's and Chelsio's adapters send one there.
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void opensWithWhateverComesFirst(int kind) {
        RawPeer fresh = new RawPeer(
                Negotiated.builder(false).crc(true).revision(1).emss(Pair.EMSS).build());
        Guarded local = fresh.side.memory(64);
        fresh.side.send(1, local, 0, 8);
        fresh.settle();
        assertThat(fresh.answers).isEmpty();
        fresh.inject(kind == 0 ? Segments.write(1, 0) : Segments.readRequest(1, 1, 0, 0, 1, 0));
        assertThat(fresh.side.stream.fault()).isNull();
        assertThat(fresh.side.sends.brief()).containsExactly("1 SEND");
    }
}
