package org.panamaverbs.iwarp.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.iwarp.net.FutexWaiter;
import org.panamaverbs.iwarp.net.Watch;

/**
 * The doorbells: who has something for a thread that is about to sleep wakes it. Each side waits for both, so that a
 * lost wake-up is not made good by the next test; what is lost shows after {@link Fixture#patience}.
 */
public final class DoorbellStress {
    private DoorbellStress() {}

    /** Two threads have a task for the event loop, which goes to sleep behind each. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both ran.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The loop slept on.")
    @State
    public static class TaskAgainstSleep {
        private volatile boolean first;
        private volatile boolean second;

        @Actor
        public void one(ZZ_Result r) {
            Fixture.VERBS.context().loop().execute(() -> first = true);
            r.r1 = Fixture.await(() -> first && second);
        }

        @Actor
        public void other(ZZ_Result r) {
            Fixture.VERBS.context().loop().execute(() -> second = true);
            r.r2 = Fixture.await(() -> first && second);
        }
    }

    /** A thread borrows the event loop and gives it back while another has a task for it. */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "It ran.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Nobody was the loop.")
    @State
    public static class TaskAgainstLoan {
        private volatile boolean done;

        @Actor
        public void borrower() {
            Fixture.VERBS.context().loop().turnIfFree();
        }

        @Actor
        public void other(Z_Result r) {
            Fixture.VERBS.context().loop().execute(() -> done = true);
            r.r1 = Fixture.await(() -> done);
        }
    }

    /** A thread waits as the event loop for what another has a task for. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "It ran, and was seen.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Nobody was the loop, or the thread slept on.")
    @State
    public static class TaskAgainstWaitAsLoop {
        private final WaitPoint point = new WaitPoint();
        private volatile boolean done;

        @Actor
        public void waiter(ZZ_Result r) {
            EventLoop loop = Fixture.VERBS.context().loop();
            try {
                r.r1 = Fixture.awaited(point.awaitDriving(() -> done, Fixture.patience(), loop)
                        || point.sleepInterruptibly(() -> done, Fixture.patience()));
            } catch (InterruptedException e) {
                // An actor declares nothing: it has not heard.
                Thread.currentThread().interrupt();
            }
        }

        @Actor
        public void other(ZZ_Result r) {
            Fixture.VERBS.context().loop().execute(() -> {
                done = true;
                point.changed();
            });
            r.r2 = Fixture.await(() -> done);
        }
    }

    /** Two threads start timers that are due at once. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both came.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The loop slept on.")
    @State
    public static class TimerAgainstSleep {
        private static final class Timer implements LoopHandler {
            private final LoopTimer timer = new LoopTimer();
            private final long deadlineNanos = System.nanoTime();
            private volatile boolean came;

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
                came = true;
                Fixture.VERBS.context().loop().unwatch(this);
            }

            @Override
            public void failed(Throwable cause) {
                throw new IllegalStateException(cause);
            }
        }

        private final Timer first = new Timer();
        private final Timer second = new Timer();

        @Actor
        public void one(ZZ_Result r) {
            Fixture.VERBS.context().loop().watch(first);
            r.r1 = Fixture.await(() -> first.came && second.came);
        }

        @Actor
        public void other(ZZ_Result r) {
            Fixture.VERBS.context().loop().watch(second);
            r.r2 = Fixture.await(() -> first.came && second.came);
        }
    }

    /** Two threads that post want to hear when their full sockets have room. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Both heard.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The loop slept on.")
    @State
    public static class OutputAgainstSleep {
        private volatile boolean first;
        private volatile boolean second;

        @Actor
        public void one(ZZ_Result r) {
            WatchedSocket.FIRST.whenWritable(() -> first = true);
            r.r1 = Fixture.await(() -> first && second);
        }

        @Actor
        public void other(ZZ_Result r) {
            WatchedSocket.SECOND.whenWritable(() -> second = true);
            r.r2 = Fixture.await(() -> first && second);
        }
    }

    /** A stream completes while the application arms its queue, polls once more and goes to sleep. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Polled or woken up.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The application sleeps on a queue that is not empty.")
    @State
    public static class CompleteAgainstArm {
        private final IwarpCompletionChannel channel = (IwarpCompletionChannel) Fixture.VERBS.completionChannel();
        private final IwarpCompletionQueue queue = (IwarpCompletionQueue)
                Fixture.VERBS.completionQueue(CompletionQueueConfig.of(2).withChannel(channel));

        @Actor
        public void stream() {
            Fixture.complete(queue, 1);
        }

        @Actor
        public void application(I_Result r) {
            queue.arm(false);
            r.r1 = Fixture.poll(queue, 2);
            if (r.r1 == 0 && Fixture.awaited(channel.await(Fixture.patience()).isPresent())) {
                r.r1 = Fixture.poll(queue, 2);
            }
        }

        @Arbiter
        public void end(I_Result r) {
            queue.close();
            channel.close();
        }
    }

    /** Something changes while a thread looks and goes to sleep in the system. */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Seen or woken up.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "It slept on.")
    @State
    public static class WakeupAgainstFutex {
        private final FutexWaiter waiter = new FutexWaiter();
        private volatile boolean done;

        @Actor
        public void change() {
            done = true;
            waiter.wakeup();
        }

        @Actor
        public void sleeper(Z_Result r) {
            waiter.begin();
            if (!done) {
                waiter.sleep(Fixture.patience().remainingNanos());
            }
            r.r1 = Fixture.awaited(done);
        }
    }

    /** Something changes while a thread looks and goes to sleep. */
    @JCStressTest
    @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "Seen or woken up.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "It slept on.")
    @State
    public static class ChangeAgainstWait {
        private final WaitPoint point = new WaitPoint();
        private volatile boolean done;

        @Actor
        public void change() {
            done = true;
            point.changed();
        }

        @Actor
        public void sleeper(Z_Result r) {
            r.r1 = Fixture.awaited(point.sleep(() -> done, Fixture.patience()));
        }
    }
}
