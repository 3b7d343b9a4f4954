package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.testkit.process.Allocation;

/** Threads that wait drive all that was added, and make nothing for it. */
@Timeout(60)
class SpinProgressTest {
    private static final Deadline PASSED = Deadline.now();
    private static final int WAITS = 100;

    private final EventLoop loop = EventLoop.start(SystemSockets.best());
    private final SpinProgress progress = new SpinProgress(SystemSockets.best(), loop);
    private final WaitPoint point = new WaitPoint();
    private final RingSleep rings = new RingSleep();
    private final List<Driven> all = new ArrayList<>();

    /** What a queue would drive. */
    private final class Driven implements Runnable {
        private final WeakReference<Runnable> itself = new WeakReference<>(this);
        private boolean leaves;
        private int times;

        Driven() {
            all.add(this);
            progress.add(itself);
        }

        @Override
        public void run() {
            times++;
            if (leaves) {
                progress.remove(itself);
            }
        }
    }

    @AfterEach
    void close() {
        progress.close();
        loop.close();
    }

    private void look() {
        try {
            progress.awaitCompletion(point, () -> true, PASSED, rings);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private int[] times() {
        return all.stream().mapToInt(each -> each.times).toArray();
    }

    @Test
    void drivesAllThatAreThere() {
        for (int i = 0; i < 10; i++) {
            new Driven();
        }
        look();
        assertThat(times()).containsOnly(1).hasSize(10);
        progress.remove(all.get(9).itself);
        progress.remove(all.get(0).itself);
        progress.remove(all.get(4).itself);
        progress.remove(all.get(4).itself);
        look();
        assertThat(times()).containsExactly(1, 2, 2, 2, 1, 2, 2, 2, 2, 1);
        new Driven();
        look();
        assertThat(times()).containsExactly(1, 3, 3, 3, 1, 3, 3, 3, 3, 1, 1);
    }

    @Test
    void forgetsWhatIsGone() {
        new Driven();
        new Driven().itself.clear();
        new Driven();
        look();
        look();
        assertThat(times()).containsExactly(2, 0, 2);
    }

    @Test
    void oneThatLeavesMeanwhileKeepsNobodyElseAway() {
        new Driven();
        new Driven().leaves = true;
        new Driven();
        look();
        look();
        assertThat(times()).containsExactly(2, 1, 2);
    }

    @Test
    void waitsMakeNothingEvenBeforeTheyAreCompiled() {
        new Driven();
        new Driven();
        look(); // what is linked on the first call
        Allocation.of(() -> {});
        long allocated = Allocation.of(() -> {
            for (int i = 0; i < WAITS; i++) {
                look();
            }
        });
        assertThat(allocated).isZero();
        assertThat(times()).containsOnly(WAITS + 1);
    }
}
