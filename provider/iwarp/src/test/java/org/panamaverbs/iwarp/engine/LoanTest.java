package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.context.EventLoop;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.context.LoopTimer;
import org.panamaverbs.iwarp.engine.context.WaitPoint;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Poller;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.testkit.faults.StackEnd;

/** The event loop, lent to a thread that waits. */
@Timeout(60)
@Tag("alone")
class LoanTest {
    private static final int WIDE_FRAMES = 40;
    private static final int COMPILED = 2_000;

    private final EventLoop loop = EventLoop.start(SystemSockets.best());

    @AfterEach
    void close() {
        loop.close();
    }

    /** Returns which thread runs a task. */
    private Thread whoRuns() throws Exception {
        CompletableFuture<Thread> runs = new CompletableFuture<>();
        loop.execute(() -> runs.complete(Thread.currentThread()));
        return runs.get(20, TimeUnit.SECONDS);
    }

    @Test
    void itsOwnThreadSleepsWhileItIsLentAndComesBack() throws Exception {
        Thread own = whoRuns();
        Driving driving = new Driving(loop);
        Raw.await("that its own thread sleeps long", () -> sleepsLong(own));
        assertThat(whoRuns()).isSameAs(driving.thread.thread());
        driving.end();

        assertThat(whoRuns()).isSameAs(own);
    }

