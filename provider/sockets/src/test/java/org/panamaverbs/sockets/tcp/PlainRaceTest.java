package org.panamaverbs.sockets.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What follows an attempt over RDMA that does not even get to its request. */
@Timeout(60)
class PlainRaceTest {
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long ATTEMPT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** An attempt whose silence is what {@code silent} says, in turn; the last one for ever. */
    private static final class Attempt implements PlainRace.Course {
        private final long[] silent;
        private final AtomicInteger asked = new AtomicInteger();
        private volatile @Nullable SocketChannel winner;
        private volatile @Nullable String why;

        Attempt(long... silent) {
            this.silent = silent;
        }

        @Override
        public boolean isPending() {
            return why == null;
        }

        @Override
        public long silentNanos() {
            return silent[Math.min(asked.getAndIncrement(), silent.length - 1)];
        }

        @Override
        public boolean isAnnounced() {
            return false;
        }

        @Override
        public SocketChannel open() throws IOException {
            return SocketChannel.open();
        }

        @Override
        public void giveUp(@Nullable SocketChannel connected, String reason) {
            winner = connected;
            why = reason;
        }
    }

    private static void losesAtOnce(Attempt attempt) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            long begun = System.nanoTime();
            new PlainRace(attempt, (InetSocketAddress) server.getLocalSocketAddress(), PATIENCE_NANOS, MOST_NANOS)
                    .run();
            assertThat(System.nanoTime() - begun).isLessThan(ATTEMPT_NANOS);
        }
        Objects.requireNonNull(attempt.winner, "plain TCP has not won").close();
    }

    @Test
    void rdmaHasHalfOfTheTimeToAsk() throws IOException {
        losesAtOnce(new Attempt(-1));
    }

    /** Nobody looks again and again: not at a peer that speaks RDMA, and seldom at one that cannot be asked yet. */
    @Test
    void looksSeldom() throws IOException {
        Attempt answered = new Attempt(0);
        new PlainRace(answered, new InetSocketAddress(0), PATIENCE_NANOS, MOST_NANOS).run();
        assertThat(answered.asked.get()).isEqualTo(1);
        assertThat(answered.why).isNull();

        Attempt unasked = new Attempt(-1);
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            new PlainRace(
                            unasked,
                            (InetSocketAddress) server.getLocalSocketAddress(),
                            PATIENCE_NANOS,
                            TimeUnit.SECONDS.toNanos(1))
                    .run();
        }
        Objects.requireNonNull(unasked.winner).close();
        assertThat(unasked.asked.get()).isLessThan(20);
    }

    /** As one that connects anew, since the peer did not understand the first request. */
    @Test
    void noConnectedChannelWaitsForARequestThatIsNotSent() throws IOException {
        losesAtOnce(new Attempt(TimeUnit.SECONDS.toNanos(1), -1));
    }
}
