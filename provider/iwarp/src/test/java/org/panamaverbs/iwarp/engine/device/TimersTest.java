package org.panamaverbs.iwarp.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.testkit.process.Allocation;

/** The timers of an event loop. */
@Timeout(60)
class TimersTest {
    private static final int MANY = 1_000;
    private static final int ROUNDS = 200;

    /** A timer that is due at once, and fails when it is looked at while {@code failing}. */
    private static final class Timer implements LoopHandler {
        private final LoopTimer timer = new LoopTimer();
        private final EventLoop loop;
        private final AtomicBoolean failing;
        private final long deadlineNanos = System.nanoTime();
        private final CompletableFuture<Boolean> came = new CompletableFuture<>();

        Timer(EventLoop loop, AtomicBoolean failing) {
            this.loop = loop;
            this.failing = failing;
        }

        @Override
        public void ready(Watch watch, long now) {
            throw new IllegalStateException("a timer has no channel");
        }

        @Override
        public LoopTimer timer() {
            return timer;
        }

        @Override
        public long deadlineNanos() {
            if (failing.getAndSet(false)) {
                throw new OutOfMemoryError("of a test");
            }
            return deadlineNanos;
        }

        @Override
        public void timeout(long now) {
            loop.unwatch(this);
            came.complete(true);
        }

        @Override
        public void failed(Throwable cause) {
            came.completeExceptionally(cause);
        }
    }

    @Test
    void comeAlsoWhereALookAtThemHasFailed() throws Exception {
        EventLoop loop = EventLoop.start(SystemSockets.best());
        try {
            AtomicBoolean failing = new AtomicBoolean(true);
            Timer first = new Timer(loop, failing);
            Timer second = new Timer(loop, failing);
            // In one task: whichever is looked at first fails, and nothing wakes the loop up behind it.
            loop.execute(() -> {
                loop.watch(first);
                loop.watch(second);
            });

            assertThat(first.came.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(second.came.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(failing).isFalse();
        } finally {
            loop.close();
        }
    }

    @Test
    void startAndStopWithoutMemory() throws Exception {
        EventLoop loop = EventLoop.start(SystemSockets.best());
        try {
            Idle[] idle = new Idle[MANY];
            Arrays.setAll(idle, i -> new Idle());
            Allocation.expectNone(MANY, ROUNDS, () -> {
                for (Idle each : idle) {
                    loop.watch(each);
                }
                for (Idle each : idle) {
                    loop.unwatch(each);
                }
            });
        } finally {
            loop.close();
        }
    }

    @Test
    void noneIsPassedOverWhereOthersAreStoppedMeanwhile() throws Exception {
        EventLoop loop = EventLoop.start(SystemSockets.best());
        try {
            Timer[] due = new Timer[MANY];
            Arrays.setAll(due, i -> new Timer(loop, new AtomicBoolean()));
            Idle[] idle = new Idle[MANY];
            Arrays.setAll(idle, i -> new Idle());
            loop.execute(() -> {
                for (int i = 0; i < MANY; i++) {
                    loop.watch(idle[i]);
                    loop.watch(due[i]);
                }
            });
            // Each takes the place of another one while the loop goes through them.
            for (Idle each : idle) {
                loop.unwatch(each);
            }

            for (Timer each : due) {
                assertThat(each.came.get(20, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            loop.close();
        }
    }

    /** A timer that is due in an hour. */
    private static final class Idle implements LoopHandler {
        private final LoopTimer timer = new LoopTimer();
        private final long deadlineNanos = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

        @Override
        public void ready(Watch watch, long now) {
            throw new IllegalStateException("a timer has no channel");
        }

        @Override
        public LoopTimer timer() {
            return timer;
        }

        @Override
        public long deadlineNanos() {
            return deadlineNanos;
        }

        @Override
        public void timeout(long now) {
            throw new IllegalStateException("it is not due");
        }

        @Override
        public void failed(Throwable cause) {
            throw new IllegalStateException(cause);
        }
    }
}
