package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.sockets.stream.StreamListener;

/** A peer that speaks verbs and not, or not well, the protocol: it ends its own connection, and no other. */
@Timeout(60)
class HostilePeerTest {
    private static final byte[] CONNECT_DATA = HexFormat.of()
            .parseHex("01020180" + "00000000" + "0000000000001000" + "00000001" + "00000002" + "0000000000002000"
                    + "00000001" + "00010000");

    private final Deadline deadline = Deadline.in(Duration.ofSeconds(30));
    private final Channels channels = new Channels("off");
    private final Resources scope = new Resources();
    private Verbs verbs;
    private QueuePairConfig config;
    private ProtectionDomain domain;
    private ServerSocketChannel listener;

    /** Two channels of the same device that the peer has nothing to do with. */
    private Channels.Pair others;

    @BeforeEach
    void open() throws IOException {
        others = channels.pair();
        listener = channels.listener();
        verbs = scope.add(Verbs.open(OpenConfig.provider("iwarp").with("shm", "off")));
        domain = scope.add(verbs.protectionDomain());
        config = QueuePairConfig.of(domain, scope.add(verbs.completionQueue(256)))
                .withAccess(Access.REMOTE_WRITE);
    }

    @AfterEach
    void close() throws IOException {
        scope.close();
        channels.close();
    }

    private Connection connect(byte[] privateData) throws IOException {
        return scope.add(verbs.connect(
                (InetSocketAddress) listener.getLocalAddress(),
                config,
                ConnectionConfig.defaults().withPrivateData(privateData),
                deadline));
    }

