package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Native memory follows what a stream does, not what the garbage collector does. */
class BufferPoolTest {
    private static final int LARGE = 10_000;
    // The spare one, and as many as a deque of the JDK's holds before it grows.
    private static final int FEW = 17;

    private final Pair pair = new Pair().start();
    private final Side a = pair.a;
    private final Side b = pair.b;
    private final List<Batch> batches = new ArrayList<>();
    private final BufferPool pool = new BufferPool(0);

    @Test
    void streamsThatHaveNothingToSendHaveNone() {
        assertThat(idle(b)).as("before it has sent").containsExactly(0, 0);
        Guarded local = b.memory(LARGE);
        Guarded remote = a.memory(LARGE).pattern(1);
        b.write(1, local, 0, LARGE, remote, 0);
        pair.settle();
        assertThat(idle(a)).as("after it was ready to receive").containsExactly(1, 0);
        assertThat(idle(b)).as("after the Write").containsExactly(1, 0);
    }

    @Test
    void aBatchThatIsNotWrittenKeepsIts() {
        Guarded local = b.memory(LARGE);
        Guarded remote = a.memory(LARGE);
        pair.toA.window = 0;
        b.write(1, local, 0, LARGE, remote, 0);
        pair.settle();
        assertThat(idle(b)).as("in use").containsExactly(0, 0);
        pair.toA.window = Long.MAX_VALUE;
        pair.settle();
        assertThat(idle(b)).containsExactly(1, 0);
    }

    @Test
    void comesBackWhenTheConnectionIsCutInTheMiddleOfABatch() {
        Guarded local = b.memory(LARGE);
        Guarded remote = a.memory(LARGE).pattern(1);
        pair.toB.window = 0;
        b.read(1, local, 0, LARGE, remote, 0);
        pair.settle();
        assertThat(idle(a)).as("in use").containsExactly(0, 0);
        a.stream.abort();
        pair.settle();
        assertThat(idle(a)).containsExactly(1, 1);
    }

    @Test
    void comesBackOnceALargeReadIsAnswered() {
        Guarded local = b.memory(LARGE);
        Guarded remote = a.memory(LARGE).pattern(2);
        b.read(1, local, 0, LARGE, remote, 0);
        pair.settle();
        assertThat(idle(a)).containsExactly(1, 1);
        assertThat(local.bytes(0, LARGE)).isEqualTo(remote.bytes(0, LARGE));
    }

    @Test
    void smallReadsTakeNone() {
        Guarded local = b.memory(64);
        Guarded remote = a.memory(64).pattern(3);
        b.read(1, local, 0, 64, remote, 0);
        pair.settle();
        assertThat(idle(a)).containsExactly(1, 0);
        assertThat(local.bytes(0, 64)).isEqualTo(remote.bytes(0, 64));
    }

    @Test
    void servesTheNextBeforeItMakesMore() {
        Batch first = pool.takeBatch();
        pool.giveBack(first);
        assertThat(pool.takeBatch()).isSameAs(first);
        assertThat(pool.takeBatch()).isNotSameAs(first);
    }

    @Test
    void hasAllThatWasGivenBack() {
        for (int i = 0; i <= FEW; i++) {
            batches.add(pool.takeBatch());
        }
        batches.forEach(pool::giveBack);
        assertThat(pool.idleBatches()).isEqualTo(FEW + 1);
        for (int i = 0; i <= FEW; i++) {
            assertThat(batches.remove(pool.takeBatch())).isTrue();
        }
        assertThat(pool.idleBatches()).isZero();
    }

    private static int[] idle(Side side) {
        return new int[] {side.buffers.idleBatches(), side.buffers.idleSnapshots()};
    }
}
