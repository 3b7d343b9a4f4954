package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;

/** Copies of what is sent have memory only so far; a stream that finds none goes on without. */
class SnapshotsTest {
    private static final int LARGE = 300_000;
    private static final int LONG_SEGMENTS = 65_000;

    private static Pair pair(BufferPool ofA, boolean markers, int emss) {
        Pipe toA = new Pipe();
        Pipe toB = new Pipe();
        Side b = new Side(0x22, toB, toA, new BufferPool(16));
        return new Pair(new Side(0x11, toA, toB, ofA), b)
                .start(agreed(true, markers, emss), agreed(false, markers, emss));
    }

    private static Negotiated agreed(boolean initiator, boolean markers, int emss) {
        return Negotiated.builder(initiator)
                .crc(true)
                .markersIn(markers)
                .markersOut(markers)
                .rtr(Rtr.WRITE)
                .depths(16)
                .emss(emss)
                .build();
    }

    private static ByteBuffer refused(int bytes) {
        throw new OutOfMemoryError("no " + bytes + " octets in this test");
    }

    @ParameterizedTest
    @CsvSource({"false, 65000", "true, 65000", "false, 1460", "true, 1460"})
    void streamsWithoutOneGoOnInShorterSegments(boolean markers, int emss) {
        BufferPool none = new BufferPool(0);
        Pair pair = pair(none, markers, emss);
        Guarded source = pair.a.memory(LARGE).pattern(1);
        Guarded sink = pair.b.memory(2 * LARGE);
        pair.b.read(1, sink, 0, LARGE, source, 0);
        pair.b.read(2, sink, LARGE, LARGE, source, 0);
        pair.settle();

        assertThat(pair.b.cause()).isEqualTo("none");
        assertThat(sink.bytes(0, LARGE)).isEqualTo(source.bytes(0, LARGE));
        assertThat(sink.bytes(LARGE, LARGE)).isEqualTo(source.bytes(0, LARGE));
        assertThat(none.snapshots()).isZero();
        pair.b.assertGuards();
    }

    @Test
    void onePeerThatDoesNotReadKeepsNobodyWaiting() {
        BufferPool one = new BufferPool(1);
        Pair greedy = pair(one, false, LONG_SEGMENTS);
        Pair modest = pair(one, false, LONG_SEGMENTS);
        Guarded wanted = greedy.b.memory(LARGE);
        greedy.b.read(1, wanted, 0, LARGE, greedy.a.memory(LARGE).pattern(1), 0);
        greedy.toB.window = 0;
        greedy.settle();
        assertThat(one.snapshots()).isEqualTo(1);
        assertThat(one.idleSnapshots()).isZero();

        Guarded source = modest.a.memory(LARGE).pattern(2);
        Guarded sink = modest.b.memory(LARGE);
        modest.b.read(1, sink, 0, LARGE, source, 0);
        modest.settle();
        assertThat(sink.bytes(0, LARGE)).isEqualTo(source.bytes(0, LARGE));

        greedy.toB.window = Long.MAX_VALUE;
        greedy.settle();
        assertThat(wanted.bytes(0, LARGE))
                .isEqualTo(greedy.a.memories.getFirst().bytes(0, LARGE));
        assertThat(one.snapshots()).isEqualTo(1);
        assertThat(one.idleSnapshots()).isEqualTo(1);
    }

    @Test
    void wantOfMemoryLeavesNobodyInsideTheRegion() {
        Pair pair = pair(new BufferPool(16, SnapshotsTest::refused), false, LONG_SEGMENTS);
        Guarded source = pair.a.memory(LARGE).pattern(3);
        Guarded sink = pair.b.memory(LARGE);
        pair.b.read(1, sink, 0, LARGE, source, 0);
        pair.settle();

        assertThat(sink.bytes(0, LARGE)).isEqualTo(source.bytes(0, LARGE));
        source.region.revoke();
        assertThat(source.region.quiescent()).isTrue();
    }
}
