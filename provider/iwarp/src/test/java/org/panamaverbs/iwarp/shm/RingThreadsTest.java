package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.testkit.random.Seeded;
import org.panamaverbs.testkit.random.SeededRandom;

/** Two sides in two threads, which sleep for real: a bell that is missing ends the test. */
class RingThreadsTest {
    private static final int PATIENCE_SECONDS = 20;

    private static final class Side implements Runnable {
        private final SimulatedSide side;
        private final Semaphore mine;
        private final Semaphore peers;
        private volatile @Nullable Throwable failure;

        Side(SimulatedSide side, Semaphore mine, Semaphore peers) {
            this.side = side;
            this.mine = mine;
            this.peers = peers;
        }

        @Override
        public void run() {
            try {
                while (!side.isDone()) {
                    if (side.step()) {
                        peers.release();
                    }
                    if (side.isAsleep() && !side.isDone()) {
                        if (!mine.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                            throw new AssertionError("nobody rang");
                        }
                        side.ring();
                    }
                }
                // A batch may have to be told of yet.
                if (side.rings().mustRing()) {
                    peers.release();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }
    }

    @Seeded(cases = 30)
    @Timeout(60)
    void allArrivesAndNobodySleepsOn(SeededRandom random) throws InterruptedException {
        TwoSides sides = TwoSides.smallest();
        Semaphore leftBell = new Semaphore(0);
        Semaphore rightBell = new Semaphore(0);
        boolean resets = random.oneIn(5);
        Side left = new Side(
                new SimulatedSide(sides.left, random.below(2_000_000), resets, random.fork()), leftBell, rightBell);
        Side right = new Side(
                new SimulatedSide(sides.right, random.below(2_000_000), false, random.fork()), rightBell, leftBell);
        Thread other = new Thread(right, "right");

        other.start();
        left.run();
        other.join(TimeUnit.SECONDS.toMillis(2 * PATIENCE_SECONDS));

        assertThat(left.failure).isNull();
        assertThat(right.failure).isNull();
        assertThat(other.isAlive()).isFalse();
    }
}
