package org.panamaverbs.sockets;

import static java.util.concurrent.CompletableFuture.runAsync;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.sockets.Channels.octets;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the contracts of channels say, over TCP and by shared memory. */
@Timeout(60)
@ParameterizedClass
// Who waits in the JDK's own channel is not seen to wait: FallbackChannelTest has that.
@EnumSource(value = Channels.Way.class, mode = EnumSource.Mode.EXCLUDE, names = "RULED_TCP")
class SocketChannelTest {
    private final Channels channels;

    SocketChannelTest(Channels.Way way) {
        channels = new Channels(way);
    }

    @AfterEach
    void close() throws IOException {
        channels.close();
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING
                && thread.getState() != Thread.State.TIMED_WAITING
                && !isDriving(thread)) {
            Thread.onSpinWait();
        }
    }

    /** Tells whether {@code thread} waits in a call of the system, in which a thread counts as running. */
    private static boolean isDriving(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("driveUntil"));
    }

    @Test
    void octetsGoBothWays() throws IOException {
        Channels.Pair pair = channels.pair();
        assertThat(pair.client().write(octets(1, 2, 3))).isEqualTo(3);
        ByteBuffer target = ByteBuffer.allocateDirect(100);
        assertThat(pair.server().read(target)).isEqualTo(3);
        assertThat(target.flip()).isEqualTo(octets(1, 2, 3));
        pair.server().write(octets(4));
        assertThat(pair.client().read(target.clear())).isEqualTo(1);
        assertThat(RdmaSockets.transport(pair.client())).isPresent();
        assertThat(RdmaSockets.statistics(pair.client()).orElseThrow().bytesSent())
                .isGreaterThan(3);
        assertThat(RdmaSockets.statistics(channels.channel()))
                .as("not connected")
                .isEmpty();
        assertThat(pair.client().getRemoteAddress()).isEqualTo(pair.server().getLocalAddress());
        assertThat(pair.client().getLocalAddress()).isEqualTo(pair.server().getRemoteAddress());
        assertThat(pair.client().read(ByteBuffer.allocate(0))).isZero();
    }

    @Test
    void manyOctetsArriveInOrder() throws Exception {
        Channels.Pair pair = channels.pair();
        byte[] data = new byte[5_000_000];
        new Random(1).nextBytes(data);
        CompletableFuture<Void> echo = runAsync(() -> {
            try {
                ByteBuffer part = ByteBuffer.allocateDirect(30_000);
                for (long done = 0; done < data.length; ) {
                    done += pair.server().read(part.clear());
                    pair.server().write(part.flip());
                }
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        CompletableFuture<Integer> written = supplyAsync(() -> {
            try {
                return pair.client().write(ByteBuffer.wrap(data));
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        ByteBuffer back = ByteBuffer.allocate(data.length);
        Channels.readFully(pair.client(), back);
        assertThat(back.array()).isEqualTo(data);
        assertThat(written.get(10, TimeUnit.SECONDS)).isEqualTo(data.length);
        echo.get(10, TimeUnit.SECONDS);
    }

    @Test
    void gathersAndScatters() throws IOException {
        Channels.Pair pair = channels.pair();
        ByteBuffer[] sources = {octets(9), octets(1, 2), octets(), octets(3, 4, 5), octets(9)};
        assertThat(pair.client().write(sources, 1, 3)).isEqualTo(5);
        assertThat(sources[0].hasRemaining()).isTrue();
        ByteBuffer[] targets = {ByteBuffer.allocate(2), ByteBuffer.allocate(0), ByteBuffer.allocate(10)};
        assertThat(pair.server().read(targets)).isEqualTo(5);
        assertThat(targets[0].flip()).isEqualTo(octets(1, 2));
        assertThat(targets[2].flip()).isEqualTo(octets(3, 4, 5));
    }

    @Test
    void gathersMoreThanThereIsRoomFor() throws Exception {
        Channels.Pair pair = channels.pair();
        ByteBuffer[] sources = new ByteBuffer[300];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = ByteBuffer.allocate(4001);
            sources[i].put(0, (byte) i);
        }
        CompletableFuture<Long> written = supplyAsync(() -> {
            try {
                return pair.client().write(sources);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        ByteBuffer all = ByteBuffer.allocate(300 * 4001);
        Channels.readFully(pair.server(), all);
        assertThat(written.get(10, TimeUnit.SECONDS)).isEqualTo(300L * 4001);
        for (int i = 0; i < sources.length; i++) {
            assertThat(all.get(i * 4001)).isEqualTo((byte) i);
        }
    }

    @Test
    void gathersFromABufferThatIsThereTwice() throws IOException {
        Channels.Pair pair = channels.pair();
        ByteBuffer twice = octets(1, 2);
        assertThat(pair.client().write(new ByteBuffer[] {twice, octets(3), twice}))
                .isEqualTo(3);
        assertThat(pair.client().write(new ByteBuffer[] {octets(4), twice})).isEqualTo(1);
        ByteBuffer target = ByteBuffer.allocate(4);
        Channels.readFully(pair.server(), target);
        assertThat(target.flip()).isEqualTo(octets(1, 2, 3, 4));
    }

    @Test
    void isConnectedWhileItIsOpen() throws IOException {
        ServerSocketChannel listener = channels.listener();
        SocketChannel pending = channels.channel();
        pending.configureBlocking(false);
        pending.connect(listener.getLocalAddress());
        assertThat(pending.isConnectionPending()).isTrue();
        pending.close();
        assertThat(pending.isConnectionPending()).isFalse();
        Channels.Pair pair = channels.pair();
        assertThat(pair.client().isConnected()).isTrue();
        pair.client().close();
        assertThat(pair.client().isConnected()).isFalse();
        assertThat(pair.client().socket().isConnected())
                .as("as the socket of a channel of the JDK's has it")
                .isFalse();
    }

    @Test
    void withoutBlockingNothingWaits() throws IOException {
        Channels.Pair pair = channels.pair();
        pair.client().configureBlocking(false);
        assertThat(pair.client().read(ByteBuffer.allocate(10))).isZero();
        ByteBuffer much = ByteBuffer.allocate(10_000_000);
        assertThat(pair.client().write(much)).isBetween(1, 1_000_000);
        ServerSocketChannel listener = channels.listener();
        listener.configureBlocking(false);
        assertThat(listener.accept()).isNull();
    }

    @Test
    void finishesAConnectionThatWasBegun() throws IOException {
        ServerSocketChannel listener = channels.listener();
        SocketChannel client = channels.channel();
        client.configureBlocking(false);
        assertThatThrownBy(client::finishConnect).isInstanceOf(NoConnectionPendingException.class);
        assertThat(client.connect(listener.getLocalAddress())).isFalse();
        assertThat(client.isConnectionPending()).isTrue();
        while (!client.finishConnect()) {
            Thread.onSpinWait();
        }
        assertThat(client.isConnected()).isTrue();
        assertThat(client.finishConnect()).isTrue();
        assertThatThrownBy(() -> client.connect(listener.getLocalAddress()))
                .isInstanceOf(AlreadyConnectedException.class);
        channels.closing(listener.accept());
    }

    @Test
    void aConnectionThatIsRefusedClosesItsChannel() throws IOException {
        ServerSocketChannel listener = channels.listener();
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        listener.close();
        SocketChannel client = channels.channel();
        assertThatThrownBy(() -> client.connect(address)).isInstanceOf(ConnectException.class);
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void endsAreReadBehindTheOctetsBeforeThem() throws IOException {
        Channels.Pair pair = channels.pair();
        pair.client().write(octets(1, 2));
        pair.client().shutdownOutput();
        assertThatThrownBy(() -> pair.client().write(octets(3))).isInstanceOf(ClosedChannelException.class);
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThat(pair.server().read(target)).isEqualTo(2);
        assertThat(pair.server().read(target)).isEqualTo(-1);
        assertThat(pair.server().write(octets(7, 8, 9)))
                .as("the other half is open")
                .isEqualTo(3);
        assertThat(pair.client().read(target.clear())).isEqualTo(3);
        pair.server().close();
        assertThat(pair.client().read(target)).isEqualTo(-1);
        assertThat(pair.client().read(target)).isEqualTo(-1);
    }

    @Test
    void whatWasWrittenBeforeCloseArrives() throws IOException {
        Channels.Pair pair = channels.pair();
        ByteBuffer data = ByteBuffer.allocate(100_000);
        pair.client().write(data);
        pair.client().close();
        ByteBuffer target = ByteBuffer.allocate(100_000);
        Channels.readFully(pair.server(), target);
        assertThat(pair.server().read(target.clear())).isEqualTo(-1);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        pair.server().write(octets(1));
                    }
                })
                .hasMessage("Broken pipe");
    }

    @Test
    void lingerOfZeroResets() throws IOException {
        Channels.Pair pair = channels.pair();
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.client().close();
        assertThatThrownBy(() -> pair.server().read(ByteBuffer.allocate(1))).hasMessageContaining("reset");
    }

    @Test
    void inputThatIsShutDownIsDropped() throws Exception {
        Channels.Pair pair = channels.pair();
        pair.server().shutdownInput();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(pair.client().write(ByteBuffer.allocate(2_000_000)))
                .as("its peer is granted room all the same")
                .isEqualTo(2_000_000);
    }

    @Test
    void shutdownInputEndsAReadThatWaits() throws Exception {
        Channels.Pair pair = channels.pair();
        CompletableFuture<Thread> reader = new CompletableFuture<>();
        CompletableFuture<Integer> read = supplyAsync(() -> {
            reader.complete(Thread.currentThread());
            try {
                return pair.client().read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        awaitWaiting(reader.get());
        pair.client().shutdownInput();
        assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo(-1);
    }

    @Test
    void closingEndsThoseThatWait() throws Exception {
        Channels.Pair pair = channels.pair();
        ServerSocketChannel listener = channels.listener();
        assertEndedByClose(() -> pair.client().read(ByteBuffer.allocate(1)), pair.client());
        ByteBuffer much = ByteBuffer.allocate(100_000_000);
        assertEndedByClose(
                () -> {
                    while (much.hasRemaining()) { // the first may report a part
                        pair.server().write(much);
                    }
                    return much;
                },
                null);
        assertEndedByClose(listener::accept, listener);
    }

    @Test
    void shutdownOutputEndsAWriteThatWaits() throws Exception {
        Channels.Pair pair = channels.pair();
        ByteBuffer much = ByteBuffer.allocate(100_000_000);
        assertEndsAPart(pair.client(), much, () -> pair.client().write(much));
        assertEndsAPart(pair.server(), much.rewind(), () -> pair.server().write(new ByteBuffer[] {much}));
        assertThat(pair.client().isOpen()).isTrue();
    }

    /** A part was sent: the write says how much that is, and the next one throws. */
    private static void assertEndsAPart(SocketChannel channel, ByteBuffer much, Operation write) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Object> written = new CompletableFuture<>();
        CompletableFuture<Throwable> failure = failureOf(() -> written.complete(write.run()), thread);
        awaitWaiting(thread.get());
        channel.shutdownOutput();
        assertThat(failure.get(10, TimeUnit.SECONDS)).isNull();
        assertThat(((Number) written.get()).intValue())
                .isEqualTo(much.position())
                .isBetween(1, much.capacity() - 1);
        assertThatThrownBy(write::run).isInstanceOf(AsynchronousCloseException.class);
    }

    private interface Operation {
        Object run() throws IOException;
    }

    private static void assertEndedByClose(Operation operation, @Nullable AutoCloseable channel) throws Exception {
        if (channel != null) {
            assertEndedBy(channel, operation);
        } else { // its peer is closed already
            assertThat(failureOf(operation, new CompletableFuture<>()).get(10, TimeUnit.SECONDS))
                    .hasMessage("Broken pipe");
        }
    }

    private static void assertEndedBy(AutoCloseable end, Operation operation) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Throwable> failure = failureOf(operation, thread);
        awaitWaiting(thread.get());
        end.close();
        assertThat(failure.get(10, TimeUnit.SECONDS)).isInstanceOf(AsynchronousCloseException.class);
    }

    private static CompletableFuture<Throwable> failureOf(Operation operation, CompletableFuture<Thread> thread) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        thread.complete(Thread.ofPlatform().start(() -> {
            try {
                operation.run();
                failure.complete(null);
            } catch (Throwable e) {
                failure.complete(e);
            }
        }));
        return failure;
    }

    @Test
    void interruptsCloseTheChannel() throws Exception {
        Channels.Pair pair = channels.pair();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                pair.client().read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                failure.complete(Thread.currentThread().isInterrupted() ? e : new AssertionError("no flag"));
            }
        });
        awaitWaiting(reader);
        reader.interrupt();
        assertThat(failure.get(10, TimeUnit.SECONDS)).isInstanceOf(ClosedByInterruptException.class);
        assertThat(pair.client().isOpen()).isFalse();
        assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void virtualThreadsWait() throws Exception {
        Channels.Pair pair = channels.pair();
        CompletableFuture<Integer> read = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                read.complete(pair.server().read(ByteBuffer.allocate(10)));
            } catch (IOException e) {
                read.completeExceptionally(e);
            }
        });
        pair.client().write(octets(1, 2));
        assertThat(read.get(10, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void theSocketOfAChannelHasTimeouts() throws IOException {
        Channels.Pair pair = channels.pair();
        Socket socket = pair.client().socket();
        assertThat(socket.getChannel()).isSameAs(pair.client());
        assertThat(socket.getSoTimeout()).isZero();
        socket.setSoTimeout(20);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        pair.server().socket().getOutputStream().write(new byte[] {1, 2, 3});
        assertThat(socket.getInputStream().read()).isEqualTo(1);
        assertThat(socket.getInputStream().readNBytes(2)).containsExactly(2, 3);
        assertThat(socket.getPort()).isEqualTo(pair.server().socket().getLocalPort());
        assertThat(socket.isConnected()).isTrue();
        socket.shutdownOutput();
        assertThat(pair.server().socket().getInputStream().read()).isEqualTo(-1);
        socket.close();
        assertThat(socket.isClosed()).isTrue();
        assertThatThrownBy(socket::getInputStream).hasMessage("Socket is closed");

        ServerSocketChannel listener = channels.listener();
        listener.socket().setSoTimeout(20);
        assertThatThrownBy(() -> listener.socket().accept()).isInstanceOf(SocketTimeoutException.class);
        assertThatThrownBy(() -> channels.channel().socket().getInputStream()).hasMessage("Socket is not connected");
    }

    @Test
    void aTimedConnectIsGivenUp() throws IOException {
        ServerSocketChannel silent = channels.closing(ServerSocketChannel.open())
                .bind(new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0));
        SocketChannel client = channels.channel();
        assertThatThrownBy(() -> client.socket().connect(silent.getLocalAddress(), 50))
                .isInstanceOf(SocketTimeoutException.class);
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void optionsAreKept() throws IOException {
        SocketChannel channel = channels.channel();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 8192)
                .setOption(StandardSocketOptions.SO_SNDBUF, 16384)
                .setOption(StandardSocketOptions.TCP_NODELAY, true)
                .setOption(StandardSocketOptions.SO_KEEPALIVE, true)
                .setOption(StandardSocketOptions.SO_LINGER, 3)
                .setOption(StandardSocketOptions.SO_REUSEADDR, true);
        assertThat(channel.getOption(StandardSocketOptions.SO_RCVBUF)).isEqualTo(8192);
        assertThat(channel.socket().getSendBufferSize()).isEqualTo(16384);
        assertThat(channel.socket().getTcpNoDelay()).isTrue();
        assertThat(channel.socket().getKeepAlive()).isTrue();
        assertThat(channel.socket().getSoLinger()).isEqualTo(3);
        assertThat(channel.socket().getReuseAddress()).isTrue();
        assertThatThrownBy(() -> channel.setOption(StandardSocketOptions.SO_RCVBUF, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> channel.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true))
                .isInstanceOf(UnsupportedOperationException.class);
        ServerSocketChannel listener = channels.listener();
        channel.connect(listener.getLocalAddress());
        SocketChannel accepted = channels.closing(listener.accept());
        accepted.configureBlocking(false);
        assertThat(channel.write(ByteBuffer.allocate(5000))).isEqualTo(5000);
    }

    @Test
    void whatTheContractForbidsIsRefused() throws IOException {
        SocketChannel channel = channels.channel();
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(() -> channel.write(octets(1))).isInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(channel::shutdownInput).isInstanceOf(NotYetConnectedException.class);
        assertThatThrownBy(() -> channel.connect(InetSocketAddress.createUnresolved("no.where.invalid", 1)))
                .isInstanceOf(UnresolvedAddressException.class);
        assertThatThrownBy(() -> channel.connect(java.net.UnixDomainSocketAddress.of("x")))
                .isInstanceOf(UnsupportedAddressTypeException.class);
        assertThat(channel.getRemoteAddress()).isNull();
        assertThat(channel.getLocalAddress()).isNull();
        channel.bind(null);
        assertThatThrownBy(() -> channel.bind(null)).isInstanceOf(AlreadyBoundException.class);
        channel.close();
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::getRemoteAddress).isInstanceOf(ClosedChannelException.class);

        Channels.Pair pair = channels.pair();
        ByteBuffer readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
        assertThatThrownBy(() -> pair.client().read(readOnly)).isInstanceOf(IllegalArgumentException.class);
        ServerSocketChannel unbound = channels.closing(channels.provider().openServerSocketChannel());
        assertThatThrownBy(unbound::accept).isInstanceOf(NotYetBoundException.class);
        ServerSocketChannel bound = channels.listener();
        assertThatThrownBy(() -> bound.bind(null)).isInstanceOf(AlreadyBoundException.class);
    }

    @Test
    void addressOfAnotherMachineCannotBeBound() throws IOException {
        ServerSocketChannel listener = channels.closing(channels.provider().openServerSocketChannel());
        assertThatThrownBy(() -> listener.bind(new InetSocketAddress("203.0.113.77", 0)))
                .isInstanceOf(BindException.class);
    }

    @Test
    void peersBeyondTheBacklogWait() throws IOException {
        ServerSocketChannel listener = channels.closing(channels.provider().openServerSocketChannel())
                .bind(new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0), 2);
        SocketChannel[] clients = new SocketChannel[6];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = channels.channel();
            clients[i].configureBlocking(false);
            clients[i].connect(listener.getLocalAddress());
        }
        for (int i = 0; i < clients.length; i++) {
            channels.closing(listener.accept());
        }
        for (SocketChannel each : clients) {
            each.configureBlocking(true);
            assertThat(each.finishConnect()).isTrue();
        }
    }
}
