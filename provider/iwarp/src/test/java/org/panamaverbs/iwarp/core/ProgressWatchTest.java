package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.testkit.Requirement;

/** Peers that stop: what is outstanding ends, once, with the reason; what is idle goes on. */
class ProgressWatchTest {
    private static final long LIMIT = 1_000_000_000L;

    private final RawPeer peer = new RawPeer(true);
    private final Guarded local = peer.side.memory(256);

    private @Nullable String stallAfter(long nanos) {
        peer.now += nanos;
        peer.settle();
        return peer.side.stream.stall(peer.now, LIMIT);
    }

    private void assertStallsAfterTheLimit(String what) {
        assertThat(stallAfter(0)).isNull();
        assertThat(stallAfter(LIMIT - 1)).isNull();
        assertThat(stallAfter(1)).contains(what).contains("1000 ms");
    }

    @Test
    void anIdleStreamMayBeIdleForEver() {
        for (int i = 0; i < 5; i++) {
            assertThat(stallAfter(10 * LIMIT)).isNull();
        }
    }

    @Test
    @Requirement("MPA-7.1.2-10-02")
    void anUnansweredReadEndsTheStreamOnceAndSaysSo() {
        peer.side.read(1, local, 0, 8, local, 64);
        peer.side.send(2, local, 0, 8);
        peer.settle();
        assertStallsAfterTheLimit("did not answer");

        peer.side.stream.stalled("the peer has accessed revoked memory");
        peer.settle();

        assertThat(peer.side.sends.ids()).containsExactly(1L, 2L);
        assertThat(peer.side.sends.list.getFirst().status()).isEqualTo(WcStatus.RETRY_EXCEEDED);
        assertThat(peer.side.sends.last().flushed()).isTrue();
        assertThat(peer.side.sends.list).allMatch(wc -> wc.vendorError() == 0x2001);
        assertThat(peer.side.cause()).startsWith("2/0/01").contains("the peer has accessed revoked memory");
        assertThat(Objects.requireNonNull(peer.side.stream.fault()).reason()).isEqualTo(TerminateReason.PEER_SILENT);
        assertThat(peer.side.aborted).as("reset").isTrue();
        assertThat(peer.side.events).contains(StreamEvent.FATAL, StreamEvent.DISCONNECTED);
        assertThat(peer.terminates()).isEmpty();
        peer.side.stream.stalled("again");
        assertThat(peer.side.sends.list).hasSize(2);
    }

    @Test
    void octetsThatNobodyAcknowledgesEndTheStream() {
        peer.side.send(1, local, 0, 8);
        peer.settle();
        assertThat(peer.side.sends.list).as("all is with TCP").singleElement().matches(Wc::ok);
        for (int unacknowledged = 3; unacknowledged > 0; unacknowledged--) {
            peer.side.stream.unacknowledged(unacknowledged, peer.now);
            assertThat(stallAfter(10 * LIMIT)).as("one was acknowledged").isNull();
        }
        assertThat(stallAfter(2 * LIMIT - 1)).isNull();
        assertThat(stallAfter(1)).contains("has accepted no bytes").contains("1 bytes are not acknowledged");
        peer.side.stream.unacknowledged(0, peer.now);
        assertThat(stallAfter(10 * LIMIT)).isNull();
        peer.side.stream.unacknowledged(-1, peer.now);
        assertThat(stallAfter(10 * LIMIT)).as("nobody can tell").isNull();
        assertThat(stallAfter(10 * LIMIT)).isNull();
    }

    @Test
    void everyOctetOfAnAnswerIsProgress() {
        peer.side.read(1, local, 0, 4, local, 64);
        peer.settle();
        for (int octet = 0; octet < 4; octet++) {
            assertThat(stallAfter(LIMIT - 1)).isNull();
            peer.inject(Segments.readResponse(local.stag(), local.base + octet, octet == 3, (byte) octet));
        }
        assertThat(stallAfter(LIMIT - 1)).isNull();
        assertThat(stallAfter(LIMIT)).isNull();
        assertThat(peer.side.sends.list).singleElement().matches(Wc::ok);
    }

    @Test
    @Requirement("SEC-6.4.4-01")
    void otherTrafficIsNoAnswer() {
        peer.side.read(1, local, 0, 8, local, 64);
        peer.settle();
        assertThat(stallAfter(0)).isNull();
        peer.inject(Segments.write(local.stag(), local.base, (byte) 1));
        assertThat(stallAfter(LIMIT)).contains("did not answer");
    }

