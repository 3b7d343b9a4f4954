package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.sockets.rsocket.ConnectData;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.SocketRules;

/** Servers that speak RDMA, and need longer than the patience to accept: they are reached over RDMA all the same. */
@Timeout(120)
class SlowPeersTest {
    private static final byte[] CONNECT_DATA = HexFormat.of()
            .parseHex("01020180" + "00000000" + "0000000000001000" + "00000001" + "00000002" + "0000000000002000"
                    + "00000001" + "40000000");
    private static final int REQUEST_BYTES = 20 + CONNECT_DATA.length;
    private static final int REJECT = 0x20;

    @BeforeEach
    void shortPatience() {
        System.setProperty(RdmaSelectorProvider.PATIENCE_PROPERTY, "40");
    }

    @AfterEach
    void close() {
        System.clearProperty(RdmaSelectorProvider.PATIENCE_PROPERTY);
    }

    private static Channels channels(OpenConfig device) {
        return new Channels(device, SocketRules.always(RdmaUse.AUTO));
    }

    private static CompletableFuture<SocketChannel> connecting(Channels channels, InetSocketAddress address) {
        CompletableFuture<SocketChannel> connected = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                SocketChannel channel = channels.channel();
                channel.connect(address);
                connected.complete(channel);
            } catch (IOException | RuntimeException e) {
                connected.completeExceptionally(e);
            }
        });
        return connected;
    }

    /** Returns when a peer that was asked before has had the patience and more: another one, that is plain, had it. */
    private static void awaitPatience(Channels channels) throws IOException {
        for (int i = 0; i < 3; i++) {
            try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
                SocketChannel channel = channels.channel();
                channel.connect(silent.getLocalSocketAddress());
                assertThat(RdmaSockets.transport(channel)).isEmpty();
            }
        }
    }

    private static void connectsOverRdmaTo(String shm) throws Exception {
        try (SlowServer server = new SlowServer(shm);
                Channels channels = channels(OpenConfig.provider("iwarp").with("shm", shm))) {
            CompletableFuture<SocketChannel> connecting = connecting(channels, server.address());
            ConnectionRequest request = server.await();
            awaitPatience(channels);
            assertThat(connecting).isNotDone();
            server.accept(request);
            assertThat(RdmaSockets.transport(connecting.get(60, TimeUnit.SECONDS)))
                    .isPresent();
        }
    }

    /** A server over RDMA whose program accepts when it is told to. */
    private static final class SlowServer implements AutoCloseable {
        private final Resources scope = new Resources();
        private final Deadline deadline = Deadline.in(Duration.ofSeconds(60));
        private final Verbs verbs;
        private final Listener listener;

        SlowServer(String shm) {
            verbs = scope.add(Verbs.open(
                    OpenConfig.provider("iwarp").with("shm", shm).with("reply.begin", ConnectData.TAKES_PIECES)));
            listener = scope.add(verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        }

        InetSocketAddress address() {
            return listener.localAddress();
        }

        ConnectionRequest await() {
            return scope.add(listener.accept(deadline));
        }

        void accept(ConnectionRequest request) {
            QueuePairConfig config =
                    QueuePairConfig.of(scope.add(verbs.protectionDomain()), scope.add(verbs.completionQueue(16)));
            scope.add(request.accept(config, ConnectionConfig.defaults().withPrivateData(CONNECT_DATA), deadline));
        }

        @Override
        public void close() {
            scope.close();
        }
    }

    @Test
    void aServerThatAcceptsLateIsReachedOverRdma() throws Exception {
        connectsOverRdmaTo("off");
    }

    @Test
    void aServerOnThisHostIsKnownBeforeItAnswers() throws Exception {
        connectsOverRdmaTo("auto");
    }

    /** A server of plain sockets that begins its answer, and ends it when it is told to. */
    private static final class Half implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final CompletableFuture<Socket> begun = new CompletableFuture<>();

        Half() throws IOException {
            // Time for it to begin, also on a busy host.
            System.setProperty(RdmaSelectorProvider.PATIENCE_PROPERTY, "1000");
            Thread.ofVirtual().start(() -> {
                try {
                    Socket peer = listener.accept();
                    peer.getInputStream().readNBytes(REQUEST_BYTES);
                    peer.getOutputStream().write("MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII));
                    begun.complete(peer);
                } catch (IOException e) {
                    begun.completeExceptionally(e);
                }
            });
        }

        InetSocketAddress address() {
            return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        }

        void end(int flags) throws Exception {
            byte[] rest = new byte[4 + CONNECT_DATA.length];
            rest[0] = (byte) flags;
            rest[1] = 1;
            rest[3] = (byte) CONNECT_DATA.length;
            System.arraycopy(CONNECT_DATA, 0, rest, 4, CONNECT_DATA.length);
            begun.get(60, TimeUnit.SECONDS).getOutputStream().write(rest);
        }

        @Override
        public void close() throws IOException {
            listener.close();
            begun.join().close();
        }
    }

    @Test
    void aServerThatHasBegunItsAnswerIsAwaited() throws Exception {
        try (Half server = new Half();
                Channels channels = channels(OpenConfig.provider("iwarp").with("shm", "off"))) {
            CompletableFuture<SocketChannel> connecting = connecting(channels, server.address());
            server.begun.get(60, TimeUnit.SECONDS);
            awaitPatience(channels);
            assertThat(connecting).isNotDone();
            server.end(0);
            assertThat(RdmaSockets.transport(connecting.get(60, TimeUnit.SECONDS)))
                    .isPresent();
        }
    }

    @Test
    void noPlainConnectionFollowsTheRefusalOfAServerThatSpeaksRdma() throws Exception {
        try (Half server = new Half();
                Channels channels = channels(OpenConfig.provider("iwarp").with("shm", "off"))) {
            CompletableFuture<SocketChannel> connecting = connecting(channels, server.address());
            server.end(REJECT);
            assertThatThrownBy(() -> connecting.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(ConnectException.class);
        }
    }
}
