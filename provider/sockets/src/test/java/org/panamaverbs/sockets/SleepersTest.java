package org.panamaverbs.sockets;

import static java.nio.channels.SelectionKey.OP_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads that sleep at once, and drive their device meanwhile where they can: what ends their sleep, and that of
 * others.
 */
@Timeout(100)
@ParameterizedClass
@EnumSource(names = {"RDMA_BY_SHARED_MEMORY", "RDMA_OVER_TCP"})
class SleepersTest {
    private static final int TRIPS = 300;
    private static final long LIMIT_SECONDS = 60;
    private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Channels.Way way;
    private Channels channels;

    SleepersTest(Channels.Way way) {
        this.way = way;
    }

    @BeforeEach
    void open() {
        System.setProperty(RdmaSelectorProvider.SPIN_PROPERTY, "0");
        channels = new Channels(way);
    }

    @AfterEach
    void close() throws IOException {
        System.clearProperty(RdmaSelectorProvider.SPIN_PROPERTY);
        channels.close();
    }

    /** A task on a platform thread of its own, as virtual ones drive nothing. */
    private record Running<T>(FutureTask<T> task, Thread thread) {
        static <T> Running<T> start(Callable<T> work) {
            FutureTask<T> task = new FutureTask<>(work);
            return new Running<>(task, Thread.ofPlatform().daemon().start(task));
        }

        T result() throws Exception {
            try {
                return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    /** Lets some time pass, another each time: who is to be ended has not begun to wait, or just so, or sleeps. */
    private static void passOf(int attempt) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < attempt * STEP_NANOS) {
            Thread.onSpinWait();
        }
    }

    private static void echo(SocketChannel channel, int trips) throws IOException {
        for (int i = 0; i < trips; i++) {
            ByteBuffer octet = ByteBuffer.allocate(1);
            Channels.readFully(channel, octet);
            channel.write(octet.flip());
        }
    }

    private static void ask(SocketChannel channel, int trips) throws IOException {
        for (int i = 0; i < trips; i++) {
            channel.write(Channels.octets(i & 0x7f));
            ByteBuffer octet = ByteBuffer.allocate(1);
            Channels.readFully(channel, octet);
            assertThat(octet.get(0)).isEqualTo((byte) (i & 0x7f));
        }
    }

    private static void selectAndRead(Selector selector, SocketChannel channel) throws IOException {
        ByteBuffer octet = ByteBuffer.allocate(1);
        while (channel.read(octet) == 0) {
            selector.select();
            selector.selectedKeys().clear();
        }
    }

    @Test
    void twoThatSleepWakeEachOther() throws Exception {
        Channels.Pair pair = channels.pair();
        Running<Void> server = Running.start(() -> {
            echo(pair.server(), TRIPS);
            return null;
        });
        ask(pair.client(), TRIPS);
        server.result();
    }

    @Test
    void twoSelectorsThatSleepWakeEachOther() throws Exception {
        Channels.Pair pair = channels.pair();
        Running<Void> server = Running.start(() -> {
            answerSelected(pair.server());
            return null;
        });
        pair.client().configureBlocking(false);
        try (Selector selector = channels.provider().openSelector()) {
            pair.client().register(selector, OP_READ);
            for (int i = 0; i < TRIPS; i++) {
                pair.client().write(Channels.octets(1));
                selectAndRead(selector, pair.client());
            }
        }
        server.result();
    }

    private void answerSelected(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        try (Selector selector = channels.provider().openSelector()) {
            channel.register(selector, OP_READ);
            for (int i = 0; i < TRIPS; i++) {
                selectAndRead(selector, channel);
                channel.write(Channels.octets(1));
            }
        }
    }

    /** Who drives goes away with what it waited for, and does not come back. */
    @Test
    void othersWakeUpWhileWhoSleptLastIsBusy() throws Exception {
        Channels.Pair busy = channels.pair();
        Channels.Pair others = channels.pair();
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Running<Void> first = Running.start(() -> {
            echo(busy.server(), 1);
            read.countDown();
            assertThat(done.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            return null;
        });
        Running<Void> second = Running.start(() -> {
            echo(others.server(), TRIPS);
            return null;
        });
        ask(busy.client(), 1);
        assertThat(read.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        ask(others.client(), TRIPS);
        second.result();
        done.countDown();
        first.result();
    }

    @Test
    void anInterruptClosesWhoReads() throws Exception {
        for (int i = 0; i < 20; i++) {
            SocketChannel channel = channels.pair().server();
            Running<Integer> reading = Running.start(() -> channel.read(ByteBuffer.allocate(1)));
            passOf(i);
            reading.thread().interrupt();
            assertThatThrownBy(reading::result).isInstanceOf(ClosedByInterruptException.class);
            assertThat(channel.isOpen()).isFalse();
        }
    }

    @Test
    void anInterruptAWakeupAndAPassedTimeEndASelection() throws Exception {
        Channels.Pair pair = channels.pair();
        pair.server().configureBlocking(false);
        try (Selector selector = channels.provider().openSelector()) {
            pair.server().register(selector, OP_READ);
            assertThat(selector.select(20)).isZero();
            for (int i = 0; i < 20; i++) {
                Running<Integer> selecting = Running.start(selector::select);
                passOf(i);
                selecting.thread().interrupt();
                assertThat(selecting.result()).isZero();
                selecting = Running.start(selector::select);
                passOf(i);
                selector.wakeup();
                assertThat(selecting.result()).isZero();
            }
            assertThat(selector.select(20)).isZero();
        }
    }

    @Test
    void closingEndsWhoSelects() throws Exception {
        Channels.Pair pair = channels.pair();
        pair.server().configureBlocking(false);
        Selector selector = channels.provider().openSelector();
        pair.server().register(selector, OP_READ);
        Running<Boolean> selecting = Running.start(() -> {
            try {
                return selector.select() == 0;
            } catch (ClosedSelectorException e) {
                return true; // it was closed before the selection began
            }
        });
        selector.close();
        assertThat(selecting.result()).isTrue();
    }

    @Test
    void aPipeThatJoinsLaterIsHeard() throws Exception {
        Channels.Pair pair = channels.pair();
        pair.server().configureBlocking(false);
        try (Selector selector = channels.provider().openSelector()) {
            pair.server().register(selector, OP_READ);
            assertThat(selector.select(20)).isZero();
            Pipe pipe = channels.provider().openPipe();
            channels.closing(pipe.sink());
            channels.closing(pipe.source()).configureBlocking(false);
            SelectionKey piped = pipe.source().register(selector, OP_READ);
            Running<Integer> selecting = Running.start(selector::select);
            pipe.sink().write(Channels.octets(1));
            assertThat(selecting.result()).isEqualTo(1);
            assertThat(selector.selectedKeys()).containsExactly(piped);
        }
    }
}