    /** Sends one segment of a Send, or of a Write, of four octets at {@code offset}. */
    private void injectPiece(boolean send, int offset, boolean last) {
        byte[] octets = new byte[4];
        peer.inject(
                send
                        ? Segments.untagged(Segments.SEND, 0, 0, 1, offset, last, octets)
                        : Segments.tagged(Segments.WRITE, local.stag(), local.base + offset, last, octets));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyOctetOfALongMessageBeforeTheAnswerIsProgress(boolean send) {
        Guarded inbox = peer.side.memory(64);
        peer.side.receive(5, inbox, 0, 64);
        peer.side.read(1, local, 0, 4, local, 64);
        peer.settle();
        for (int piece = 0; piece < 10; piece++) {
            assertThat(stallAfter(LIMIT / 4)).as("before piece %d", piece).isNull();
            injectPiece(send, 4 * piece, piece == 9);
        }
        assertThat(stallAfter(LIMIT / 4)).isNull();
        peer.inject(Segments.readResponse(local.stag(), local.base, true, (byte) 1, (byte) 2, (byte) 3, (byte) 4));
        assertThat(peer.side.sends.list).singleElement().matches(Wc::ok);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLongMessageThatStandsStillIsNoProgress(boolean send) {
        Guarded inbox = peer.side.memory(64);
        peer.side.receive(5, inbox, 0, 64);
        peer.side.read(1, local, 0, 4, local, 64);
        peer.settle();
        injectPiece(send, 0, false);
        assertThat(stallAfter(0)).isNull();
        injectPiece(send, 4, false);
        assertStallsAfterTheLimit("did not answer");
    }

    // A peer that answers nothing but sends message after message has time for all but the answer.
    @Test
    void anEndOfALongMessageIsProgressOnce() {
        peer.side.read(1, local, 0, 4, local, 64);
        peer.settle();
        injectPiece(false, 0, false);
        assertThat(stallAfter(0)).isNull();
        for (int look = 1; look <= 4; look++) {
            injectPiece(false, 4 * look, true);
            injectPiece(false, 4 * look, false);
            assertThat(stallAfter(LIMIT / 4 - 1)).as("look %d", look).isNull();
        }
        injectPiece(false, 0, true);
        injectPiece(false, 0, false);
        assertThat(stallAfter(4)).contains("did not answer");
    }

    @Test
    void aPeerThatTakesNothingIsNoticed() {
        peer.fromStream.window = 0;
        peer.side.send(1, local, 0, 100);
        peer.settle();
        assertStallsAfterTheLimit("has accepted no bytes");
        peer.fromStream.window = 20;
        peer.side.step(peer.now);
        peer.fromStream.window = 0;
        assertThat(stallAfter(0)).as("took some").isNull();
        assertThat(stallAfter(LIMIT)).contains("has accepted no bytes");
    }

    @Test
    void aPeerThatDoesNotReadItsAnswersIsNoticed() {
        peer.fromStream.window = 0;
        peer.inject(Segments.readRequest(1, 1, 0, 8, local.stag(), local.base));
        assertStallsAfterTheLimit("has accepted no bytes");
    }

    @Test
    @Requirement("MPA-7.1.2-10-02")
    void anUnfinishedFpduIsNoticed() {
        byte[] fpdu = Framing.fpdu(Segments.write(local.stag(), local.base, new byte[100]));
        peer.injectOctets(Arrays.copyOf(fpdu, 50));
        assertStallsAfterTheLimit("not finished");
        peer.injectOctets(fpdu[50]);
        assertThat(stallAfter(0)).isNull();
        peer.injectOctets(Arrays.copyOfRange(fpdu, 51, fpdu.length));
        assertThat(stallAfter(LIMIT)).isNull();
        assertThat(stallAfter(LIMIT)).isNull();
    }

    @Test
    void aPeerThatNeverBeginsIsNoticedIfSomethingIsPosted() {
        RawPeer silent = new RawPeer(false);
        Guarded memory = silent.side.memory(64);
        assertThat(silent.side.stream.stall(silent.now, LIMIT)).isNull();
        assertThat(silent.side.stream.stall(silent.now + LIMIT, LIMIT)).isNull();
        silent.side.send(1, memory, 0, 8);
        silent.settle();
        assertThat(silent.side.stream.stall(silent.now, LIMIT)).isNull();
        assertThat(silent.side.stream.stall(silent.now + LIMIT, LIMIT)).contains("has sent no FPDU");
    }
}