    /** Connects with a table and a buffer that are there, and receives for what it is granted. */
    private Connection connect() throws IOException {
        RegisteredBuffer memory = scope.add(domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        ByteBuffer data = ByteBuffer.wrap(CONNECT_DATA.clone());
        data.putLong(8, memory.iova()).putInt(16, memory.rkey());
        data.putLong(24, memory.iova() + 1024).putInt(32, memory.rkey()).putInt(36, 1024);
        QueuePair queuePair = scope.add(domain.queuePair(config));
        for (int i = 0; i < 8; i++) {
            PostStatus.check(queuePair.recv(i, memory, 2048 + 4L * i, 4));
        }
        return scope.add(verbs.connect(
                (InetSocketAddress) listener.getLocalAddress(),
                queuePair,
                ConnectionConfig.defaults().withPrivateData(data.array()),
                deadline));
    }

    private static void send(Connection connection, int... octets) {
        MemorySegment message = MemorySegment.ofArray(new byte[octets.length]);
        for (int i = 0; i < octets.length; i++) {
            message.set(ValueLayout.JAVA_BYTE, i, (byte) octets[i]);
        }
        PostStatus.check(connection.queuePair().sendInline(1, message, 0, octets.length, SendFlag.NONE));
    }

    private void assertDisconnected(SocketChannel channel, Connection peer, String reason) throws IOException {
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).hasMessageContaining(reason);
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).hasMessageContaining(reason);
        assertThat(peer.awaitDisconnect(deadline)).isTrue();
        assertOthersGoOn();
    }

    private void assertOthersGoOn() throws IOException {
        others.client().write(Channels.octets(1));
        assertThat(others.server().read(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    private void assertRejected(byte[] privateData) {
        assertThatThrownBy(() -> connect(privateData))
                .isInstanceOfSatisfying(
                        ConnectionException.class,
                        e -> assertThat(e.reason()).isEqualTo(ConnectionException.Reason.REJECTED));
    }

    /** Writes an entry into the server's table, behind that of the first buffer, and sends the message that says so. */
    private void grant(Connection peer, long address, int key, int bytes) {
        ByteBuffer said = ByteBuffer.wrap(peer.privateData());
        RegisteredBuffer entry = scope.add(domain.allocate(16, Access.LOCAL_WRITE));
        entry.segment().set(ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN), 0, address);
        entry.segment().set(ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN), 8, key);
        entry.segment().set(ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN), 12, bytes);
        PostStatus.check(peer.queuePair()
                .post(WorkRequest.of(SendOpcode.RDMA_WRITE)
                        .wrId(1)
                        .local(entry.checkedAddress(0, 16), 16, entry.lkey())
                        .remote(said.getLong(8) + 16, said.getInt(16))));
        send(peer, 0x80, 0x01, 0, 0x80); // the credits of before
    }

    @Test
    void theFirstThatIsNoRsocketIsTold() {
        List<String> told = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(StreamListener.class.getName());
        Filter before = logger.getFilter();
        logger.setFilter(line -> {
            told.add(line.getMessage());
            return true;
        });
        try {
            assertRejected(new byte[3]);
            assertRejected(new byte[3]);
        } finally {
            logger.setFilter(before);
        }
        assertThat(told).singleElement().asString().contains("rejected", "not an rsocket", "3 bytes", "remedy: ");
    }

    @Test
    void whoIsNoRsocketIsRejected() throws IOException {
        assertRejected(new byte[0]);
        assertRejected(Arrays.copyOf(CONNECT_DATA, CONNECT_DATA.length - 1));
        assertRejected(saying(0, 2)); // another version
        assertRejected(saying(2, 0, 0)); // no credits
        assertRejected(saying(23, 1)); // a table of one entry
        assertRejected(saying(37, 0)); // a first buffer of no bytes
        assertRejected(saying(30, 0)); // at no address
        listener.configureBlocking(false);
        assertThat(listener.accept()).isNull();
        assertOthersGoOn();
    }

    private static byte[] saying(int index, int... octets) {
        byte[] data = CONNECT_DATA.clone();
        for (int i = 0; i < octets.length; i++) {
            data[index + i] = (byte) octets[i];
        }
        return data;
    }

    @Test
    void aListenerThatIsNoRsocketRefuses() throws Exception {
        try (var other = verbs.listen(new InetSocketAddress("localhost", 0))) {
            var accepting = java.util.concurrent.CompletableFuture.supplyAsync(
                    () -> other.accept(deadline).accept(config, ConnectionConfig.defaults(), deadline));
            SocketChannel channel = channels.channel();
            assertThatThrownBy(() -> channel.connect(other.localAddress())).hasMessageContaining("not an rsocket");
            accepting.join().close();
        }
    }

    @Test
    void dataThatWereNeverGranted() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        send(peer, 0x01, 0x00, 0x02, 0x00); // 131,073 bytes
        assertDisconnected(channel, peer, "than fit in the buffer");
    }

    @Test
    void messagesOfAnotherLength() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        send(peer, 1, 0, 0);
        assertDisconnected(channel, peer, "a malformed message");
    }

    @Test
    void dataBehindItsEnd() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        send(peer, 2, 0, 0, 0xe0);
        send(peer, 1, 0, 0, 0);
        assertThat(peer.awaitDisconnect(deadline)).isTrue();
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).hasMessageContaining("after its end");
    }

    @Test
    void reservedMessages() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        send(peer, 3, 0, 0, 0x20);
        assertDisconnected(channel, peer, "reserved type");
    }

    @Test
    void mappingsThatItWasNotOffered() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        send(peer, 0, 0, 0, 0xc0);
        assertDisconnected(channel, peer, "was not offered");
    }

    @Test
    void mappingsOfNothing() throws IOException {
        listener = channels.closing(channels.provider().openServerSocketChannel())
                .setOption(RdmaSockets.IOMAP_SIZE, 1)
                .bind(new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0));
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        send(peer, 0, 0, 0, 0xc0);
        assertDisconnected(channel, peer, "a table entry");
    }

    @Test
    void limitsThatGoBack() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        send(peer, 0x7f, 0x01, 0, 0x80);
        assertDisconnected(channel, peer, "below the one granted");
    }

    @Test
    void buffersBeyondTheAddresses() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        grant(peer, -1024, 1, 1025);
        assertDisconnected(channel, peer, "with an invalid length or address");
    }

    @Test
    void buffersOfANegativeLength() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        grant(peer, 4096, 1, -1);
        assertDisconnected(channel, peer, "with an invalid length or address");
    }

    /** Who writes there is told so by the peer's adapter. */
    @Test
    void buffersThatItDoesNotHave() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        grant(peer, 4096, 1, 1024);
        assertThat(channel.write(ByteBuffer.allocate(1025))).isEqualTo(1025);
        assertThat(peer.awaitDisconnect(deadline)).isTrue();
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).hasMessageContaining("reset");
        assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).hasMessageContaining("Broken pipe");
        assertOthersGoOn();
    }

    @Test
    void controlsThatNobodyKnowsAreNoHarm() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        send(peer, 0x34, 0x12, 0, 0xe0);
        send(peer, 2, 0, 0, 0xe0);
        assertThat(channel.read(ByteBuffer.allocate(1))).as("its end").isEqualTo(-1);
        assertThat(channel.write(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    /** C's keepalive: a Write of nothing to nowhere, which the adapter answers and nobody else learns of. */
    @Test
    void askingForASignOfLifeIsNoHarm() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        int posted = peer.queuePair().post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(1));
        PostStatus.check(posted);
        send(peer, 2, 0, 0, 0xe0);
        assertThat(channel.read(ByteBuffer.allocate(1))).as("its end").isEqualTo(-1);
        assertThat(channel.write(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    @Test
    void entriesThatItDoesNotHaveEndWhoWritesThere() throws IOException {
        Connection peer = connect(CONNECT_DATA);
        SocketChannel channel = channels.closing(listener.accept());
        // Its table has a key that it does not know: the first grant breaks the connection at its side.
        assertThat(peer.awaitDisconnect(deadline)).isTrue();
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).hasMessageContaining("reset");
    }

    @Test
    void whoIsKilledResets() throws IOException {
        Connection peer = connect();
        SocketChannel channel = channels.closing(listener.accept());
        peer.close();
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).hasMessageContaining("reset");
    }

    @Test
    void whatCameBeforeItsResetIsScatteredFirst() throws IOException {
        Channels.Pair pair = channels.pair();
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0).write(Channels.octets(7));
        SocketChannel server = pair.server();
        server.configureBlocking(false);
        try (Selector selector = channels.provider().openSelector()) {
            server.register(selector, SelectionKey.OP_READ);
            assertThat(selector.select(30_000)).isOne();
        }
        pair.client().close();
        assertThatThrownBy(() -> {
                    while (!deadline.passed()) {
                        server.write(Channels.octets(1));
                    }
                })
                .isInstanceOf(IOException.class);
        ByteBuffer[] targets = {ByteBuffer.allocate(1), ByteBuffer.allocate(1)};
        assertThat(server.read(targets)).isOne();
        assertThat(targets[0].get(0)).isEqualTo((byte) 7);
        assertThatThrownBy(() -> server.read(targets)).hasMessageContaining("reset");
    }
}
