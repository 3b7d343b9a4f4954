package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.sockets.Channels.octets;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.iwarp.net.unix.Hint;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.SocketRules;
import org.panamaverbs.sockets.tcp.Ways;

/** Plain servers that never answer an MPA Request, and what is remembered of them. */
@Timeout(120)
class PlainPeersTest {
    private static final int MPA = 'M';

    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: some\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Shorter than any attempt over RDMA takes. */
    private static final String PATIENCE = "20";

    private final Channels channels;
    private @Nullable WaitingServer server;

    PlainPeersTest() {
        System.setProperty(RdmaSelectorProvider.PATIENCE_PROPERTY, PATIENCE);
        channels = new Channels(SocketRules.always(RdmaUse.AUTO));
    }

    @AfterEach
    void close() throws IOException {
        System.clearProperty(RdmaSelectorProvider.PATIENCE_PROPERTY);
        if (server != null) {
            server.end();
        }
        channels.close();
    }

    /** A server that waits for more bytes of whoever begins with an MPA Request, and echoes those of others. */
    private static final class WaitingServer implements AutoCloseable {
        private final ServerSocket listener;
        private final Thread accepting;
        private final List<Socket> open = new CopyOnWriteArrayList<>();
        private final List<Socket> plain = new CopyOnWriteArrayList<>();

        /** Connections that have come, of whatever kind. */
        private final AtomicInteger accepted = new AtomicInteger();

        WaitingServer() throws IOException {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            accepting = Thread.ofVirtual().start(this::accept);
        }

        InetSocketAddress address() {
            return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        }

        private void accept() {
            try {
                while (true) {
                    Socket peer = listener.accept();
                    open.add(peer);
                    accepted.incrementAndGet();
                    Thread.ofVirtual().start(() -> serve(peer));
                }
            } catch (IOException e) {
                // It was closed.
            }
        }

        private void serve(Socket peer) {
            try (peer) {
                int octet = peer.getInputStream().read();
                boolean mpa = octet == MPA;
                if (octet >= 0 && !mpa) {
                    plain.add(peer);
                }
                for (; octet >= 0; octet = peer.getInputStream().read()) {
                    if (!mpa) {
                        peer.getOutputStream().write(octet);
                    }
                }
            } catch (IOException e) {
                // The peer is gone.
            }
        }

        /**
         * Ends the listener and plain connections. Those by which it is asked for RDMA stay: whoever asks would ask
         * again at once, maybe the next listener of this port.
         */
        @Override
        public void close() throws IOException {
            listener.close();
            closeAll(plain);
            try {
                accepting.join(); // until then the port is not free
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Ends all connections, those of RDMA, too. */
        void end() throws IOException {
            close();
            closeAll(open);
        }

        private static void closeAll(List<Socket> sockets) throws IOException {
            for (Socket each : sockets) {
                each.close();
            }
        }
    }

    private WaitingServer server() throws IOException {
        server = new WaitingServer();
        return server;
    }

    private static void assertEcho(SocketChannel channel) throws IOException {
        channel.write(octets(7));
        ByteBuffer back = ByteBuffer.allocate(1);
        Channels.readFully(channel, back);
        assertThat(back.get(0)).isEqualTo((byte) 7);
    }

    private SocketChannel connected(InetSocketAddress address) throws IOException {
        SocketChannel channel = channels.channel();
        channel.connect(address);
        return channel;
    }

    /** Connects for the first time, and waits until the peer is asked in the background, too. */
    private void connectedFirst(WaitingServer plain) throws IOException {
        assertEcho(connected(plain.address()));
        // Over RDMA, plainly, and within five seconds over RDMA again. A busy host may give up the first
        // before it has a connection.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(8);
        await(() -> plain.accepted.get() >= 3 || System.nanoTime() - end > 0);
    }

    private static void await(BooleanSupplier done) {
        long begun = System.nanoTime();
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(60));
            Thread.yield();
        }
    }

    @Test
    void aPeerThatWaitsIsReachedWhileRdmaIsStillTried() throws IOException {
        WaitingServer plain = server();
        SocketChannel channel = connected(plain.address());
        assertThat(RdmaSockets.transport(channel)).isEmpty();
        assertEcho(channel);
    }

