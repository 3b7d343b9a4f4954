package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.iwarp.core.HostileFixture.UNKNOWN_STAG;

import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.testkit.Requirement;

/** Who ends a connection, when, and how (RFC 5041 §6.2, RFC 5040 §6.2). */
class TeardownTest {
    private final HostileFixture fixture = HostileFixture.responder().receives(2);
    private final Side side = fixture.side;
    private final RawPeer peer = fixture.peer;

    // RFC 5041 §6.2.2: after an error of DDP the connection stays until RDMAP has had its last message.
    @Test
    @Requirement({"DDP-6.2-01", "DDP-6.2.2-03", "DDP-6.2.2-04", "DDP-7.1-04", "MPA-8-03", "RDMAP-6.2.1-04"})
    void keepsTheConnectionUntilTheTerminateHasLeft() {
        peer.fromStream.window = 0;
        peer.inject(Segments.write(UNKNOWN_STAG, 0, (byte) 1));
        assertThat(side.stream.state()).isEqualTo(StreamState.TERMINATING);
        assertThat(peer.fromStream.finished()).as("FIN before the Terminate").isFalse();
        assertThat(side.closed).isFalse();
        peer.fromStream.window = 30;
        peer.settle();
        assertThat(peer.fromStream.finished()).as("FIN inside the Terminate").isFalse();
        assertThat(side.closed).isFalse();
        peer.fromStream.window = Long.MAX_VALUE;
        peer.settle();
        assertThat(peer.terminates()).hasSize(1);
        assertThat(peer.fromStream.finished()).isTrue();
        assertThat(side.aborted).isFalse();
    }

    // RFC 5040 §5.4: the Terminate is the last message, whatever else was still to be said.
    @Test
    @Requirement({"RDMAP-5.4-08", "RDMAP-7-01", "DDP-3-8-01"})
    void nothingFollowsTheTerminateWhateverWaits() {
        peer.fromStream.window = 0;
        side.write(1, fixture.local, 0, 8, fixture.open, 0);
        peer.settle();
        // The batch with the Write is on its way and waits for room; all of this waits behind it.
        side.send(2, fixture.local, 0, 8);
        side.read(3, fixture.local, 0, 8, fixture.open, 0);
        peer.inject(
                Segments.readRequest(1, 6, 0, HostileFixture.BYTES, fixture.open.stag(), HostileFixture.BASE),
                Segments.fetchAdd(2, 1, fixture.open.stag(), HostileFixture.BASE, 1),
                Segments.write(UNKNOWN_STAG, 0, (byte) 1));
        side.send(4, fixture.local, 0, 8);
        peer.fromStream.window = Long.MAX_VALUE;
        peer.settle();
        assertThat(peer.answers)
                .extracting(Segments.Parsed::opcode)
                .containsExactly(Segments.WRITE, Segments.TERMINATE);
        side.send(5, fixture.local, 0, 8);
        peer.fin();
        peer.elapse();
        assertThat(peer.answers).hasSize(2);
        assertThat(peer.unfinishedOctets()).isZero();
        assertThat(side.sends.list).hasSize(5);
        assertThat(side.sends.list.subList(1, 5)).allMatch(Wc::flushed);
        fixture.assertMemoryUntouched();
    }

    // RFC 5041 §6.2.1: what DDP is told of a half-closed connection.
    @Test
    @Requirement({"DDP-6.2.1-06", "DDP-6.2.1-02"})
    void takesWhatArrivesBehindItsOwnFin() {
        side.stream.disconnect(peer.now);
        peer.settle();
        assertThat(peer.fromStream.finished()).isTrue();
        assertThat(side.closed).isFalse();
        peer.inject(Segments.send(1, (byte) 7), Segments.write(fixture.open.stag(), HostileFixture.BASE, (byte) 9));
        assertThat(side.receives.brief()).containsExactly("100 RECV");
        assertThat(fixture.open.bytes(0, 1)).containsExactly(9);
        side.send(5, fixture.local, 0, 1);
        assertThat(side.sends.brief()).as("before the peer's FIN").containsExactly("5 WR_FLUSH_ERROR");
        peer.fin();
        assertThat(side.sends.brief()).containsExactly("5 WR_FLUSH_ERROR");
        assertThat(side.closed).isTrue();
        assertThat(side.aborted).isFalse();
    }

    // RFC 5041 §6.2.1: what is posted behind a graceful close is not sent, also while what came before still is.
    @Test
    @Requirement("DDP-6.2.1-02")
    void sendsNothingThatIsPostedWhileItDrains() {
        HostileFixture asking = HostileFixture.initiator();
        asking.side.read(1, asking.local, 0, 8, asking.open, 0);
        asking.side.stream.disconnect(asking.peer.now);
        assertThat(asking.side.stream.state()).isEqualTo(StreamState.DRAINING);
        asking.side.send(2, asking.local, 0, 1);
        asking.peer.settle();
        assertThat(asking.peer.answers).hasSize(1);
        asking.peer.inject(Segments.readResponse(asking.local.stag(), asking.local.base, true, new byte[8]));
        assertThat(asking.side.sends.brief()).containsExactly("1 RDMA_READ", "2 WR_FLUSH_ERROR");
        assertThat(asking.peer.answers).hasSize(1);
        assertThat(asking.peer.fromStream.finished()).isTrue();
    }

    // RFC 5041 §6.2.1: octets behind the peer's FIN end the stream abortively.
    @Test
    @Requirement("DDP-6.2.1-03")
    void abortsIfOctetsFollowThePeersFin() {
        peer.fromStream.window = 0;
        peer.inject(Segments.readRequest(1, 6, 0, 8, fixture.open.stag(), HostileFixture.BASE));
        peer.fin();
        assertThat(side.stream.state()).isEqualTo(StreamState.DRAINING);
        assertThat(side.stream.receiveInto(new Staging(Staging.BYTES)).isEmpty())
                .as("nothing is read any more")
                .isTrue();
        side.stream.received(16, peer.now);
        peer.settle();
        assertThat(side.cause()).startsWith("2/0/01");
        assertThat(side.aborted).isTrue();
        assertThat(side.receives.list).hasSize(2).allMatch(Wc::flushed);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17, 24})
    @Requirement({"DDP-6.2.1-03", "DDP-6.2.2-01", "MPA-8-1-01"})
    void abortsIfTheFinCutsAnFpdu(int octets) {
        peer.injectOctets(Arrays.copyOf(Framing.fpdu(Segments.send(1, (byte) 1)), octets));
        peer.fin();
        assertThat(side.cause()).startsWith("2/0/01").contains("middle of an FPDU");
        assertThat(side.aborted).isTrue();
        assertThat(side.receives.list).hasSize(2).allMatch(Wc::flushed);
    }

    // RFC 5044 §8: a lost connection is error 1 of MPA.
    @Test
    @Requirement({"MPA-8-1-01", "DDP-6.2.2-01", "DDP-3-3-01", "DDP-7-01"})
    void reportsALostConnection() {
        peer.toStream.breakDown();
        peer.settle();
        assertThat(Objects.requireNonNull(side.stream.fault()).code()).isEqualTo(TerminateCode.MPA_CONNECTION_LOST);
        assertThat(side.events).contains(StreamEvent.FATAL, StreamEvent.DISCONNECTED);
        assertThat(side.receives.list).hasSize(2).allMatch(Wc::flushed);
        assertThat(peer.answers).isEmpty();
    }
}
