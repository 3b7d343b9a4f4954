package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Peers in processes of their own that are killed (-9), or end one direction: what those see who read, write and
 * select.
 */
@Timeout(100)
@ParameterizedClass
@EnumSource(names = {"RDMA_BY_SHARED_MEMORY", "RDMA_OVER_TCP"})
class KilledPeerTest {
    private final Channels.Way way;
    private final Channels channels;
    private final List<Process> started = new ArrayList<>();

    KilledPeerTest(Channels.Way way) {
        this.way = way;
        channels = new Channels(way);
    }

    /** A peer, and the channel to it. */
    private record Connected(Process process, SocketChannel channel) {
        void kill() throws InterruptedException {
            assertThat(process.destroyForcibly().waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Sends a byte, ends its output if it is told to, and sends back what it reads. */
    static final class Peer {
        private Peer() {}

        public static void main(String[] arguments) throws IOException {
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            try (SocketChannel client = SocketChannel.open(server)) {
                client.write(Channels.octets(1));
                if (arguments[1].equals("half")) {
                    client.shutdownOutput();
                }
                ByteBuffer octets = ByteBuffer.allocate(100);
                while (client.read(octets.clear()) >= 0) {
                    System.out.println("read " + octets.position());
                    if (!arguments[1].equals("half")) {
                        client.write(octets.flip());
                    }
                }
            }
        }
    }

    @AfterEach
    void close() throws IOException {
        started.forEach(Process::destroyForcibly);
        channels.close();
    }

    private Connected connect(String how) throws Exception {
        ServerSocketChannel listener = channels.listener();
        String port = String.valueOf(((InetSocketAddress) listener.getLocalAddress()).getPort());
        String shm = way == Channels.Way.RDMA_OVER_TCP ? "off" : "auto";
        Process process = ChildProcess.start(
                Peer.class,
                List.of(
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                        "-Dverbs.sockets.rules=require",
                        "-Dverbs.iwarp.shm=" + shm),
                port,
                how);
        started.add(process);
        SocketChannel channel = channels.closing(listener.accept());
        Channels.readFully(channel, ByteBuffer.allocate(1));
        return new Connected(process, channel);
    }

    @Test
    void whoReadsLearnsOfIt() throws Exception {
        Connected peer = connect("");
        SocketChannel channel = peer.channel();
        CompletableFuture<Integer> reading = CompletableFuture.supplyAsync(() -> readQuietly(channel));
        peer.kill();
        assertThatThrownBy(() -> reading.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("Connection reset");
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).hasMessage("Connection reset");
        assertThatThrownBy(() -> channel.write(Channels.octets(1))).hasMessage("Broken pipe");
    }

    private static int readQuietly(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whoWritesLearnsOfIt() throws Exception {
        Connected peer = connect("half");
        SocketChannel channel = peer.channel();
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> writeQuietly(channel));
        peer.kill();
        assertThatThrownBy(() -> writing.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("Broken pipe");
        assertThat(channel.read(ByteBuffer.allocate(1)))
                .as("its end was in order")
                .isEqualTo(-1);
    }

    private static void writeQuietly(SocketChannel channel) {
        try {
            while (true) {
                channel.write(ByteBuffer.allocate(1_000));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whoSelectsLearnsOfItAndOthersGoOn() throws Exception {
        Channels.Pair others = channels.pair();
        Connected peer = connect("");
        SocketChannel channel = peer.channel();
        channel.configureBlocking(false);
        try (Selector selector = channels.provider().openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            peer.kill();
            assertThat(selector.select(60_000)).isEqualTo(1);
            assertThat(key.isReadable()).isTrue();
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).hasMessage("Connection reset");
        }
        others.client().write(Channels.octets(7));
        ByteBuffer octet = ByteBuffer.allocate(1);
        Channels.readFully(others.server(), octet);
        assertThat(octet.get(0)).isEqualTo((byte) 7);
    }

    @Test
    void whoEndsOneDirectionGetsTheOther() throws Exception {
        Connected peer = connect("half");
        SocketChannel channel = peer.channel();
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        channel.write(Channels.octets(1, 2, 3));
        channel.shutdownOutput();
        String said = new String(peer.process().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).contains("read 3\n");
        assertThat(peer.process().waitFor()).isZero();
    }
}
