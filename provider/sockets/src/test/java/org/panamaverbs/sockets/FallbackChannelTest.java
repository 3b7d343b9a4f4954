package org.panamaverbs.sockets;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static java.nio.channels.SelectionKey.OP_CONNECT;
import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.sockets.Channels.octets;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.SocketRules;

/** Channels that become RDMA's or TCP's by rules, with peers of both kinds. */
@Timeout(120)
class FallbackChannelTest {
    /** Longer than any attempt takes here. */
    private static final String LONG_PATIENCE = "100000";

    private @Nullable Channels channels;
    private @Nullable PlainServer server;

    @AfterEach
    void close() throws IOException {
        System.clearProperty(RdmaSelectorProvider.PATIENCE_PROPERTY);
        if (channels != null) {
            channels.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private Channels channels(RdmaUse use, String patience) {
        System.setProperty(RdmaSelectorProvider.PATIENCE_PROPERTY, patience);
        // By a rule, as channels of rules without any but off are the JDK's from the beginning.
        channels = new Channels(SocketRules.parse(List.of("* * * " + use.name().toLowerCase(Locale.ROOT)), "the test"));
        return channels;
    }

    private Channels channels(RdmaUse use) {
        return channels(use, LONG_PATIENCE);
    }

    private PlainServer server(PlainServer.Manner manner) throws IOException {
        server = new PlainServer(manner);
        return server;
    }

    private static int echoed(SocketChannel channel, int octet) throws IOException {
        channel.write(octets(octet));
        ByteBuffer back = ByteBuffer.allocate(1);
        Channels.readFully(channel, back);
        return back.get(0);
    }

    /** Selects until {@code key} is ready for {@code ops}. */
    private static void await(Selector selector, SelectionKey key, int ops) throws IOException {
        key.interestOps(ops);
        do {
            selector.selectedKeys().clear();
            selector.select();
        } while (!selector.selectedKeys().contains(key) || (key.readyOps() & ops) != ops);
    }

    private static boolean isRdma(SocketChannel channel) {
        return RdmaSockets.transport(channel).isPresent();
    }

    @Test
    void autoGoesByRdmaWhereThePeerHasIt() throws IOException {
        Channels ours = channels(RdmaUse.AUTO);
        Channels.Pair pair = ours.pair();
        assertThat(isRdma(pair.client())).isTrue();
        assertThat(isRdma(pair.server())).isTrue();
        pair.client().write(octets(1, 2));
        ByteBuffer target = ByteBuffer.allocate(2);
        Channels.readFully(pair.server(), target);
        assertThat(target.flip()).isEqualTo(octets(1, 2));
        assertThat(pair.client().getRemoteAddress()).isEqualTo(pair.server().getLocalAddress());
    }

    @Test
    void autoGoesByTcpWhereThePeerAnswersWhatIsNotMpa() throws IOException {
        PlainServer plain = server(PlainServer.Manner.ECHO);
        SocketChannel channel = channels(RdmaUse.AUTO).channel();
        assertThat(channel.connect(plain.address())).isTrue();
        assertThat(isRdma(channel)).isFalse();
        assertThat(RdmaSockets.statistics(channel)).isEmpty();
        assertThat(echoed(channel, 7)).isEqualTo(7);
    }

    @Test
    void autoGoesByTcpWhereThePeerTurnsStrangersAway() throws IOException {
        PlainServer plain = server(PlainServer.Manner.CLOSE_ON_MPA);
        SocketChannel channel = channels(RdmaUse.AUTO).channel();
        channel.connect(plain.address());
        assertThat(echoed(channel, 7)).isEqualTo(7);
        assertThat(channel.getRemoteAddress()).isEqualTo(plain.address());
        assertThat(channel.shutdownOutput().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void aSelectorSeesOneAttemptAndNoneBeforeItsEnd() throws IOException {
        PlainServer plain = server(PlainServer.Manner.CLOSE_ON_MPA);
        Channels ours = channels(RdmaUse.AUTO);
        try (Selector selector = ours.provider().openSelector()) {
            SocketChannel channel = ours.channel();
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, 0);
            assertThatThrownBy(channel::finishConnect).isInstanceOf(NoConnectionPendingException.class);
            assertThat(channel.connect(plain.address())).isFalse();
            assertThat(channel.isConnectionPending()).isTrue();
            assertThatThrownBy(() -> channel.connect(plain.address())).isInstanceOf(ConnectionPendingException.class);
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isInstanceOf(NotYetConnectedException.class);
            await(selector, key, OP_CONNECT);
            // Netty takes false for a defect.
            assertThat(channel.finishConnect()).isTrue();
            assertThat(channel.isConnected()).isTrue();
            await(selector, key, OP_WRITE);
            channel.write(octets(9));
            await(selector, key, OP_READ);
            ByteBuffer back = ByteBuffer.allocate(2);
            assertThat(channel.read(back)).isEqualTo(1);
            assertThat(back.get(0)).isEqualTo((byte) 9);
            assertThat(channel.read(back)).isZero();
            assertThatThrownBy(() -> channel.connect(plain.address())).isInstanceOf(AlreadyConnectedException.class);
            channel.close();
            selector.selectNow();
            assertThat(selector.keys()).isEmpty();
        }
    }

    @Test
    void whoFinishesWithoutASelectorFallsBack() throws IOException {
        PlainServer plain = server(PlainServer.Manner.CLOSE_ON_MPA);
        SocketChannel channel = channels(RdmaUse.AUTO).channel();
        channel.configureBlocking(false);
        channel.connect(plain.address());
        while (!channel.finishConnect()) {
            Thread.onSpinWait();
        }
        channel.configureBlocking(true);
        assertThat(echoed(channel, 5)).isEqualTo(5);
    }

    @Test
    void autoGoesByTcpWhereThePeerIsSilentForTooLong() throws IOException {
        PlainServer plain = server(PlainServer.Manner.SILENT_ON_MPA);
        Channels ours = channels(RdmaUse.AUTO, "50");
        try (Selector selector = ours.provider().openSelector()) {
            SocketChannel channel = ours.channel();
            channel.configureBlocking(false);
            channel.connect(plain.address());
            SelectionKey key = channel.register(selector, OP_CONNECT);
            await(selector, key, OP_CONNECT);
            assertThat(channel.finishConnect()).isTrue();
            key.cancel();
            selector.selectNow();
            channel.configureBlocking(true);
            assertThat(echoed(channel, 3)).isEqualTo(3);
        }
    }

    @Test
    void requireIsRefusedByAPlainServer() throws IOException {
        PlainServer plain = server(PlainServer.Manner.CLOSE_ON_MPA);
        SocketChannel channel = channels(RdmaUse.REQUIRE).channel();
        assertThatThrownBy(() -> channel.connect(plain.address())).isInstanceOf(IOException.class);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void nobodyListeningIsRefusedAsByTcp() throws IOException {
        PlainServer gone = server(PlainServer.Manner.ECHO);
        gone.close();
        Channels ours = channels(RdmaUse.AUTO);
        SocketChannel channel = ours.channel();
        assertThatThrownBy(() -> channel.connect(gone.address())).isInstanceOf(ConnectException.class);
        assertThat(channel.isOpen()).isFalse();
        try (Selector selector = ours.provider().openSelector()) {
            SocketChannel selected = ours.channel();
            selected.configureBlocking(false);
            SelectionKey key = selected.register(selector, OP_CONNECT);
            selected.connect(gone.address());
            await(selector, key, OP_CONNECT);
            assertThatThrownBy(selected::finishConnect).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void offIsPlainTcpOnBothSides() throws IOException {
        Channels ours = channels(RdmaUse.OFF);
        Channels.Pair pair = ours.pair();
        assertThat(isRdma(pair.client())).isFalse();
        assertThat(isRdma(pair.server())).isFalse();
        pair.server().write(octets(4));
        ByteBuffer target = ByteBuffer.allocate(1);
        Channels.readFully(pair.client(), target);
        assertThat(target.get(0)).isEqualTo((byte) 4);
    }

    @Test
    void aPlainClientIsTurnedAwayByAnIwarpListener() throws IOException {
        ServerSocketChannel listener = channels(RdmaUse.AUTO).listener();
        try (SocketChannel plain = SocketChannel.open(listener.getLocalAddress())) {
            plain.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
            assertThat(endOf(plain)).isTrue();
        }
        listener.configureBlocking(false);
        assertThat(listener.accept()).isNull();
    }

    /** Tells whether nothing is read before the end, or a reset. */
    private static boolean endOf(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void aListenerOfEitherKindIsSelected() throws IOException {
        for (RdmaUse use : List.of(RdmaUse.OFF, RdmaUse.AUTO)) {
            Channels ours = channels(use);
            try (Selector selector = ours.provider().openSelector()) {
                ServerSocketChannel listener = ours.closing(ours.provider().openServerSocketChannel());
                listener.configureBlocking(false);
                SelectionKey key = listener.register(selector, OP_ACCEPT);
                listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                assertThat(listener.accept()).isNull();
                CompletableFuture<SocketChannel> client =
                        CompletableFuture.supplyAsync(() -> connected(ours, listener));
                await(selector, key, OP_ACCEPT);
                SocketChannel accepted = ours.closing(listener.accept());
                assertThat(isRdma(accepted)).isEqualTo(use != RdmaUse.OFF);
                accepted.configureBlocking(false);
                SelectionKey reading = accepted.register(selector, 0);
                client.join().write(octets(1));
                await(selector, reading, OP_READ);
            }
            ours.close();
        }
        channels = null;
    }

    private static SocketChannel connected(Channels ours, ServerSocketChannel listener) {
        try {
            SocketChannel client = ours.channel();
            client.connect(listener.getLocalAddress());
            return client;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void whatWasSetBeforeIsGivenToTcp() throws IOException {
        PlainServer plain = server(PlainServer.Manner.CLOSE_ON_MPA);
        SocketChannel channel = channels(RdmaUse.AUTO).channel();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true).setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel.connect(plain.address());
        assertThat(channel.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
        assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
        assertThat(channel.supportedOptions()).contains(StandardSocketOptions.IP_TOS);
        assertThat(((InetSocketAddress) channel.getLocalAddress()).getPort()).isPositive();
    }

    @Test
    void theSocketOfAChannelThatIsTcpReadsInTime() throws IOException {
        PlainServer plain = server(PlainServer.Manner.CLOSE_ON_MPA);
        Socket socket = channels(RdmaUse.AUTO).channel().socket();
        socket.setTcpNoDelay(true);
        socket.connect(plain.address(), 60_000);
        assertThat(socket.isConnected()).isTrue();
        assertThat(socket.getPort()).isEqualTo(plain.address().getPort());
        socket.setSoTimeout(10);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(0);
        socket.getOutputStream().write(8);
        assertThat(socket.getInputStream().read()).isEqualTo(8);
        assertThat(socket.getTcpNoDelay()).isTrue();
        socket.close();
        assertThatThrownBy(socket::getTcpNoDelay).hasMessage("Socket is closed");
    }

    @Test
    void aTimeoutShorterThanThePatienceLeavesTimeForTcp() throws IOException {
        PlainServer plain = server(PlainServer.Manner.SILENT_ON_MPA);
        SocketChannel channel = channels(RdmaUse.AUTO).channel();
        channel.socket().connect(plain.address(), 8_000);
        assertThat(isRdma(channel)).isFalse();
        assertThat(echoed(channel, 7)).isEqualTo(7);
    }

    @Test
    void anInterruptOfAReadClosesTheChannel() throws Exception {
        for (RdmaUse use : List.of(RdmaUse.OFF, RdmaUse.REQUIRE)) {
            Channels ours = channels(use);
            SocketChannel client = ours.pair().client();
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread reader = Thread.ofPlatform().start(() -> failure.complete(failureOfRead(client)));
            reader.interrupt();
            assertThat(failure.get(60, TimeUnit.SECONDS)).isInstanceOf(ClosedByInterruptException.class);
            assertThat(client.isOpen()).isFalse();
            ours.close();
        }
        channels = null;
    }

    @Test
    void aCloseEndsARead() throws Exception {
        PlainServer plain = server(PlainServer.Manner.CLOSE_ON_MPA);
        SocketChannel client = channels(RdmaUse.AUTO).channel();
        client.connect(plain.address());
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> failure.complete(failureOfRead(client)));
        client.close();
        // The read had begun, or not.
        assertThat(failure.get(60, TimeUnit.SECONDS)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> client.write(octets(1)))
                .isInstanceOf(ClosedChannelException.class)
                .isNotInstanceOf(AsynchronousCloseException.class);
    }

    private static @Nullable Throwable failureOfRead(SocketChannel channel) {
        try {
            channel.read(ByteBuffer.allocate(1));
            return null;
        } catch (IOException e) {
            return e;
        }
    }
}
