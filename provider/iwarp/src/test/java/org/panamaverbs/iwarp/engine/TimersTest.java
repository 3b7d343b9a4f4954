package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.Watch;

/** The timers of an event loop. */
@Timeout(60)
class TimersTest {
    /** A timer that is due at once, and fails when it is looked at while {@code failing}. */
    private static final class Timer implements LoopHandler {
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
        public long deadlineNanos() {
            if (failing.getAndSet(false)) {
                throw new StackOverflowError("of a test");
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
}
