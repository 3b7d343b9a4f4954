package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.WindowBinding;

/** A stream with memory of every kind, and a peer that means it no good. */
final class HostileFixture {
    static final int BYTES = 256;
    static final long BASE = 0x10000;
    static final int RECEIVE_BYTES = 64;
    static final int UNKNOWN_STAG = 0x0BAD_0000;
    private static final int OTHER_DOMAIN = 2;

    final RawPeer peer;
    final Side side;
    /** Every right. */
    final Guarded open;
    /** Local write only. */
    final Guarded local;

    final Guarded readOnly;
    final Guarded writeOnly;
    final Guarded foreign;
    final Guarded revoked;
    final Guarded inbox;
    /** Bound to the stream. */
    final Region window;
    /** Bound to another stream of the same domain. */
    final Region othersWindow;
    /** Bound for the whole domain. */
    final Region domainWindow;
    /** Never bound. */
    final Region unbound;

    private final List<byte[]> before = new ArrayList<>();
    private final RawPeer neighbour;

    HostileFixture(Negotiated negotiated) {
        StagTable stags = new StagTable(64, Side.randomStags(9));
        peer = new RawPeer(negotiated, stags);
        side = peer.side;
        // A responder does nothing before the first FPDU; this one means nothing (RFC 5041 §5.2).
        peer.inject(Segments.write(UNKNOWN_STAG, 0));
        open = side.memory(BYTES, BASE, Guarded.ALL).pattern(1);
        local = side.memory(BYTES, 0x20000, Guarded.LOCAL).pattern(2);
        readOnly = side.memory(BYTES, 0x30000, Access.mask(Access.REMOTE_READ)).pattern(3);
        writeOnly = side.memory(BYTES, 0x40000, Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE))
                .pattern(4);
        foreign = side.memory(BYTES, 0x50000, Guarded.ALL, OTHER_DOMAIN).pattern(5);
        revoked = side.memory(BYTES, 0x60000, Guarded.ALL).pattern(6);
        assertThat(revoked.region.revoke()).isTrue();
        inbox = side.memory(4 * RECEIVE_BYTES, 0x70000, Guarded.LOCAL);
        window = bound(side, open, true);
        domainWindow = bound(side, open, false);
        Side other = new Side(0x44, new Pipe(), new Pipe(), stags);
        other.stream.start(Pair.agreed(true), 0);
        othersWindow = bound(other, open, true);
        unbound = Objects.requireNonNull(stags.reserve(Side.DOMAIN));
        neighbour = new RawPeer(0x55, negotiated, stags);
        side.sends.list.clear();
        side.memories.forEach(memory -> before.add(memory.bytes()));
    }

    /** The stream is the responder: CRC, IRD and ORD 4. */
    static HostileFixture responder() {
        return new HostileFixture(
                Negotiated.builder(false).crc(true).depths(4).emss(Pair.EMSS).build());
    }

    /** The stream is the initiator. */
    static HostileFixture initiator() {
        return new HostileFixture(
                Negotiated.builder(true).crc(true).depths(4).emss(Pair.EMSS).build());
    }

    HostileFixture receives(int count) {
        side.receives(count, 100, inbox, RECEIVE_BYTES);
        return this;
    }

    private static Region bound(Side binder, Guarded memory, boolean scoped) {
        Region window = Objects.requireNonNull(binder.stags.reserve(Side.DOMAIN));
        int rights = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
        PostStatus.check(binder.stream
                .sends()
                .postBind(
                        1,
                        window,
                        scoped,
                        memory.stag(),
                        new WindowBinding(window.nextStag(5), memory.base, BYTES, rights),
                        0));
        binder.settle(0);
        return window;
    }

    /** Whatever was injected, no octet of registered memory may differ, nor one around it. */
    void assertMemoryUntouched() {
        for (int i = 0; i < before.size(); i++) {
            assertThat(side.memories.get(i).bytes()).as("memory %d", i).isEqualTo(before.get(i));
        }
        side.assertGuards();
    }

    /** A stream beside it, on the same STags and in the same domain, works as if nothing had happened. */
    void assertNeighbourAlive() {
        Guarded memory = neighbour.side.memory(64);
        neighbour.side.receive(1, memory, 0, 8);
        neighbour.inject(
                Segments.send(1, (byte) 1),
                Segments.write(memory.stag(), memory.base + 8, (byte) 2),
                Segments.readRequest(1, 1, 0, 2, memory.stag(), memory.base + 7));
        assertThat(neighbour.side.receives.list).singleElement().matches(Wc::ok);
        assertThat(memory.bytes(0, 10)).containsExactly(1, 0, 0, 0, 0, 0, 0, 0, 2, 0);
        assertThat(neighbour.answers)
                .singleElement()
                .satisfies(answer -> assertThat(answer.payload()).containsExactly(0, 2));
        assertThat(neighbour.side.stream.state()).isEqualTo(StreamState.ESTABLISHED);
        neighbour.side.assertGuards();
    }

    /** What the peer has got for an answer. */
    String answer() {
        if (!peer.terminates().isEmpty()) {
            return "Terminate " + peer.terminates().getFirst().code();
        }
        if (side.aborted) {
            return "reset";
        }
        return peer.fromStream.finished() ? "FIN" : "none, the stream lives on";
    }

    /** There is one Terminate with this code about this segment, and it was the last word. */
    void assertTerminated(String code, int flags, byte[] offender) {
        assertThat(peer.terminates()).as("Terminates sent").hasSize(1);
        Segments.Parsed terminate = peer.terminates().getFirst();
        assertThat(terminate).isSameAs(peer.answers.getLast());
        assertThat(terminate.code()).isEqualTo(code);
        assertThat(terminate.last()).isTrue();
        assertThat(terminate.qn()).isEqualTo(2);
        assertThat(terminate.msn()).isEqualTo(1);
        assertThat(terminate.mo()).isZero();
        assertThat(terminate.stag()).isZero();
        assertThat(terminate.flags()).as("M, D, R").isEqualTo(flags);
        assertThat(terminate.octets()[21]).isZero();
        byte[] expected = expectedHeaders(flags, offender);
        assertThat(Arrays.copyOfRange(terminate.octets(), 22, terminate.octets().length))
                .as("returned headers")
                .isEqualTo(expected);
        assertThat(side.stream.terminateCause()).isNotNull();
        assertThat(side.cause()).startsWith(terminate.code()).contains("here");
        assertThat(side.stream.state()).isIn(StreamState.LINGERING, StreamState.CLOSED);
        assertThat(peer.fromStream.finished()).as("FIN behind the Terminate").isTrue();
        assertThat(side.aborted).isFalse();
        assertThat(side.receives.list).noneMatch(wc -> wc.ok() && wc.wrId() >= 100 + 8);
    }

    private static byte[] expectedHeaders(int flags, byte[] offender) {
        if (flags == 0) {
            return new byte[0];
        }
        int header = (offender[0] & 0x80) != 0 ? 14 : 18;
        int size = 2 + header + ((flags & 0x20) != 0 ? 28 : 0);
        return ByteBuffer.allocate(size)
                .putShort((short) offender.length)
                .put(offender, 0, size - 2)
                .array();
    }

    /** Good or bad, nothing is looked at any more; FIN or patience closes. */
    void assertDeaf(byte[] lastOffender) {
        int answers = peer.answers.size();
        int completions = side.receives.list.size();
        peer.inject(
                Segments.write(open.stag(), BASE, (byte) 9), lastOffender, Segments.write(UNKNOWN_STAG, 0, (byte) 1));
        peer.injectOctets(Framing.fpdu(Segments.send(1, (byte) 7)));
        assertThat(peer.answers).hasSize(answers);
        assertThat(side.receives.list).hasSize(completions);
        peer.fin();
        peer.elapse();
        assertThat(side.closed).isTrue();
        assertThat(side.aborted).isFalse();
        assertThat(side.events).contains(StreamEvent.DISCONNECTED);
        assertThat(side.stream.idle()).isTrue();
        assertThat(peer.unfinishedOctets()).isZero();
    }
}
