package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.testkit.Requirement;

/**
 * What RFC 5040 §5.5 and RFC 7306 §5.4 leave open, each brought about: pipes that stall make happen what a quick
 * network hides. Whoever relies on one of these has a bug, and so has a test that does.
 */
class NotGuaranteedTest {
    private final Pair pair = new Pair().start();
    private final Side a = pair.a;
    private final Side b = pair.b;

    @Test
    @Requirement("RDMAP-5.5-9-01")
    void completionAtTheRequesterDoesNotMeanArrival() {
        Guarded from = a.memory(64).pattern(1);
        Guarded to = b.memory(64);
        b.receive(50, b.memory(64), 0, 64);
        pair.toB.stallAt = pair.toB.readOctets();
        a.write(1, from, 0, 64, to, 0);
        a.send(2, from, 0, 64);
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 RDMA_WRITE", "2 SEND");
        assertThat(to.bytes()).containsOnly(0);
        assertThat(b.receives.list).isEmpty();
        pair.toB.stallAt = Pipe.NEVER;
        pair.settle();
        assertThat(to.bytes()).isEqualTo(from.bytes());
        pair.disconnect();
    }

    @Test
    @Requirement("RDMAP-5.5-1-01")
    void streamsHaveNoOrder() {
        Pipe toOther = new Pipe();
        Pipe toNeighbour = new Pipe();
        Pair neighbour =
                new Pair(new Side(0x33, toOther, toNeighbour, a.stags), new Side(0x44, toNeighbour, toOther, b.stags));
        neighbour.start();
        Guarded from = a.memory(8).putLong(0, 1);
        Guarded later = a.memory(8).putLong(0, 2);
        Guarded to = b.memory(8);
        pair.toB.stallAt = pair.toB.readOctets();
        a.write(1, from, 0, 8, to, 0);
        pair.settle();
        neighbour.a.write(2, later, 0, 8, to, 0);
        neighbour.settle();
        assertThat(to.getLong(0)).isEqualTo(2);
        pair.toB.stallAt = Pipe.NEVER;
        pair.settle();
        assertThat(to.getLong(0)).as("what was posted first came last").isEqualTo(1);
    }

    @Test
    @Requirement("RDMAP-5.5-2-01")
    void directionsHaveNoOrder() {
        a.receive(60, a.memory(64), 0, 64);
        b.receive(50, b.memory(64), 0, 64);
        pair.toB.stallAt = pair.toB.readOctets();
        a.send(1, a.memory(64), 0, 8);
        pair.settle();
        b.send(2, b.memory(64), 0, 8);
        pair.settle();
        assertThat(a.receives.brief()).containsExactly("60 RECV");
        assertThat(b.receives.list).isEmpty();
        pair.toB.stallAt = Pipe.NEVER;
        pair.settle();
        assertThat(b.receives.brief()).containsExactly("50 RECV");
    }

    // RFC 5040 §5.5, item 18; RFC 7306 §5.4, items 4 and 6.
    @Test
    @Requirement({"RDMAP-5.5-18-01", "EXT-5.4-4-01", "EXT-5.4-6-01"})
    void sendsAndWritesOvertakeTheAnswersToReadsAndAtomics() {
        Guarded local = a.memory(256).pattern(1);
        Guarded remote = b.memory(256);
        b.receive(50, b.memory(64), 0, 64);
        pair.toA.window = 0;
        long answered = pair.toA.writtenOctets();
        a.read(1, local, 0, 64, remote, 0);
        a.fetchAdd(2, local, 64, remote, 64, 1);
        a.send(3, local, 128, 8);
        a.write(4, local, 128, 8, remote, 128);
        pair.settle();
        assertThat(pair.toA.writtenOctets()).as("answers").isEqualTo(answered);
        assertThat(b.receives.brief()).containsExactly("50 RECV");
        assertThat(remote.bytes(128, 8)).isEqualTo(local.bytes(128, 8));
        assertThat(a.sends.list).isEmpty();
        pair.toA.window = Long.MAX_VALUE;
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 RDMA_READ", "2 FETCH_ADD", "3 SEND", "4 RDMA_WRITE");
        pair.disconnect();
    }

    // RFC 5040 §5.5, item 12: "it may get the data from the later RDMA Write".
    @Test
    @Requirement("RDMAP-5.5-12-02")
    void aReadMayBringWhatWasWrittenBehindIt() {
        Guarded sink = a.memory(9_000);
        Guarded later = a.memory(64).pattern(7);
        Guarded remote = b.memory(9_000);
        pair.toA.window = 10;
        a.read(1, sink, 0, 8_000, remote, 0);
        pair.settle();
        a.read(2, sink, 8_000, 64, remote, 8_000);
        a.write(3, later, 0, 64, remote, 8_000);
        pair.settle();
        pair.toA.window = Long.MAX_VALUE;
        pair.settle();
        assertThat(a.sends.brief()).containsExactly("1 RDMA_READ", "2 RDMA_READ", "3 RDMA_WRITE");
        assertThat(sink.bytes(8_000, 64)).isEqualTo(later.bytes());
        pair.disconnect();
    }

    // RFC 5040 §5.5, items 4 to 6: no peeking.
    @Test
    @Requirement({"RDMAP-5.5-4-01", "RDMAP-5.5-5-01", "RDMAP-5.5-6-01"})
    void buffersChangeBeforeAnythingIsComplete() {
        HostileFixture fixture = HostileFixture.initiator().receives(1);
        Side side = fixture.side;
        side.read(1, fixture.local, 0, 16, fixture.open, 0);
        fixture.peer.settle();
        byte[] sink = fixture.local.bytes(0, 16);
        fixture.peer.inject(
                Segments.untagged(Segments.SEND, 0, 0, 1, 0, false, Attack.EIGHT),
                Segments.tagged(Segments.WRITE, fixture.open.stag(), HostileFixture.BASE, false, Attack.EIGHT),
                Segments.readResponse(fixture.local.stag(), fixture.local.base, false, Attack.EIGHT));
        assertThat(fixture.inbox.bytes(0, 8)).isEqualTo(Attack.EIGHT);
        assertThat(fixture.open.bytes(0, 8)).isEqualTo(Attack.EIGHT);
        assertThat(fixture.local.bytes(0, 8)).isEqualTo(Attack.EIGHT).isNotEqualTo(sink);
        assertThat(side.receives.list).isEmpty();
        assertThat(side.sends.list).isEmpty();
    }
}
