package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.Watch;

/** What the loop watches of a stream where the system does not take it at once. */
@Timeout(60)
class LoopWatchTest {
    private final EventLoop loop = EventLoop.start(SystemSockets.best());
    private final LoopTimer timer = new LoopTimer();
    private final CountDownLatch cameBack = new CountDownLatch(1);
    private final RefusingWatch refusing = new RefusingWatch();
    private final LoopWatch watch = new LoopWatch(loop, new Handler());

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void comesBackForWhatTheSystemHasRefused() throws Exception {
        watch.begin(refusing);
        refusing.refuses = true;
        watch.channel(Watch.READ);
        assertThat(refusing.interest()).isZero();

        assertThat(cameBack.await(20, TimeUnit.SECONDS)).isTrue();
        refusing.refuses = false;
        watch.channel(Watch.READ);
        assertThat(refusing.interest()).isEqualTo(Watch.READ);
    }

    private final class Handler implements LoopHandler {
        @Override
        public void ready(Watch ready, long now) {}

        @Override
        public void failed(Throwable cause) {}

        @Override
        public LoopTimer timer() {
            return timer;
        }

        @Override
        public long deadlineNanos() {
            return watch.deadlineNanos();
        }

        @Override
        public void timeout(long now) {
            cameBack.countDown();
        }
    }

    /** The watch of a channel that the system does not watch as long as it refuses. */
    private static final class RefusingWatch implements Watch {
        private boolean refuses;
        private int interest;

        @Override
        public int interest() {
            return interest;
        }

        @Override
        public void interest(int operations) {
            interest = refuses ? interest : operations;
        }

        @Override
        public boolean isWritable() {
            return false;
        }

        @Override
        public void cancel() {}

        @Override
        public Object attachment() {
            return this;
        }

        @Override
        public void attach(Object other) {}
    }
}
