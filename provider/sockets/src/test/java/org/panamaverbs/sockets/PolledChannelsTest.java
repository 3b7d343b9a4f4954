package org.panamaverbs.sockets;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels and selectors that are asked again and again, and what becomes of them when nobody does any more. */
@Timeout(60)
class PolledChannelsTest {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    // More than a peer may send that is granted nothing.
    private static final int MESSAGES = 1_000;
    private static final int POLLED = 50;

    private Channels channels;
    private Channels.Pair pair;

    @BeforeEach
    void open() throws IOException {
        System.setProperty(RdmaSelectorProvider.SPIN_PROPERTY, "1000000");
        channels = new Channels(Channels.Way.RDMA_BY_SHARED_MEMORY);
        pair = channels.pair();
        pair.client().configureBlocking(false);
        pair.server().configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        System.clearProperty(RdmaSelectorProvider.SPIN_PROPERTY);
        channels.close();
    }

    @Test
    void aPeerGoesOnWhenAChannelIsNotPolledAnyMore() throws IOException {
        for (int i = 0; i < POLLED; i++) {
            write(pair.client());
            read(pair.server(), 1);
        }
        for (int i = 0; i < MESSAGES; i++) {
            write(pair.client());
        }
        read(pair.server(), MESSAGES);
    }

    @Test
    void aSelectionThatPollsFindsWhatComes() throws Exception {
        try (Selector selector = channels.provider().openSelector()) {
            SelectionKey key = readyBefore(selector);
            CompletableFuture<Integer> selecting = selecting(selector);
            write(pair.client());
            assertThat(selecting.get(30, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(selector.selectedKeys()).containsExactly(key);
        }
    }

    @Test
    void aSelectionThatPollsFindsWhatComesToTheJdks() throws Exception {
        try (Selector selector = channels.provider().openSelector()) {
            readyBefore(selector);
            Pipe pipe = channels.provider().openPipe();
            channels.closing(pipe.sink());
            channels.closing(pipe.source()).configureBlocking(false);
            SelectionKey piped = pipe.source().register(selector, OP_READ);
            CompletableFuture<Integer> selecting = selecting(selector);
            pipe.sink().write(Channels.octets(1));
            assertThat(selecting.get(30, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(selector.selectedKeys()).containsExactly(piped);
        }
    }

    @Test
    void aSelectionThatPollsEndsByAWakeup() throws Exception {
        try (Selector selector = channels.provider().openSelector()) {
            readyBefore(selector);
            CompletableFuture<Integer> selecting = selecting(selector);
            selector.wakeup();
            assertThat(selecting.get(30, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void aSelectionThatPollsSleepsUntilItsTimeHasPassed() throws IOException {
        try (Selector selector = channels.provider().openSelector()) {
            readyBefore(selector);
            long begun = System.nanoTime();
            assertThat(selector.select(1_500)).isZero();
            assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(1_499));
            write(pair.client());
            assertThat(selector.select()).as("of what came after it slept").isEqualTo(1);
        }
    }

    /** Returns a key that was ready, and is not any more: the next selection polls it. */
    private SelectionKey readyBefore(Selector selector) throws IOException {
        SelectionKey key = pair.server().register(selector, OP_READ);
        write(pair.client());
        assertThat(selector.select()).isEqualTo(1);
        selector.selectedKeys().clear();
        read(pair.server(), 1);
        return key;
    }

    private static CompletableFuture<Integer> selecting(Selector selector) {
        CompletableFuture<Integer> selecting = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                selecting.complete(selector.select());
            } catch (IOException | RuntimeException e) {
                selecting.completeExceptionally(e);
            }
        });
        return selecting;
    }

    private static void write(SocketChannel channel) throws IOException {
        long begun = System.nanoTime();
        while (channel.write(ByteBuffer.allocate(1)) == 0) {
            assertThat(System.nanoTime() - begun).as("waiting for room").isLessThan(LIMIT_NANOS);
            Thread.onSpinWait();
        }
    }

    private static void read(SocketChannel channel, int count) throws IOException {
        long begun = System.nanoTime();
        ByteBuffer target = ByteBuffer.allocate(count);
        while (target.hasRemaining()) {
            assertThat(channel.read(target)).isNotNegative();
            assertThat(System.nanoTime() - begun).as("waiting for bytes").isLessThan(LIMIT_NANOS);
        }
    }
}