    /** Any program of this host can have the name by which an iwarp listener announces itself. */
    @Test
    void aNameThatAnotherProgramHasCostsLittleMoreThanThePatience() throws IOException {
        System.clearProperty(RdmaSelectorProvider.PATIENCE_PROPERTY);
        long best = Long.MAX_VALUE;
        try (Channels sharing = new Channels(OpenConfig.provider("iwarp"), SocketRules.always(RdmaUse.AUTO))) {
            for (int i = 0; i < 5; i++) {
                try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
                    String name = "panama-verbs/1/" + silent.getLocalPort() + "/127.0.0.1";
                    Hint foreign = Objects.requireNonNull(Hint.bind(UnixName.ofAbstract(name)));
                    try {
                        long begun = System.nanoTime();
                        SocketChannel channel = sharing.channel();
                        channel.connect(silent.getLocalSocketAddress());
                        best = Math.min(best, System.nanoTime() - begun);
                        assertThat(RdmaSockets.transport(channel)).isEmpty();
                    } finally {
                        foreign.close();
                    }
                }
            }
        }
        assertThat(best).isLessThan(TimeUnit.MILLISECONDS.toNanos(300));
    }

    @Test
    void aSelectorSeesTheRaceAsOneAttempt() throws IOException {
        WaitingServer plain = server();
        try (Selector selector = channels.provider().openSelector()) {
            SocketChannel channel = channels.channel();
            channel.configureBlocking(false);
            assertThat(channel.connect(plain.address())).isFalse();
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            while (!selector.selectedKeys().contains(key)) {
                selector.select();
            }
            assertThat(channel.finishConnect()).isTrue();
            key.cancel();
            selector.selectNow();
            channel.configureBlocking(true);
            assertEcho(channel);
        }
    }

    @Test
    void aPlainPeerIsAskedNoMore() throws IOException {
        WaitingServer plain = server();
        connectedFirst(plain);
        for (int i = 0; i < 20; i++) {
            assertEcho(connected(plain.address()));
        }
        assertThat(plain.accepted.get()).isLessThanOrEqualTo(3 + 20);
        assertThat(plain.plain).hasSize(1 + 20);
    }

    @Test
    void aChannelThatIsBoundIsConnectedFromThatAddress() throws IOException {
        WaitingServer plain = server();
        InetSocketAddress some = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0);
        SocketChannel channel = channels.channel();
        channel.bind(some);
        assertThat(((InetSocketAddress) channel.getLocalAddress()).getPort()).isPositive();
        channel.connect(plain.address());
        assertEcho(channel);
        assertThat(((InetSocketAddress) channel.getLocalAddress()).getAddress()).isEqualTo(some.getAddress());
    }

    @Test
    void aChannelKeepsItsPortTowardsAKnownPeer() throws IOException {
        WaitingServer plain = server();
        assertEcho(connected(plain.address()));
        SocketChannel channel = channels.channel();
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
        channel.connect(plain.address());
        assertEcho(channel);
        assertThat(channel.getLocalAddress()).isEqualTo(bound);
    }

    @Test
    void aPeerThatRefusesIsUnknownAgain() throws IOException {
        WaitingServer plain = server();
        connectedFirst(plain);
        plain.close();
        assertThatThrownBy(() -> connected(plain.address())).isInstanceOf(ConnectException.class);
        channels.closing(channels.provider().openServerSocketChannel()).bind(plain.address());
        assertGoesByRdma(plain.address());
    }

    @Test
    void aPeerThatResetsWithoutAnOctetIsUnknownAgain() throws IOException {
        WaitingServer plain = server();
        connectedFirst(plain);
        plain.close();
        channels.closing(channels.provider().openServerSocketChannel()).bind(plain.address());
        SocketChannel wrong = connected(plain.address());
        assertThat(RdmaSockets.transport(wrong)).isEmpty();
        assertThatThrownBy(() -> {
                    wrong.write(ByteBuffer.wrap(REQUEST));
                    if (wrong.read(ByteBuffer.allocate(1)) < 0) {
                        throw new SocketException("the end");
                    }
                })
                .isInstanceOf(IOException.class);
        assertGoesByRdma(plain.address());
    }

    @Test
    void aPeerThatEndsWithoutAnOctetIsUnknownAgain() throws IOException {
        WaitingServer plain = server();
        connectedFirst(plain);
        plain.close();
        InetSocketAddress address = plain.address();
        try (ServerSocket other = new ServerSocket(address.getPort(), 1, address.getAddress())) {
            SocketChannel channel = connected(address);
            try (Socket peer = other.accept()) {
                channel.write(octets(1));
                assertThat(peer.getInputStream().read()).isEqualTo(1);
            }
            // All was read, as by a listener of iWARP that turns a stranger away: the end, and no reset.
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        channels.closing(channels.provider().openServerSocketChannel()).bind(address);
        assertGoesByRdma(address);
    }

    /** Connects until that is over RDMA: a host that is busy may need more than the short patience here. */
    private void assertGoesByRdma(InetSocketAddress address) throws IOException {
        while (true) {
            SocketChannel channel = connected(address);
            if (RdmaSockets.transport(channel).isPresent()) {
                return;
            }
            try {
                channel.write(octets(1));
                channel.read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                // It was reset, and is unknown again.
            }
            channel.close();
        }
    }

    /** Forwards connections to a listener over RDMA, once it is open. */
    private static final class Gate implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Socket> sockets = new CopyOnWriteArrayList<>();
        private final AtomicInteger connections = new AtomicInteger();
        private volatile CountDownLatch open = new CountDownLatch(0);

        Gate(InetSocketAddress target) throws IOException {
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        Socket peer = listener.accept();
                        sockets.add(peer);
                        connections.incrementAndGet();
                        Thread.ofVirtual().start(() -> forward(peer, target));
                    }
                } catch (IOException e) {
                    // It was closed.
                }
            });
        }

        InetSocketAddress address() {
            return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        }

        private void forward(Socket peer, InetSocketAddress target) {
            try {
                open.await();
                Socket there = new Socket(target.getAddress(), target.getPort());
                sockets.add(there);
                Thread.ofVirtual().start(() -> pump(there, peer));
                pump(peer, there);
            } catch (IOException | InterruptedException e) {
                // One of them is gone.
            }
        }

        private static void pump(Socket from, Socket to) {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException e) {
                // One of them is gone.
            }
        }

        @Override
        public void close() throws IOException {
            open.countDown();
            listener.close();
            for (Socket each : sockets) {
                each.close();
            }
        }
    }

    @Test
    void aPeerThatAnsweredByRdmaHasMoreTimeThanThePatience() throws Exception {
        try (Gate gate = new Gate((InetSocketAddress) channels.listener().getLocalAddress())) {
            assertGoesByRdma(gate.address());
            gate.open = new CountDownLatch(1);
            int before = gate.connections.get();
            CompletableFuture<SocketChannel> slow = new CompletableFuture<>();
            Thread.ofPlatform().start(() -> {
                try {
                    slow.complete(connected(gate.address()));
                } catch (IOException e) {
                    slow.completeExceptionally(e);
                }
            });
            await(() -> gate.connections.get() > before);
            connected(server().address()); // takes the patience, as nothing is known of that peer
            assertThat(gate.connections.get()).as("nothing plain").isEqualTo(before + 1);
            gate.open.countDown();
            assertThat(RdmaSockets.transport(slow.get(60, TimeUnit.SECONDS))).isPresent();
        }
    }

    @Test
    void theLogNamesAPeerAndTheReasonOnce() throws IOException {
        WaitingServer plain = server();
        List<String> lines = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(Ways.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLevel().equals(Level.INFO)) {
                    lines.add(line.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            for (int i = 0; i < 5; i++) {
                assertEcho(connected(plain.address()));
            }
        } finally {
            logger.removeHandler(handler);
        }
        await(() -> !lines.isEmpty()); // it is logged when the connection stands
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst())
                .contains("plain TCP to " + plain.address(), "no answer within", "connect 127.0.0.1", "require");
    }

    @Test
    void aLogThatWaitsForTheConnectionDelaysNobody() throws Exception {
        WaitingServer plain = server();
        CountDownLatch connected = new CountDownLatch(1);
        CompletableFuture<Boolean> inTime = new CompletableFuture<>();
        Logger logger = Logger.getLogger(Ways.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                try {
                    inTime.complete(connected.await(5, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    inTime.completeExceptionally(e);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            assertEcho(connected(plain.address()));
            connected.countDown();
            assertThat(inTime.get(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            logger.removeHandler(handler);
        }
    }
}
