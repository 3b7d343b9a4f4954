package org.panamaverbs.sockets.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.panamaverbs.sockets.stream.StreamSizes.CREDITS;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.sockets.rsocket.ConnectData;
import org.panamaverbs.sockets.rsocket.Message;

/** A stream that is served when the test says so, with a peer that speaks verbs. */
@Timeout(60)
class LiveStreamTest {
    private static final byte[] ONE_OCTET = {1, 0, 0, 0};
    private static final byte[] TWO_PAGES = {0, 32, 0, 0};
    private static final int PAGE_BYTES = 4096;
    private static final int PEER_RECEIVES = 8;
    private static final int PEER_SLOT = 3072;
    private static final byte MARK = 7;
    private static final byte[] END = {2, 0, 0, (byte) 0xe0};

    private final Deadline deadline = Deadline.in(30, TimeUnit.SECONDS);

    /** There are receives for more messages than there are credits: what comes beyond those is not dropped below. */
    @Test
    void messagesBeyondTheCreditsEndTheConnection() throws IOException {
        try (Resources scope = new Resources()) {
            Pair pair = pair(scope);
            for (int i = 0; i < CREDITS + 1; i++) {
                pair.send(ONE_OCTET);
            }
            pair.end();

            ByteBuffer target = ByteBuffer.allocate(2 * CREDITS);
            assertThat(pair.stream.read(target)).isEqualTo(CREDITS);
            assertThatThrownBy(() -> pair.stream.read(target))
                    .hasMessageContaining("more messages than its credits allow");
        }
    }

    /** As TCP has it: what came before a write failed can be read, and so can the end behind it. */
    @Test
    void aWriteThatFailsTakesNothingFromWhatHasCome() throws IOException {
        try (Resources scope = new Resources()) {
            Pair pair = pair(scope);
            pair.send(ONE_OCTET);
            pair.send(END);
            pair.end();

            pair.stream.shutdownOutput();
            pair.stream.takeSent();

            ByteBuffer target = ByteBuffer.allocate(2);
            assertThat(pair.stream.read(target)).isEqualTo(1);
            assertThat(pair.stream.read(target)).isEqualTo(-1);
        }
    }

    /** What is in steady use keeps its pages: each would be a fault again. */
    @Test
    void onlyAStreamThatRestsGivesPagesBack() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "nothing can be given back");
        try (Resources scope = new Resources()) {
            Pair pair = pair(scope);
            pair.parts.received.put(0, MARK);
            pair.send(TWO_PAGES);
            ByteBuffer target = ByteBuffer.allocate(2 * PAGE_BYTES);
            while (target.hasRemaining()) {
                pair.stream.read(target);
            }
            assertThat(pair.stream.isUsed()).isTrue();

            pair.stream.trim();
            assertThat(pair.parts.received.get(0)).as("it was used").isEqualTo(MARK);
            assertThat(pair.stream.isUsed()).isTrue();
            pair.send(ONE_OCTET);
            while (pair.stream.read(target.clear().limit(1)) == 0) {
                Thread.onSpinWait();
            }
            pair.stream.trim();
            assertThat(pair.parts.received.get(0)).as("it was used again").isEqualTo(MARK);

            pair.stream.trim();
            assertThat(pair.parts.received.get(0)).as("it has rested").isZero();
            assertThat(pair.stream.isUsed()).isFalse();
        }
    }

    private Pair pair(Resources scope) throws IOException {
        // What is shared with peers of this host is not given back.
        Verbs verbs = scope.add(Verbs.open(OpenConfig.provider("iwarp").with("shm.direct", "off")));
        ProtectionDomain domain = scope.add(verbs.protectionDomain());
        StreamParts parts = scope.add(new StreamParts(verbs, domain, StreamSizes.defaults()));
        Listener listener = scope.add(verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        CompletableFuture<Connection> accepted = CompletableFuture.supplyAsync(
                () -> listener.accept(deadline).accept(parts.queuePair, parts.config(false), deadline));
        RegisteredBuffer memory = scope.add(domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        long address = memory.iova();
        ConnectData offered =
                new ConnectData(false, 8, 0, address, memory.rkey(), 2, address + 1024, memory.rkey(), 1024);
        Connection peer = scope.add(verbs.connect(
                listener.localAddress(),
                QueuePairConfig.of(domain, scope.add(verbs.completionQueue(2 * CREDITS)))
                        .withDepth(CREDITS + 1, PEER_RECEIVES)
                        .withAccess(Access.REMOTE_WRITE),
                ConnectionConfig.defaults().withPrivateData(offered.encode()),
                deadline));
        for (int i = 0; i < PEER_RECEIVES; i++) {
            PostStatus.check(peer.queuePair().recv(i, memory, PEER_SLOT, Message.BYTES)); // what the stream grants
        }
        Connection connection = scope.add(accepted.join());
        return new Pair(peer, connection, parts, new LiveStream(parts, false, connection, offered));
    }

    private final class Pair {
        final LiveStream stream;
        private final Connection peer;
        private final Connection connection;
        private final StreamParts parts;

        Pair(Connection peer, Connection connection, StreamParts parts, LiveStream stream) {
            this.peer = peer;
            this.parts = parts;
            this.connection = connection;
            this.stream = stream;
        }

        void send(byte[] message) {
            MemorySegment octets = MemorySegment.ofArray(message);
            PostStatus.check(peer.queuePair().sendInline(0, octets, 0, Message.BYTES, SendFlag.NONE));
        }

        /** The peer ends the connection behind all that was sent. */
        void end() throws IOException {
            peer.disconnect(deadline);
            assertThat(connection.awaitDisconnect(deadline)).isTrue();
        }
    }
}
