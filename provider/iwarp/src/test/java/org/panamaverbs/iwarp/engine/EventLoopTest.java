package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;

/** The event loop: nobody keeps it from the others, and who is left when it is closed hears of that. */
@Timeout(60)
class EventLoopTest {
    /** Counts what it hears. */
    private static final class Handler implements LoopHandler {
        private final LoopTimer timer = new LoopTimer();
        final CountDownLatch timedOut = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);
        final AtomicBoolean wasOpen = new AtomicBoolean();
        private final TcpSocket socket;

        Handler(TcpSocket socket) {
            this.socket = socket;
        }

        @Override
        public void ready(Watch watch, long now) {
            watch.interest(0);
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
            timedOut.countDown();
        }

        @Override
        public void failed(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void loopClosed() {
            wasOpen.set(socket.isOpen());
            closed.countDown();
        }
    }

    private static final class Again implements Runnable {
        private final EventLoop loop;
        private final AtomicBoolean over = new AtomicBoolean();

        Again(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public void run() {
            if (!over.get()) {
                loop.execute(this);
            }
        }
    }

    @Test
    void aTaskThatComesBackEachTimeLetsTimersRun() throws Exception {
        Sockets sockets = SystemSockets.best();
        TcpSocket socket = sockets.open(false);
        EventLoop loop = EventLoop.start(sockets);
        Again again = new Again(loop);
        Handler handler = new Handler(socket);
        try {
            loop.execute(again);
            loop.watch(handler);
            assertThat(handler.timedOut.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            again.over.set(true);
            loop.close();
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoIsWatchedHearsThatTheLoopIsClosed(boolean nio) throws Exception {
        Sockets sockets = nio ? SystemSockets.nio() : SystemSockets.best();
        TcpSocket socket = sockets.open(false);
        socket.bind(new InetSocketAddress(Raw.ANY_PORT.getAddress(), 0));
        EventLoop loop = EventLoop.start(sockets);
        Handler handler = new Handler(socket);
        CountDownLatch watched = new CountDownLatch(1);
        loop.execute(() -> register(loop, socket, handler, watched));
        assertThat(watched.await(20, TimeUnit.SECONDS)).isTrue();

        loop.close();

        assertThat(handler.closed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(handler.wasOpen).as("open when it heard").isTrue();
        assertThat(socket.isOpen()).isFalse();
    }

    private static void register(EventLoop loop, TcpSocket socket, LoopHandler handler, CountDownLatch watched) {
        try {
            loop.register(socket, 0, handler);
            watched.countDown();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
