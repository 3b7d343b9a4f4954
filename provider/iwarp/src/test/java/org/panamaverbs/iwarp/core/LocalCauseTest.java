package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateCause.Origin;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.cm.TerminatedSegment;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.STag;
import org.panamaverbs.spi.support.WindowBinding;
import org.panamaverbs.testkit.Requirement;

/** What this side found or caused reaches its application as a type, too, and before anything is flushed for it. */
class LocalCauseTest {
    private final HostileFixture fixture = HostileFixture.initiator().receives(1);
    private final Side side = fixture.side;
    private final RawPeer peer = fixture.peer;

    @Test
    void namesTheWriteThatItRefuses() {
        peer.inject(Segments.write(fixture.open.stag(), HostileFixture.BASE + 255, (byte) 1, (byte) 2));
        assertCause("1/1/01", TerminateReason.TAGGED_BOUNDS);
        assertThat(cause().terminatedSegment())
                .contains(new TerminatedSegment.Tagged(
                        0, true, 16, STag.of(fixture.open.stag()), HostileFixture.BASE + 255));
        assertThat(side.cause()).contains("found here").contains(" in RDMA Write to STag ");
    }

    @Test
    @Requirement("RDMAP-7.2-11")
    void namesTheReadThatItRefuses() {
        int stag = fixture.writeOnly.stag();
        peer.inject(Segments.readRequest(1, 0x600, 0x77, 8, stag, 0x40000));
        assertCause("0/1/02", TerminateReason.ACCESS_RIGHTS);
        assertThat(cause().terminatedSegment())
                .contains(new TerminatedSegment.Untagged(
                        1,
                        true,
                        46,
                        1,
                        1,
                        0,
                        null,
                        new TerminatedSegment.ReadRequest(STag.of(0x600), 0x77, 8, STag.of(stag), 0x40000)));
    }

    @Test
    void namesTheAtomicThatItRefuses() {
        int stag = fixture.readOnly.stag();
        peer.inject(Segments.fetchAdd(1, 0xCAFE, stag, 0x30008, 1));
        assertCause("0/1/02", TerminateReason.ACCESS_RIGHTS);
        TerminatedSegment.Untagged segment =
                (TerminatedSegment.Untagged) cause().terminatedSegment().orElseThrow();
        assertThat(segment.message()).isEqualTo(TerminatedSegment.Message.ATOMIC_REQUEST);
        assertThat(segment.asked()).contains(new TerminatedSegment.AtomicRequest(0, 0xCAFE, STag.of(stag), 0x30008));
    }

    @Test
    void namesTheSendThatFindsNoReceive() {
        peer.inject(Segments.send(1, (byte) 1), Segments.send(2, (byte) 1));
        assertThat(cause().reason()).isEqualTo(TerminateReason.UNTAGGED_NO_BUFFER);
        assertThat(cause().terminatedSegment())
                .contains(new TerminatedSegment.Untagged(3, true, 19, 0, 2, 0, null, null));
    }

    // RFC 5044 §8: nothing of a corrupt FPDU is believed, so nothing of it is shown.
    @Test
    @Requirement("MPA-8-2-01")
    void crcErrorsHaveNoSegment() {
        byte[] wire = Framing.fpdu(Segments.send(1, (byte) 1));
        wire[wire.length - 1] ^= 1;
        peer.injectOctets(wire);
        assertCause("2/0/02", TerminateReason.MPA_CRC);
        assertThat(cause().terminatedSegment()).isEmpty();
    }

    @Test
    @Requirement("RDMAP-7.1-01")
    void tellsAClosedConnectionFromAReset() {
        peer.injectOctets(Arrays.copyOf(Framing.fpdu(Segments.send(1, (byte) 1)), 9));
        peer.fin();
        assertCause("2/0/01", TerminateReason.PEER_CLOSED);

        HostileFixture other = HostileFixture.initiator().receives(1);
        other.peer.toStream.breakDown();
        other.peer.settle();
        TerminateCause reset = Objects.requireNonNull(other.side.stream.terminateCause());
        assertThat(reset.reason()).isEqualTo(TerminateReason.PEER_RESET);
        assertThat(reset.code()).isEqualTo("2/0/01");
        assertThat(other.side.receives.last().vendorError()).isEqualTo(0x2001);
    }

    @Test
    @Requirement("RDMAP-7.1-01")
    void overrunsAreNoProtectionErrors() {
        side.receives.capacity = 0;
        peer.inject(Segments.send(1, (byte) 1));
        assertThat(cause().reason()).isEqualTo(TerminateReason.COMPLETION_QUEUE_OVERRUN);
        assertThat(cause().code()).isEqualTo("0/0/00");
    }

