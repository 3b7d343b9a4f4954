package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.HostileFixture.UNKNOWN_STAG;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.cm.TerminateReason;

/** How long a stream that ends waits for its peer, and what it says if the peer does not come to an end. */
class EndOfStreamTest {
    private static final long LINGER = Side.LINGER_NANOS;
    private static final long LIMIT = 100_000_000_000L;
    private static final int OCTETS = 1000;

    private final HostileFixture fixture = HostileFixture.responder();
    private final RawPeer peer = fixture.peer;
    private final Side side = fixture.side;

    /** Has the stream send {@code OCTETS} and its FIN, of all of which the peer takes nothing. */
    private void disconnectWithOctetsUnderWay() {
        peer.inject(Segments.write(fixture.open.stag(), HostileFixture.BASE, (byte) 1));
        side.write(1, side.memory(OCTETS), 0, OCTETS, fixture.open, 0);
        side.stream.disconnect(peer.now);
        side.settle(peer.now);
        assertThat(side.sends.brief()).containsExactly("1 RDMA_WRITE");
        assertThat(peer.fromStream.finished()).isTrue();
    }

    private void take(int octets) {
        peer.fromStream.read(new ByteBuffer[] {ByteBuffer.allocate(octets)}, 1, octets);
    }

    /** Lets {@code nanos} pass, with all deadlines that lie within. */
    private void pass(long nanos) {
        long end = peer.now + nanos;
        side.settle(peer.now);
        while (!side.closed && side.stream.hasDeadline() && side.stream.deadlineNanos() - end <= 0) {
            peer.now = Math.max(peer.now, side.stream.deadlineNanos());
            side.stream.timeout(peer.now);
            side.settle(peer.now);
        }
        peer.now = end;
        side.settle(end);
    }

    private void assertTold(String what) {
        assertThat(side.stream.state()).isEqualTo(StreamState.CLOSED);
        assertThat(side.aborted).as("reset").isTrue();
        assertThat(Objects.requireNonNull(side.stream.fault()).reason()).isEqualTo(TerminateReason.PEER_SILENT);
        assertThat(side.cause()).contains(what);
        assertThat(side.events).contains(StreamEvent.FATAL, StreamEvent.DISCONNECTED);
    }

    @Test
    void aPeerThatTakesSlowlyHasItsTime() {
        disconnectWithOctetsUnderWay();
        for (int octet = 0; octet < 20; octet++) {
            pass(2 * LINGER);
            assertThat(side.closed).as("after octet %d", octet).isFalse();
            take(1);
        }
        take(2 * OCTETS);
        pass(LINGER - 1);
        peer.toStream.finish();
        pass(0);
        assertThat(side.closed).isTrue();
        assertThat(side.aborted).isFalse();
        assertThat(side.stream.fault()).isNull();
    }

    @Test
    void whoTakesNothingMoreIsLeftAndTheSenderTold() {
        disconnectWithOctetsUnderWay();
        leaveAfterTheLimit();
        assertTold("has accepted no bytes for 100000 ms, 1");
    }

    private void leaveAfterTheLimit() {
        assertThat(side.stream.stall(peer.now, LIMIT)).isNull();
        pass(LIMIT - 1);
        assertThat(side.stream.stall(peer.now, LIMIT)).isNull();
        take(1);
        side.settle(peer.now);
        assertThat(side.stream.stall(peer.now, LIMIT)).as("took one").isNull();
        pass(LIMIT);
        assertThat(side.closed).isFalse();
        side.stream.stalled(Objects.requireNonNull(side.stream.stall(peer.now, LIMIT)));
        side.settle(peer.now);
    }

    @Test
    void whoTakesAllAndDoesNotCloseIsLeftAndTheSenderTold() {
        disconnectWithOctetsUnderWay();
        take(2 * OCTETS);
        side.settle(peer.now);
        pass(LINGER - 1);
        assertThat(side.closed).isFalse();
        pass(1);
        assertTold("has neither closed its side nor sent anything for 2000 ms");
    }

    @Test
    void whatThePeerStillSendsBehindOurFinGivesItItsTimeAnew() {
        disconnectWithOctetsUnderWay();
        take(2 * OCTETS);
        side.settle(peer.now);
        for (int i = 0; i < 50; i++) {
            pass(LINGER - 1);
            assertThat(side.closed).as("after Write %d", i).isFalse();
            byte[] fpdu = org.panamaverbs.iwarp.wire.Framing.fpdu(
                    Segments.write(fixture.open.stag(), HostileFixture.BASE, (byte) i));
            peer.toStream.write(fpdu);
        }
        pass(0);
        peer.toStream.finish();
        pass(0);
        assertThat(side.closed).isTrue();
        assertThat(side.stream.fault()).isNull();
        assertThat(fixture.open.bytes(0, 1)).containsExactly(49);
    }

    @Test
    void whoFollowsWaitsUntilWhatItSentIsAcknowledged() {
        peer.inject(Segments.write(fixture.open.stag(), HostileFixture.BASE, (byte) 1));
        side.write(1, side.memory(OCTETS), 0, OCTETS, fixture.open, 0);
        side.settle(peer.now);
        peer.toStream.finish();
        side.settle(peer.now);
        assertThat(peer.fromStream.finished()).isTrue();
        assertThat(side.closed).as("with octets under way").isFalse();
        take(1);
        pass(LINGER - 1);
        assertThat(side.closed).isFalse();
        take(2 * OCTETS);
        pass(LINGER / 4);
        assertThat(side.closed).as("noticed in time").isTrue();
        assertThat(side.aborted).isFalse();
        assertThat(side.stream.fault()).isNull();
    }

    @Test
    void whoFollowsIsToldThatWhatItSentIsNotAcknowledged() {
        peer.inject(Segments.write(fixture.open.stag(), HostileFixture.BASE, (byte) 1));
        side.write(1, side.memory(OCTETS), 0, OCTETS, fixture.open, 0);
        side.settle(peer.now);
        peer.toStream.finish();
        side.settle(peer.now);
        leaveAfterTheLimit();
        assertTold("has accepted no bytes");
    }

    @Test
    void whereNobodySeesAcknowledgementsTheApplicationsDeadlineCounts() {
        side.blind = true;
        disconnectWithOctetsUnderWay();
        pass(100 * LINGER);
        assertThat(side.closed).isFalse();
        side.stream.abort();
        side.settle(peer.now);
        assertThat(side.aborted).isTrue();
    }

    @Test
    void whereNobodySeesAcknowledgementsWhoFollowsLeavesTheRestToTcp() {
        side.blind = true;
        disconnectWithOctetsUnderWay();
        peer.toStream.finish();
        pass(0);
        assertThat(side.closed).isTrue();
        assertThat(side.aborted).isFalse();
    }

    @Test
    void whoDripsBehindATerminateIsLeftInTheEnd() {
        peer.inject(Segments.write(UNKNOWN_STAG, 0, (byte) 1));
        long start = peer.now;
        for (int octet = 0; octet < 100 && !side.closed; octet++) {
            pass(LINGER - 1);
            peer.toStream.write((byte) 0);
            side.settle(peer.now);
        }
        assertThat(side.closed).isTrue();
        assertThat(peer.now - start).isBetween(9 * LINGER, 11 * LINGER);
    }
}
