package org.panamaverbs.sockets;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.sockets.Channels.octets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the contract of selectors says, for our channels and the JDK's. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Channels.Way.class)
class RdmaSelectorTest {
    private final Channels channels;
    private Selector selector;

    RdmaSelectorTest(Channels.Way way) {
        channels = new Channels(way);
    }

    @BeforeEach
    void open() throws IOException {
        selector = channels.provider().openSelector();
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        channels.close();
    }

    private SelectionKey register(SocketChannel channel, int ops) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, ops);
    }

    /** Selects until {@code key} is selected, for whatever. */
    private int selected(SelectionKey key) throws IOException {
        while (!selector.selectedKeys().contains(key)) {
            selector.select();
        }
        return key.readyOps();
    }

    @Test
    void connectsAcceptsReadsAndWrites() throws IOException {
        ServerSocketChannel listener = channels.listener();
        listener.configureBlocking(false);
        SelectionKey accepting = listener.register(selector, OP_ACCEPT, "door");
        assertThat(selector.selectNow()).isZero();
        SocketChannel client = channels.channel();
        client.configureBlocking(false);
        client.connect(listener.getLocalAddress());
        SelectionKey connecting = client.register(selector, OP_CONNECT);

        assertThat(selected(accepting)).isEqualTo(OP_ACCEPT);
        assertThat(selected(connecting)).isEqualTo(OP_CONNECT);
        assertThat(accepting.attachment()).isEqualTo("door");
        assertThat(client.finishConnect()).isTrue();
        SocketChannel accepted = channels.closing(listener.accept());
        selector.selectedKeys().clear();

        connecting.interestOps(OP_WRITE | OP_READ);
        assertThat(selected(connecting)).isEqualTo(OP_WRITE);
        accepted.write(octets(1, 2));
        while ((connecting.readyOps() & OP_READ) == 0) {
            selector.select();
        }
        assertThat(connecting.readyOps()).as("what was found before stays").isEqualTo(OP_WRITE | OP_READ);
        assertThat(client.read(ByteBuffer.allocate(10))).isEqualTo(2);
        selector.selectedKeys().clear();
        connecting.interestOps(OP_READ);
        assertThat(selector.selectNow()).as("nothing to read, nobody to accept").isZero();
        assertThat(selector.keys()).containsExactlyInAnyOrder(accepting, connecting);
    }

    @Test
    void aKeyThatWantedToWriteBeforeItsChannelWasConnectedIsTold() throws IOException {
        ServerSocketChannel listener = channels.listener();
        SocketChannel client = channels.channel();
        client.configureBlocking(false);
        client.connect(listener.getLocalAddress());
        SelectionKey writing = client.register(selector, OP_WRITE);
        try (Selector connecting = channels.provider().openSelector()) {
            client.register(connecting, OP_CONNECT);
            assertThat(connecting.select(10_000)).isEqualTo(1);
        }
        channels.closing(listener.accept());
        assertThat(selector.selectNow()).as("it is not connected").isZero();
        assertThat(client.finishConnect()).isTrue();
        assertThat(selector.select(10_000)).isEqualTo(1);
        assertThat(writing.readyOps()).isEqualTo(OP_WRITE);
    }

    @Test
    void whatIsNotReadStaysReady() throws IOException {
        Channels.Pair pair = channels.pair();
        SelectionKey key = register(pair.server(), OP_READ);
        pair.client().write(octets(1, 2));
        selected(key);
        assertThat(selector.select())
                .as("selected already, so that nothing is new")
                .isZero();
        selector.selectedKeys().clear();
        assertThat(selector.select()).isEqualTo(1);
        pair.server().read(ByteBuffer.allocate(1));
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).as("a byte is left").isEqualTo(1);
        pair.server().read(ByteBuffer.allocate(1));
        selector.selectedKeys().clear();
        assertThat(selector.selectNow()).isZero();
    }

    @Test
    void endsAndFailuresAreReady() throws IOException {
        Channels.Pair pair = channels.pair();
        SelectionKey key = register(pair.server(), OP_READ);
        pair.client().close();
        selected(key);
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        SocketChannel refused = channels.channel();
        SelectionKey connecting = register(refused, OP_CONNECT);
        ServerSocketChannel gone = channels.listener();
        InetSocketAddress address = (InetSocketAddress) gone.getLocalAddress();
        gone.close();
        refused.connect(address);
        selected(connecting);
        assertThatThrownBy(refused::finishConnect).isInstanceOf(IOException.class);
        assertThat(connecting.isValid()).isFalse();
    }

    /**
     * Writes until there is no room, also where what was under way has arrived; returns how many bytes that took. No
     * key says that there is room then.
     */
    private long fill(SocketChannel channel) throws IOException {
        ByteBuffer part = ByteBuffer.allocateDirect(50_000);
        long written = 0;
        do {
            for (int count = 1; count > 0; written += count) {
                count = channel.write(part.clear());
            }
            selector.selectedKeys().clear();
        } while (selector.selectNow() != 0);
        return written;
    }

    @Test
    void writersAreToldOfRoom() throws Exception {
        Channels.Pair pair = channels.pair();
        SelectionKey key = register(pair.client(), OP_WRITE);
        long all = fill(pair.client());
        CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> {
            try {
                Channels.readFully(pair.server(), ByteBuffer.allocate((int) all));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(selected(key)).isEqualTo(OP_WRITE);
        reading.get(10, TimeUnit.SECONDS);
    }

    @Test
    void mixesWithDatagramsAndPipes() throws IOException {
        Channels.Pair pair = channels.pair();
        SelectionKey stream = register(pair.server(), OP_READ);
        DatagramChannel datagrams = channels.closing(channels.provider().openDatagramChannel());
        datagrams
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .configureBlocking(false);
        SelectionKey datagram = datagrams.register(selector, OP_READ);
        Pipe pipe = channels.provider().openPipe();
        channels.closing(pipe.source()).configureBlocking(false);
        channels.closing(pipe.sink());
        SelectionKey piped = pipe.source().register(selector, OP_READ);
        assertThat(selector.keys()).containsExactlyInAnyOrder(stream, datagram, piped);

        datagrams.send(octets(1), datagrams.getLocalAddress());
        assertThat(selected(datagram)).isEqualTo(OP_READ);
        assertThat(datagram.channel()).isSameAs(datagrams);
        assertThat(datagram.selector()).isSameAs(selector);
        pair.client().write(octets(2));
        assertThat(selected(stream)).isEqualTo(OP_READ);
        pipe.sink().write(octets(3));
        assertThat(selected(piped)).isEqualTo(OP_READ);
        assertThat(selector.selectedKeys()).hasSize(3);

        datagrams.receive(ByteBuffer.allocate(1));
        selector.selectedKeys().clear();
        assertThat(selector.select()).isEqualTo(2);
        datagram.cancel();
        selector.selectNow();
        assertThat(selector.keys()).containsExactlyInAnyOrder(stream, piped);
        assertThat(datagrams.isRegistered()).isFalse();
        datagrams.configureBlocking(true);
        pipe.source().close();
        selector.selectNow();
        assertThat(selector.keys()).containsExactly(stream);
    }

    @Test
    void wakeupEndsThisOrTheNextSelection() throws Exception {
        selector.wakeup();
        assertThat(selector.select()).isZero();
        CompletableFuture<Integer> selecting = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                selecting.complete(selector.select());
            } catch (IOException e) {
                selecting.completeExceptionally(e);
            }
        });
        selector.wakeup();
        assertThat(selecting.get(10, TimeUnit.SECONDS)).isZero();
        thread.join();
        long begun = System.nanoTime();
        assertThat(selector.select(30)).isZero();
        assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(29));
        Thread.currentThread().interrupt();
        assertThat(selector.select()).isZero();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void keysOfChannelsThatAreClosedGo() throws IOException {
        Channels.Pair pair = channels.pair();
        SelectionKey key = register(pair.server(), OP_READ);
        pair.client().write(octets(1));
        selected(key);
        pair.server().close();
        assertThat(key.isValid()).isFalse();
        assertThatThrownBy(key::readyOps).isInstanceOf(CancelledKeyException.class);
        selector.selectNow();
        assertThat(selector.keys()).isEmpty();
        assertThat(selector.selectedKeys()).isEmpty();
    }

    @Test
    void cancelledKeysGoWithTheNextSelection() throws IOException {
        Channels.Pair pair = channels.pair();
        SelectionKey key = register(pair.server(), OP_READ);
        assertThatThrownBy(() -> pair.server().configureBlocking(true))
                .isInstanceOf(IllegalBlockingModeException.class);
        key.cancel();
        assertThatThrownBy(() -> pair.server().register(selector, OP_READ)).isInstanceOf(CancelledKeyException.class);
        selector.selectNow();
        assertThat(pair.server().isRegistered()).isFalse();
        SelectionKey again = pair.server().register(selector, OP_READ);
        pair.client().write(octets(1));
        assertThat(selected(again)).isEqualTo(OP_READ);
        assertThatThrownBy(() -> again.interestOps(OP_ACCEPT)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> selector.selectedKeys().add(key)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> selector.keys().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void actionsAreRunForReadyKeys() throws IOException {
        Channels.Pair pair = channels.pair();
        SelectionKey key = register(pair.server(), OP_READ);
        pair.client().write(octets(1));
        SelectionKey[] seen = new SelectionKey[1];
        while (selector.select(each -> seen[0] = each) == 0) {
            Thread.onSpinWait();
        }
        assertThat(seen[0]).isSameAs(key);
    }

    @Test
    void closingEndsASelection() throws Exception {
        Channels.Pair pair = channels.pair();
        SelectionKey key = register(pair.server(), OP_READ);
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                ended.complete(selector.select() == 0);
            } catch (ClosedSelectorException e) {
                ended.complete(true); // it was closed before the selection began
            } catch (IOException | RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        selector.close();
        assertThat(ended.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(key.isValid()).isFalse();
        assertThat(pair.server().isRegistered()).isFalse();
        assertThatThrownBy(() -> selector.selectNow()).isInstanceOf(ClosedSelectorException.class);
        assertThatThrownBy(() -> selector.keys()).isInstanceOf(ClosedSelectorException.class);
    }
}
