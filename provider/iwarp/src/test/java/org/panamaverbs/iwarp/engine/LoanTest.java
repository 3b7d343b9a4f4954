package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.WaitPoint;
import org.panamaverbs.iwarp.net.Pollable;
import org.panamaverbs.iwarp.net.Poller;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;

/** The event loop, lent to a thread that waits. */
@Timeout(60)
@Tag("alone")
class LoanTest {
    private static final int LOANS = 1000;

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

    private static boolean awaitAsLoop(WaitPoint point, BooleanSupplier done, Deadline deadline, EventLoop loop)
            throws InterruptedException {
        return point.awaitDriving(done, deadline, loop) || point.sleepInterruptibly(done, deadline);
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

    @Test
    void isNotLentToVirtualThreadsWhoseCarrierItWouldKeep() throws Exception {
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> taken.complete(loop.turnIfFree()));
        assertThat(taken.get(20, TimeUnit.SECONDS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoHasItTurnsItHoweverShortItsWait(boolean done) throws Exception {
        WaitPoint point = new WaitPoint();
        long before = loop.turns();
        for (int loans = 0; loans < LOANS; ) {
            boolean[] had = new boolean[1];
            boolean came = point.awaitDriving(
                    () -> {
                        had[0] |= loop.isCurrent();
                        return done;
                    },
                    Deadline.now(),
                    loop);
            assertThat(came).isEqualTo(done);
            loans += had[0] ? 1 : 0;
        }

        assertThat(loop.turns() - before).isGreaterThanOrEqualTo(LOANS);
    }

    @Test
    void whoIsInterruptedWhileItHasItGivesItBack() throws Exception {
        Thread own = whoRuns();
        Background<Boolean> waiter = Background.start(() -> {
            Raw.await("that it is interrupted while it has it", this::isInterruptedWhileItHasIt);
            return true;
        });
        assertThat(waiter.get()).isTrue();

        assertThat(whoRuns()).isSameAs(own);
    }

    private boolean isInterruptedWhileItHasIt() {
        AtomicBoolean had = new AtomicBoolean();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> awaitAsLoop(
                        new WaitPoint(),
                        () -> {
                            had.set(loop.isCurrent());
                            return false;
                        },
                        Deadline.in(20, TimeUnit.SECONDS),
                        loop))
                .isInstanceOf(InterruptedException.class);
        return had.get();
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
                came = awaitAsLoop(point, this::look, Deadline.in(40, TimeUnit.SECONDS), loop);
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
                return awaitAsLoop(point, this::look, Deadline.in(40, TimeUnit.SECONDS), loop);
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
