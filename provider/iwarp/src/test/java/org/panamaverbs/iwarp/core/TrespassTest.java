package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.WindowBinding;
import org.panamaverbs.testkit.Requirement;

/** Ways by which octets once got where they had no right to be, and streams into states they could not leave. */
class TrespassTest {
    private static final int REMOTE_WRITE = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    @Test
    @Requirement({"RDMAP-5.4-06", "RDMAP-8.1.1-3-01"})
    void placesNoPayloadOfAnOversizedTerminate() {
        RawPeer peer = new RawPeer(true);
        Guarded receive = peer.side.memory(100, 0x1000, Guarded.LOCAL);
        peer.side.receive(1, receive, 0, 100);
        peer.inject(Segments.send(1, new byte[10]));
        byte[] before = receive.bytes();

        byte[] control = new byte[4096];
        Arrays.fill(control, (byte) 0x5A);
        peer.inject(Segments.untagged(Segments.TERMINATE, 0, 2, 1, 0, true, control));

        assertThat(receive.bytes()).isEqualTo(before);
        peer.side.assertGuards();
        assertThat(peer.side.stream.fault()).isNotNull();
        assertThat(Objects.requireNonNull(peer.side.stream.fault()).code()).isEqualTo(TerminateCode.UNTAGGED_TOO_LONG);
    }

    @Test
    void nothingBehindATerminateCounts() {
        RawPeer peer = new RawPeer(true);
        Guarded memory = peer.side.memory(64, 0x1000, REMOTE_WRITE);
        byte[] terminate = Framing.fpdu(Segments.terminate(0, 0, 0, 0));
        byte[] write = Framing.fpdu(Segments.write(memory.stag(), memory.base, (byte) 7));
        byte[] both = ByteBuffer.allocate(terminate.length + write.length)
                .put(terminate)
                .put(write)
                .array();
        byte[] before = memory.bytes();

        peer.injectOctets(both);

        assertThat(memory.bytes()).isEqualTo(before);
    }

    @Test
    void memoryAtOneAddressUnderTwoRegistrationsIsNotMixedUp() {
        RawPeer peer = new RawPeer(true);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment whole = arena.allocate(65_536, 8);
            Region small = enable(peer, whole.asSlice(0, 4096), 0);
            Region large = enable(peer, whole, 0);
            byte[] payload = new byte[2000];
            Arrays.fill(payload, (byte) 9);

            peer.inject(Segments.write(small.stag(), 0, payload), Segments.write(large.stag(), 32_768, payload));

            assertThat(peer.side.stream.state()).isEqualTo(StreamState.ESTABLISHED);
            assertThat(whole.get(ValueLayout.JAVA_BYTE, 32_768 + 1999)).isEqualTo((byte) 9);
            assertThat(small.revoke() && small.quiescent()).isTrue();
            assertThat(large.revoke() && large.quiescent()).isTrue();
        }
    }

    @Test
    void memoryThatItsOwnerClosedIsAnInvalidStag() {
        RawPeer peer = new RawPeer(true);
        Region region;
        try (Arena arena = Arena.ofShared()) {
            region = enable(peer, arena.allocate(8192, 8), 0);
        }

        peer.inject(Segments.write(region.stag(), 0, new byte[100]));

        assertThat(Objects.requireNonNull(peer.side.stream.fault()).code())
                .isEqualTo(TerminateCode.TAGGED_INVALID_STAG);
        assertThat(region.revoke() && region.quiescent()).isTrue();
    }

    private static Region enable(RawPeer peer, MemorySegment memory, long base) {
        return Objects.requireNonNull(peer.side.stags.enable(memory, base, REMOTE_WRITE, Side.DOMAIN));
    }

    @Test
    void aBatchOfLongInlineSendsFits() {
        int inline = 900;
        StreamConfig config = StreamConfig.builder()
                .qpNumber(1)
                .domainId(Side.DOMAIN)
                .maxSendWr(128)
                .maxInlineBytes(inline)
                .lingerNanos(Side.LINGER_NANOS)
                .build();
        StreamConfig other = StreamConfig.builder()
                .qpNumber(2)
                .domainId(Side.DOMAIN)
                .maxSendWr(128)
                .maxInlineBytes(inline)
                .lingerNanos(Side.LINGER_NANOS)
                .build();
        Pair pair = Pair.of(config, other).start();
        Guarded into = pair.b.memory(64 * inline);
        pair.b.receives(64, 0, into, inline);
        MemorySegment data = MemorySegment.ofArray(new byte[inline]);
        pair.a.stream.sends().holds = true;
        for (int i = 0; i < 64; i++) {
            assertThat(pair.a.stream.sends().postInline(SendOpcode.SEND, i, data, 0, inline, 0, 0, 0, 0))
                    .isEqualTo(PostStatus.ACCEPTED);
        }
        pair.a.stream.sends().holds = false;
        pair.a.stream.sends().publish();

        pair.settle();

        assertThat(pair.b.receives.list).hasSize(64).allMatch(Wc::ok);
    }

    @Test
    void whatIsFlushedIsNotReadAnyMore() {
        Pair pair = new Pair().start();
        Guarded from = pair.a.memory(60_000).pattern(3);
        Guarded to = pair.b.memory(60_000);
        pair.a.write(1, from, 0, 60_000, to, 0);
        assertThat(pair.a.stream.transmit(pair.now).isEmpty()).isFalse();
        pair.a.stream.sent(0, pair.now);

        pair.a.stream.fail(Fault.QUEUE_OVERRUN, pair.now);
        assertThat(pair.a.sends.list).hasSize(1);
        from.put(0, new byte[60_000]);
        pair.settle();

        // The FPDUs that had begun arrive as they were, with the right CRC, and then the Terminate.
        assertThat(Objects.requireNonNull(pair.b.stream.fault()).code())
                .isEqualTo(TerminateCode.RDMAP_LOCAL_CATASTROPHIC);
    }

    @Test
    void aWindowMovesToAnotherStreamOnceItIsInvalidated() {
        Pair pair = new Pair().start();
        Pair next = new Pair(
                        new Side(11, new Pipe(), new Pipe(), pair.a.stags),
                        new Side(12, new Pipe(), new Pipe(), pair.b.stags))
                .start();
        Guarded memory = pair.a.memory(128);
        Region window = Objects.requireNonNull(pair.a.stags.reserve(Side.DOMAIN));
        int first = window.nextStag(1);
        bind(pair.a, window, first, memory);
        pair.settle();
        pair.a.stream.sends().postLocalInvalidate(2, first, SendFlag.SIGNALED);
        pair.settle();
        assertThat(pair.a.sends.list).hasSize(2).allMatch(Wc::ok);

        bind(next.a, window, window.nextStag(2), memory);
        next.a.settle(next.now);

        assertThat(next.a.sends.list).hasSize(1).allMatch(Wc::ok);
    }

    private static void bind(Side side, Region window, int stag, Guarded memory) {
        side.stream
                .sends()
                .postBind(
                        1,
                        window,
                        true,
                        memory.stag(),
                        new WindowBinding(stag, memory.base, 64, Access.mask(Access.REMOTE_READ)),
                        SendFlag.SIGNALED);
    }
}