    // It looks once a second, should it not be woken up.
    private static boolean sleepsLong(Thread own) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getThreadInfo(own.threadId()).getWaitedCount();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        while (System.nanoTime() - end < 0) {
            Thread.yield();
        }
        return threads.getThreadInfo(own.threadId()).getWaitedCount() - before <= 1;
    }

    @Test
    void isLentToOneAtATime() throws Exception {
        Driving driving = new Driving(loop);

        assertThat(driving.twice).isFalse();
        assertThat(loop.turnIfFree()).isFalse();
        driving.end();
    }

    @RepeatedTest(3)
    void noTaskIsLostWhereTheStackOfTheBorrowerEnds() throws Exception {
        AtomicInteger done = new AtomicInteger();
        AtomicInteger given = new AtomicInteger();
        // Made beforehand: what is linked first at the end of the stack is lost.
        Runnable task = () -> done.addAndGet(deep(WIDE_FRAMES, 1, 2, 3, 4, 5, 6));
        for (int i = 0; i < COMPILED; i++) {
            task.run();
        }
        done.set(0);
        StackEnd.Outcome outcome = StackEnd.each(() -> {
            loop.turnIfFree(); // so that the loop's own thread keeps away from the task
            loop.execute(task);
            given.incrementAndGet();
            loop.turnIfFree();
        });

        assertThat(outcome.overflows()).isPositive();
        assertThat(given).hasPositiveValue();
        Raw.await("all tasks", () -> done.get() >= given.get());
    }

    @RepeatedTest(3)
    void isWokenUpAlsoWhereTheStackOfTheBorrowerHasEnded() throws InterruptedException {
        StackEnd.Outcome outcome = StackEnd.each(
                () -> {
                    loop.turnIfFree(); // so that the loop's own thread keeps away
                    loop.wakeup();
                    loop.turnIfFree();
                },
                () -> {
                    CompletableFuture<Boolean> ran = new CompletableFuture<>();
                    loop.execute(() -> ran.complete(true));
                    assertThat(ran).succeedsWithin(10, TimeUnit.SECONDS);
                });

        assertThat(outcome.overflows()).isPositive();
        assertThat(outcome.tried()).isGreaterThan(outcome.overflows());
    }

    @RepeatedTest(3)
    void nothingThatNeedsRoomIsBegunWhereTheStackOfTheBorrowerEnds() throws Exception {
        try (RawStream raw = new RawStream((event, fault) -> {})) {
            raw.far.write(ByteBuffer.allocate(1));
            Deep deep = new Deep();
            deep.borrower = Thread.currentThread();
            for (int i = 0; i < COMPILED; i++) {
                deep.call();
            }
            CompletableFuture<Watch> watched = new CompletableFuture<>();
            loop.execute(() -> {
                try {
                    watched.complete(loop.register(raw.near, Watch.READ, deep));
                } catch (IOException e) {
                    watched.completeExceptionally(e);
                }
            });
            watched.get(20, TimeUnit.SECONDS);
            loop.watch(deep);
            StackEnd.Outcome outcome = StackEnd.each(() -> {
                deep.borrower = Thread.currentThread();
                loop.turnIfFree();
            });

            assertThat(outcome.overflows()).isPositive();
            assertThat(deep.begun).isEqualTo(deep.whole);
        }
    }

    /** What is always ready and due, and counts what the borrower calls of it. */
    private static final class Deep implements LoopHandler {
        private final LoopTimer timer = new LoopTimer();
        private volatile @Nullable Thread borrower;
        // The borrower's, until it has ended.
        private int begun;
        private int whole;

        private void call() {
            if (Thread.currentThread().equals(borrower)) {
                begun++;
                whole += deep(WIDE_FRAMES, 1, 2, 3, 4, 5, 6);
            }
        }

        @Override
        public void ready(Watch watch, long now) {
            call();
        }

        @Override
        public LoopTimer timer() {
            return timer;
        }

        @Override
        public long deadlineNanos() {
            return 0;
        }

        @Override
        public void timeout(long now) {
            call();
        }

        @Override
        public boolean needsRoom() {
            return true;
        }

        @Override
        public void failed(Throwable cause) {
            // It was called once too often.
        }

        @Override
        public boolean logsFailures() {
            return true;
        }
    }

    /** Returns 1, with wide frames also where they are compiled: deeper than a turn without a task. */
    private static int deep(int frames, long a, long b, long c, long d, long e, long f) {
        if (frames == 0) {
            return 1;
        }
        int one = deep(frames - 1, b, c, d, e, f, a);
        return one + (int) (((a * b) ^ (c * d) ^ (e * f)) >>> 63);
    }

    @Test
    void isNotLentToVirtualThreadsWhoseCarrierItWouldKeep() throws Exception {
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> taken.complete(loop.turnIfFree()));
        assertThat(taken.get(20, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void whoHasItGivesItBackAndSleepsWhenItIsClosed() throws Exception {
        Thread own = whoRuns();
        Waiting waiting = new Waiting(loop);
        waiting.thread.whenWaiting();
        loop.close();

        assertThat(own.isAlive()).isFalse();
        assertThat(loop.turnIfFree()).isFalse();
        waiting.sleepsUntilDone();
    }

    @Test
    void whoHasItGivesItBackAndSleepsWhenNobodyCanWaitForSocketsAnyMore() throws Exception {
        FailingSockets sockets = new FailingSockets();
        EventLoop failing = EventLoop.start(sockets);
        try {
            Waiting waiting = new Waiting(failing);
            waiting.thread.whenWaiting();
            sockets.failed = true;
            failing.wakeup();

            waiting.sleepsUntilDone();
            Raw.await("that its own thread has closed the poller", () -> sockets.closed);
            assertThat(failing.turnIfFree()).isFalse();
        } finally {
            failing.close();
        }
    }

    /** A thread that is the loop, as whoever waits for a completion, until a test ends it. */
    private static final class Driving {
        private final EventLoop loop;
        private final WaitPoint point = new WaitPoint();
        private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
        private volatile boolean done;
        private volatile boolean twice;
        private final Background<Boolean> thread;

        Driving(EventLoop loop) throws Exception {
            this.loop = loop;
            thread = Background.start(this::drive);
            begun.get(20, TimeUnit.SECONDS);
        }

        private boolean drive() throws InterruptedException {
            boolean came = true;
            while (came && !done) {
                came = point.awaitAsLoop(this::look, Deadline.in(40, TimeUnit.SECONDS), loop);
            }
            return came;
        }

        private boolean look() {
            if (!loop.isCurrent()) {
                // On a busy machine the loop's own thread may not let go in time: this one would sleep.
                return true;
            }
            twice = loop.turnIfFree();
            begun.complete(true);
            return done;
        }

        void end() throws InterruptedException {
            done = true;
            point.changed();
            assertThat(thread.get()).isTrue();
        }
    }

    /** A thread that is the loop while it waits for something that only a test does. */
    private static final class Waiting {
        private static final int FEW = 100;

        private final WaitPoint point = new WaitPoint();
        private final AtomicInteger looks = new AtomicInteger();
        private volatile boolean done;
        private final Background<Boolean> thread;

        Waiting(EventLoop loop) {
            thread = Background.start(() -> {
                // From then on its own thread keeps away for a while.
                Raw.await("that it is lent", loop::turnIfFree);
                return point.awaitAsLoop(this::look, Deadline.in(40, TimeUnit.SECONDS), loop);
            });
        }

        private boolean look() {
            looks.incrementAndGet();
            return done;
        }

        void sleepsUntilDone() throws InterruptedException {
            Raw.await("that it sleeps", () -> thread.thread().getState() == Thread.State.TIMED_WAITING);
            assertThat(looks.get()).isLessThan(FEW);
            done = true;
            point.changed();
            assertThat(thread.get()).isTrue();
        }
    }

    /** Sockets that can be waited for only until {@code failed}. */
    private static final class FailingSockets implements Sockets, Poller {
        private final Sockets sockets = SystemSockets.best();
        private final Poller poller = sockets.poller();
        private volatile boolean failed;
        private volatile boolean closed;

        FailingSockets() throws IOException {}

        @Override
        public String name() {
            return sockets.name();
        }

        @Override
        public Poller poller() {
            return this;
        }

        @Override
        public TcpSocket open(boolean ipv6) throws IOException {
            return sockets.open(ipv6);
        }

        @Override
        public TcpServer listen(InetSocketAddress local, int backlog, boolean reuseAddress) throws IOException {
            return sockets.listen(local, backlog, reuseAddress);
        }

        @Override
        public Watch register(Pollable channel, int interest, Object attachment) throws IOException {
            return poller.register(channel, interest, attachment);
        }

        @Override
        public void select(Consumer<Watch> ready, long millis) throws IOException {
            if (failed) {
                throw new IOException("as a test wants");
            }
            poller.select(ready, millis);
        }

        @Override
        public void wakeup() {
            poller.wakeup();
        }

        @Override
        public boolean isDeferring() {
            return poller.isDeferring();
        }

        @Override
        public void forEach(Consumer<Watch> action) {
            poller.forEach(action);
        }

        @Override
        public void close() {
            closed = true;
            poller.close();
        }
    }
}
