package org.panamaverbs.sockets.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ListenerConfig;

@Timeout(60)
class RdmaStreamTest {
    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(10);
    private static final long LINGER = TimeUnit.SECONDS.toNanos(10);
    private static final long WAIT = TimeUnit.SECONDS.toNanos(30);

    private final StreamDevice device = new StreamDevice(Verbs.open(OpenConfig.provider("iwarp")), true, SPIN_NANOS);
    private final StreamListener listener = listener();

    private StreamListener listener() {
        try {
            return device.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    ListenerConfig.defaults().withBacklog(10),
                    StreamSizes.defaults());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private record Pair(RdmaStream client, RdmaStream server) {
        void close() {
            client.close(LINGER);
            server.close(LINGER);
        }
    }

    private Pair pair(StreamSizes sizes) throws IOException {
        RdmaStream client = device.connect(listener.localAddress(), null, sizes, StreamDevice.CONNECT_SECONDS);
        client.awaitSetUp(WAIT);
        client.requireConnected();
        listener.await(WAIT);
        return new Pair(client, Objects.requireNonNull(listener.poll()));
    }

    @AfterEach
    void close() {
        listener.close();
        device.close();
    }

    /** What it waits for wakes no other thread before it. */
    @Test
    void whoWouldSleepIsToldByItself() throws Exception {
        Pair pair = pair(StreamSizes.defaults());
        AtomicReference<@Nullable Thread> teller = new AtomicReference<>();
        pair.server().observe(() -> teller.set(Thread.currentThread()));
        long begun = System.nanoTime();
        boolean drove = false;
        while (!drove || !Thread.currentThread().equals(teller.get())) {
            assertThat(System.nanoTime() - begun).isLessThan(WAIT);
            while (pair.server().read(ByteBuffer.allocate(1)) > 0) {
                // what came before
            }
            pair.server().arm();
            teller.set(null);
            CompletableFuture<Integer> written = CompletableFuture.supplyAsync(() -> write(pair.client()));
            drove = device.driver().driveUntil(() -> teller.get() != null, WAIT, this);
            assertThat(written.get(30, TimeUnit.SECONDS)).isOne();
        }
        pair.close();
    }

    private static int write(RdmaStream stream) {
        try {
            return stream.write(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Who drives keeps interrupts from the channel, and may have ceased to: a virtual thread never drives. */
    @Test
    void anInterruptEndsTheWaitOfWhoDoesNotDrive() throws Exception {
        Pair pair = pair(StreamSizes.defaults());
        Thread waiting = Thread.startVirtualThread(() -> pair.server().awaitInput(-1));
        waiting.interrupt();
        assertThat(waiting.join(Duration.ofSeconds(30))).isTrue();
        pair.close();
    }

    @Test
    void whoObservesLateIsToldAtOnce() throws IOException {
        Pair pair = pair(StreamSizes.defaults());
        AtomicInteger told = new AtomicInteger();
        pair.client.observe(told::incrementAndGet);
        assertThat(told).hasPositiveValue();
        AtomicInteger toldOfStreams = new AtomicInteger();
        listener.observe(toldOfStreams::incrementAndGet);
        assertThat(toldOfStreams).hasPositiveValue();
        pair.close();
    }

    @Test
    void octetsGoBothWaysAndEndInOrder() throws IOException {
        Pair pair = pair(StreamSizes.defaults());
        assertThat(pair.client.write(ByteBuffer.wrap(new byte[] {1, 2, 3}))).isEqualTo(3);
        ByteBuffer target = ByteBuffer.allocate(10);
        pair.server.awaitInput(WAIT);
        assertThat(pair.server.read(target)).isEqualTo(3);
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        pair.server.write(ByteBuffer.wrap(new byte[] {4}));
        pair.server.close(LINGER);
        pair.client.awaitInput(WAIT);
        assertThat(pair.client.read(target.clear())).isEqualTo(1);
        pair.client.awaitInput(WAIT);
        assertThat(pair.client.read(target)).isEqualTo(-1);
        assertThatThrownBy(() -> pair.client.write(ByteBuffer.allocate(1))).hasMessage("Broken pipe");
        pair.close();
    }

    @Test
    void manyOctetsArriveInOrderThroughSmallBuffers() throws Exception {
        Pair pair = pair(new StreamSizes(3333, 5000));
        int all = 3_000_000;
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(pair.client, all));
        read(pair.server, all);
        writer.get(30, TimeUnit.SECONDS);
        pair.close();
    }

    private static byte octet(long at) {
        return (byte) (at * 7 + (at >>> 11));
    }

    private static void write(RdmaStream stream, int all) {
        Random random = new Random(1);
        try {
            for (int done = 0; done < all; ) {
                byte[] octets = new byte[Math.min(all - done, 1 + random.nextInt(20_000))];
                for (int i = 0; i < octets.length; i++) {
                    octets[i] = octet(done + i);
                }
                ByteBuffer source = ByteBuffer.wrap(octets);
                while (source.hasRemaining()) {
                    if (stream.write(source) == 0) {
                        stream.awaitOutput(WAIT);
                    }
                }
                done += octets.length;
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void read(RdmaStream stream, int all) throws IOException {
        Random random = new Random(2);
        for (int done = 0; done < all; ) {
            ByteBuffer target = ByteBuffer.allocateDirect(1 + random.nextInt(20_000));
            stream.awaitInput(WAIT);
            int count = stream.read(target);
            assertThat(count).isNotNegative();
            for (int i = 0; i < count; i++) {
                if (target.get(i) != octet(done + i)) {
                    throw new AssertionError("byte " + (done + i));
                }
            }
            done += count;
        }
    }

    @Test
    void manyMessagesAreTakenWhileNobodyReads() throws IOException {
        Pair pair = pair(StreamSizes.defaults());
        int all = 20 * StreamSizes.CREDITS;
        ByteBuffer one = ByteBuffer.allocate(1);
        for (int sent = 0; sent < all; ) {
            int count = pair.client.write(one.clear());
            if (count == 0) {
                pair.client.awaitOutput(WAIT);
                assertThat(pair.client.isWritable()).as("after " + sent).isTrue();
            }
            sent += count;
        }
        for (int read = 0; read < all; ) {
            pair.server.awaitInput(WAIT);
            read += pair.server.read(ByteBuffer.allocate(all));
        }
        pair.close();
    }

    @Test
    void nobodyThereIsRefused() throws IOException {
        InetSocketAddress address = listener.localAddress();
        listener.close();
        RdmaStream client = device.connect(address, null, StreamSizes.defaults(), StreamDevice.CONNECT_SECONDS);
        client.awaitSetUp(WAIT);
        assertThatThrownBy(client::requireConnected).isInstanceOf(ConnectException.class);
        client.close(0);
    }

    /**
     * The position of a buffer tells what was taken of it: that much is sent, also if the next buffer cannot be read.
     */
    @Test
    void sendsWhatWasTakenBeforeABufferThatIsGone() throws IOException {
        Pair pair = pair(StreamSizes.defaults());
        Arena arena = Arena.ofShared();
        ByteBuffer gone = arena.allocate(10).asByteBuffer();
        arena.close();
        ByteBuffer first = ByteBuffer.wrap(new byte[] {1, 2, 3});
        assertThatThrownBy(() -> pair.client.write(new ByteBuffer[] {first, gone}, 0, 2))
                .isInstanceOf(IllegalStateException.class);
        assertThat(first.position()).isEqualTo(3);
        pair.client.write(ByteBuffer.wrap(new byte[] {4}));
        ByteBuffer read = ByteBuffer.allocate(4);
        while (read.hasRemaining()) {
            pair.server.awaitInput(WAIT);
            assertThat(pair.server.read(read)).isPositive();
        }
        assertThat(read.array()).containsExactly(1, 2, 3, 4);
        pair.close();
    }
}
