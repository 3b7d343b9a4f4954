package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;

/** An acceptor whose initiator has said that it sends no ready-to-receive message, and then says nothing. */
class UnannouncedOpeningTest {
    private static final long WAIT_NANOS = 500_000_000L;
    private static final long LONG_NANOS = 3_600_000_000_000L;

    private static Negotiated responder(Rtr rtr) {
        return Negotiated.builder(false)
                .crc(true)
                .rtr(rtr)
                .depths(4)
                .emss(Pair.EMSS)
                .build();
    }

    private static RawPeer peer(Rtr rtr, long waitNanos) {
        return new RawPeer(
                StreamConfig.builder()
                        .qpNumber(0x33)
                        .domainId(Side.DOMAIN)
                        .maxSendWr(16)
                        .lingerNanos(Side.LINGER_NANOS)
                        .probe(true)
                        .firstFpduNanos(waitNanos)
                        .build(),
                responder(rtr),
                new StagTable(64, Side.randomStags(5)));
    }

    private static void send(RawPeer peer, long wrId) {
        peer.side.send(wrId, peer.side.memory(64), 0, 5);
        peer.settle();
    }

    @Test
    void sendsOnceTheInitiatorHasHadItsTime() {
        RawPeer peer = peer(Rtr.WAIVED, WAIT_NANOS);
        long start = peer.now;
        send(peer, 1);
        assertThat(peer.side.stream.deadlineNanos()).isEqualTo(start + WAIT_NANOS);
        peer.at(start + WAIT_NANOS - 1);
        assertThat(peer.answers).isEmpty();
        assertThat(peer.side.sends.list).isEmpty();

        peer.at(start + WAIT_NANOS);
        assertThat(peer.answers).hasSize(1);
        assertThat(peer.side.sends.brief()).containsExactly("1 SEND");
        assertThat(peer.side.stream.hasDeadline()).isFalse();
        assertThat(peer.side.events).isEmpty();

        send(peer, 2);
        assertThat(peer.side.sends.brief()).containsExactly("1 SEND", "2 SEND");
        peer.inject(Segments.write(1, 0));
        assertThat(peer.side.events).containsExactly(StreamEvent.COMMUNICATION_ESTABLISHED);
    }

    @Test
    void whatIsPostedLaterIsSentAtOnce() {
        RawPeer peer = peer(Rtr.WAIVED, WAIT_NANOS);
        peer.at(peer.now + WAIT_NANOS);
        assertThat(peer.answers).isEmpty();
        assertThat(peer.unfinishedOctets()).isZero();
        send(peer, 1);
        assertThat(peer.answers).hasSize(1);
    }

    @Test
    void firstFpduOfTheInitiatorEndsTheWait() {
        RawPeer peer = peer(Rtr.WAIVED, WAIT_NANOS);
        send(peer, 1);
        peer.inject(Segments.write(1, 0));
        assertThat(peer.answers).hasSize(1);
        assertThat(peer.side.events).containsExactly(StreamEvent.COMMUNICATION_ESTABLISHED);
        assertThat(peer.side.stream.hasDeadline()).isFalse();
    }

    // RFC 5044 §7.1.2, and RFC 6581 §9.2 of one that has promised a message.
    @ParameterizedTest
    @EnumSource(value = Rtr.class, names = "WAIVED", mode = Mode.EXCLUDE)
    void waitsForEverWhereTheInitiatorHasNotSaidSo(Rtr rtr) {
        assertSilent(peer(rtr, WAIT_NANOS));
    }

    @Test
    void waitsForEverIfThatIsWanted() {
        assertSilent(peer(Rtr.WAIVED, 0));
    }

    private static void assertSilent(RawPeer peer) {
        send(peer, 1);
        assertThat(peer.side.stream.hasDeadline()).isFalse();
        peer.at(peer.now + LONG_NANOS);
        assertThat(peer.answers).isEmpty();
        assertThat(peer.unfinishedOctets()).isZero();
        assertThat(peer.side.sends.list).isEmpty();
    }

    @Test
    void whatWasPostedBeforeDisconnectIsSent() {
        RawPeer peer = peer(Rtr.WAIVED, WAIT_NANOS);
        send(peer, 1);
        peer.side.stream.disconnect(peer.now);
        peer.settle();
        assertThat(peer.side.sends.list).isEmpty();
        peer.at(peer.now + WAIT_NANOS);
        assertThat(peer.answers).hasSize(1);
        assertThat(peer.side.sends.brief()).containsExactly("1 SEND");
        assertThat(peer.fromStream.finished()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void disconnectAwaitsTheFirstFpduWithWhatWasPosted(Rtr rtr) {
        RawPeer peer = peer(rtr, 0);
        peer.side.send(1, peer.side.memory(64), 0, 5);
        peer.side.stream.disconnect(peer.now);
        peer.settle();
        assertThat(peer.side.sends.list).isEmpty();
        assertThat(peer.fromStream.finished()).isFalse();
        peer.inject(Segments.write(1, 0));
        assertThat(peer.answers).hasSize(1);
        assertThat(peer.side.sends.brief()).containsExactly("1 SEND");
        assertThat(peer.fromStream.finished()).isTrue();
    }

    @Test
    void disconnectWithNothingPostedDoesNotWait() {
        RawPeer peer = peer(Rtr.WAIVED, WAIT_NANOS);
        peer.side.stream.disconnect(peer.now);
        peer.settle();
        assertThat(peer.fromStream.finished()).isTrue();
    }

    @Test
    void initiatorThatLeavesIsNotSpokenTo() {
        RawPeer peer = peer(Rtr.WAIVED, WAIT_NANOS);
        send(peer, 1);
        peer.fin();
        peer.at(peer.now + LONG_NANOS);
        assertThat(peer.answers).isEmpty();
        assertThat(peer.side.sends.list).hasSize(1).allMatch(wc -> wc.status() == WcStatus.WR_FLUSH_ERROR);
    }
}