    @Test
    @Requirement("RDMAP-7.1-01")
    void namesTheWorkRequestThatCannotBeExecuted() {
        side.stream.sends().post(SendOpcode.SEND, 77, 0, 8, 0x0BAD_0001, 0, 0, 0, SendFlag.SIGNALED);
        peer.settle();
        assertCause("0/0/00", TerminateReason.LOCAL_PROTECTION);
        assertThat(cause().detail()).contains("SEND", "wr_id 77");
        assertThat(side.sends.brief()).containsExactly("77 LOCAL_PROTECTION_ERROR");
    }

    // RFC 5040 §7.1: found before anything is asked of the peer, which has then no answer to place.
    @Test
    void asksForNoReadIntoMemoryThatMayNotBeWritten() {
        side.read(7, fixture.readOnly, 0, 8, fixture.open, 0);
        peer.settle();
        assertThat(side.sends.brief()).containsExactly("7 LOCAL_PROTECTION_ERROR");
        assertThat(peer.answers).singleElement().matches(Segments.Parsed::isTerminate);
        assertCause("0/0/00", TerminateReason.LOCAL_PROTECTION);
        fixture.assertMemoryUntouched();
    }

    @Test
    void namesABindThatIsRefused() {
        WindowBinding asked = new WindowBinding(77, fixture.open.base, 8, Access.REMOTE_READ.bit());
        int stag = fixture.open.stag();
        assertThat(side.stream.sends().postBind(5, fixture.open.region, true, stag, asked, SendFlag.SIGNALED))
                .isEqualTo(PostStatus.ACCEPTED);
        peer.settle();
        assertCause("0/0/00", TerminateReason.LOCAL_REQUEST);
        assertThat(cause().detail()).contains("BIND_WINDOW", "wr_id 5");
    }

    @Test
    void sendsNoReadWithoutDepth() {
        RawPeer shallow = new RawPeer(
                Negotiated.builder(true).crc(true).depths(0).emss(Pair.EMSS).build());
        Guarded memory = shallow.side.memory(64);
        assertThat(shallow.side.read(5, memory, 0, 8, memory, 8)).isEqualTo(PostStatus.NO_INITIATOR_DEPTH);
        assertThat(shallow.side.fetchAdd(6, memory, 0, memory, 8, 1)).isEqualTo(PostStatus.NO_INITIATOR_DEPTH);
        shallow.settle();
        assertThat(shallow.answers).isEmpty();
        assertThat(shallow.side.stream.terminateCause()).isNull();
    }

    @Test
    void namesMemoryThatWentAwayUnderASend() {
        peer.fromStream.window = 100;
        Guarded large = side.memory(4096);
        side.send(1, large, 0, 4096);
        peer.settle();
        assertThat(large.region.revoke()).isTrue();
        peer.fromStream.window = Long.MAX_VALUE;
        peer.settle();
        assertThat(cause().reason()).isEqualTo(TerminateReason.MEMORY_GONE);
    }

    @Test
    void anEndInOrderHasNoCause() {
        peer.fin();
        peer.settle();
        assertThat(side.stream.terminateCause()).isNull();
        assertThat(side.receives.brief()).containsExactly("100 WR_FLUSH_ERROR");
        assertThat(side.receives.last().vendorError()).isZero();
    }

    /** Whoever takes a flushed completion and asks for the cause gets it, and it is the first one for good. */
    @Test
    void isKnownBeforeTheFirstFlush() {
        List<TerminateCause> seen = new ArrayList<>();
        Side[] watched = new Side[1];
        CompletionSink asks = (wrId, status, opcode, qp, octets, flags, immediate, vendorError) -> {
            seen.add(Objects.requireNonNull(watched[0].stream.terminateCause()));
            return seen.size();
        };
        Pipe in = new Pipe();
        watched[0] = new Side(Side.config(1), in, new Pipe(), new StagTable(64, Side.randomStags(3)), asks, asks);
        Guarded memory = watched[0].memory(64);
        watched[0].stream.start(Pair.agreed(true), 0);
        watched[0].receives(2, 0, memory, 8);
        watched[0].read(9, memory, 0, 8, memory, 8);
        in.write(Framing.fpdu(Segments.terminate(1, 1, 4, 0)));
        watched[0].settle(0);
        in.breakDown();
        watched[0].settle(0);
        TerminateCause cause = Objects.requireNonNull(watched[0].stream.terminateCause());
        assertThat(cause.reason()).isEqualTo(TerminateReason.TAGGED_VERSION);
        assertThat(seen).hasSize(3).containsOnly(cause);
    }

    private void assertCause(String code, TerminateReason reason) {
        assertThat(cause().origin()).isEqualTo(Origin.LOCAL);
        assertThat(cause().code()).isEqualTo(code);
        assertThat(cause().reason()).isEqualTo(reason);
        assertThat(cause().text()).isEqualTo(reason.text());
        int number = Integer.parseInt(code.replace("/", ""), 16);
        assertThat(side.receives.list).isNotEmpty().allMatch(Wc::flushed).allMatch(wc -> wc.vendorError() == number);
    }

    private TerminateCause cause() {
        return Objects.requireNonNull(side.stream.terminateCause());
    }
}
