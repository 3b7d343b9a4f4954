package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.iwarp.engine.device.EventLoop;
import org.panamaverbs.iwarp.engine.device.LoopHandler;
import org.panamaverbs.iwarp.engine.device.LoopTimer;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.Watch;

/** What the event loop leaves to threads that poll. */
class LoopWatchTest {
    private static final int MANY = 100;

    private final Sockets sockets = SystemSockets.best();

    /** Leaves its channel to pollers, if there are any, when that becomes ready. */
    private static final class Channel implements LoopHandler {
        private final LoopTimer timer = new LoopTimer();
        private final LoopWatch watched;
        private final CompletableFuture<Boolean> left = new CompletableFuture<>();

        Channel(EventLoop loop) {
            watched = new LoopWatch(loop, this);
        }

        @Override
        public void ready(Watch watch, long now) {
            watch.interest(0);
            watched.onReady(watch);
            left.complete(watched.takeBack());
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
            throw new AssertionError("no timer was started");
        }

        @Override
        public void failed(Throwable cause) {
            left.completeExceptionally(cause);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isNotLeftToThemForPollsBeforeItWasTakenBack(boolean takenBack) throws Exception {
        EventLoop loop = EventLoop.start(sockets);
        TcpServer server = sockets.listen(Raw.ANY_PORT, 1, false);
        try {
            Channel channel = new Channel(loop);
            for (int i = 0; i < MANY; i++) {
                channel.watched.polled();
            }
            assertThat(takenBack && channel.watched.takeBack()).isFalse();

            loop.execute(() -> {
                try {
                    loop.register(server, Watch.READ, channel);
                } catch (IOException e) {
                    channel.failed(e);
                }
            });
            try (Socket peer = new Socket()) {
                peer.connect(server.localAddress());
                assertThat(channel.left.get(20, TimeUnit.SECONDS)).isEqualTo(!takenBack);
            }
        } finally {
            server.close();
            loop.close();
        }
    }
}
