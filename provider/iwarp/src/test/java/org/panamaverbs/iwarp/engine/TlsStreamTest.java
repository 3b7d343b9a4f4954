package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.iwarp.TestCertificates;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.network.Relay;
import org.panamaverbs.testkit.network.Relay.Pace;
import org.panamaverbs.testkit.network.Relay.Way;

/** Streams under TLS whose wire cuts records into pieces, ends, or brings what no peer sends. */
@Timeout(120)
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class TlsStreamTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final ListenerConfig LISTENING =
            ListenerConfig.defaults().withTls(TlsConfig.of(TestCertificates.context(TestCertificates.SERVER)));
    private static final ConnectionConfig CONNECTING =
            ConnectionConfig.defaults().withTls(TlsConfig.of(TestCertificates.context(null)));

    private static final VarHandle BYTES = ValueLayout.JAVA_BYTE.varHandle();

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable resource : open.reversed()) {
            resource.close();
        }
    }

    private <T extends AutoCloseable> T closing(T resource) {
        open.add(resource);
        return resource;
    }

    /** The two ends of one connection. */
    private record Ends(Peer client, Peer server, Connection ours, Connection theirs, Relay relay) {}

    private Ends connect(int chunk, String... options) throws Exception {
        Peer client = closing(new Peer(4096, options));
        Peer server = closing(new Peer(4096, options));
        try (Listener listener = server.verbs.listen(ANY_PORT, LISTENING)) {
            Way inPieces = Way.at(Pace.pieces(chunk));
            Relay relay = closing(new Relay(listener.localAddress(), inPieces, inPieces));
            Background<Connection> accepted = Background.start(() ->
                    listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
            Connection ours = closing(client.verbs.connect(relay.address(), client.config(), CONNECTING, Peer.soon()));
            return new Ends(client, server, ours, closing(accepted.get()), relay);
        }
    }

    @ParameterizedTest
    @CsvSource({"5, background", "7, spin", "1000, background"})
    void smallPiecesLoseNothing(int chunk, String progress) throws Exception {
        Ends ends = connect(chunk, "progress=" + progress);
        byte[] data = new byte[10_000];
        new Random(chunk).nextBytes(data);
        ends.client.buffer.segment().asSlice(0, data.length).copyFrom(MemorySegment.ofArray(data));
        ends.theirs.queuePair().recv(1, ends.server.buffer, 20_000, 10_000);
        RemoteBuffer remote = Peer.remote(ends.server);
        QueuePair queuePair = ends.ours.queuePair();

        queuePair.write(2, ends.client.buffer, 0, data.length, remote, 0, SIGNALED);
        queuePair.send(3, ends.client.buffer, 0, data.length, SIGNALED);
        Background<Long> received = Background.start(() -> ends.server.nextOk().wrId());
        assertThat(ends.client.nextOk().wrId()).isEqualTo(2);
        assertThat(ends.client.nextOk().wrId()).isEqualTo(3);
        assertThat(received.get()).isEqualTo(1);
        Background<Boolean> down = Background.start(() -> ends.theirs.awaitDisconnect(Peer.soon()));
        ends.ours.disconnect(Peer.soon());

        assertThat(down.get()).isTrue();
        assertThat(ends.theirs.terminateCause()).isEmpty();
        assertThat(octets(ends.server, 0)).isEqualTo(data);
        assertThat(octets(ends.server, 20_000)).isEqualTo(data);
    }

    private static byte[] octets(Peer peer, long offset) {
        return peer.buffer.segment().asSlice(offset, 10_000).toArray(ValueLayout.JAVA_BYTE);
    }

    // The socket is read far ahead of what is placed at a time, and nothing more comes by it.
    @ParameterizedTest
    @ValueSource(ints = {100, 1300, 1400, 1450, 2000, 2400})
    void placesAllThatIsThereThoughNobodyPolls(int writes) throws Exception {
        Ends ends = connect(60_000, "probe=off");
        RemoteBuffer remote = Peer.remote(ends.server);
        QueuePair queuePair = ends.ours.queuePair();
        MemorySegment source = ends.client.buffer.segment();
        MemorySegment sink = ends.server.buffer.segment();
        source.fill((byte) 1);
        queuePair.write(0, ends.client.buffer, 0, 1, remote, writes, SIGNALED);
        ends.client.nextOk();
        awaitOne(sink, writes);

        ends.relay.hold();
        // Each in a record of its own.
        for (int i = 0; i < writes; i++) {
            queuePair.write(i, ends.client.buffer, 0, 1, remote, i, SIGNALED);
            ends.client.nextOk();
        }
        for (long i = 0; ends.relay.heldBytes() < writes * 40; i++) {
            TlsLink.bound(i);
        }
        ends.relay.release();

        awaitOne(sink, writes - 1);
    }

    private static void awaitOne(MemorySegment sink, long offset) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while ((byte) BYTES.getVolatile(sink, offset) != 1) {
            assertThat(System.nanoTime() - end).as("nanoseconds too long").isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    @Requirement("MPA-8-1-01")
    void cutOffIsALostConnection() throws Exception {
        Ends ends = connect(60_000);

        ends.relay.endBoth();
        assertThat(ends.theirs.awaitDisconnect(Peer.soon())).isTrue();
        assertThat(ends.ours.awaitDisconnect(Peer.soon())).isTrue();

        for (Connection end : List.of(ends.ours, ends.theirs)) {
            TerminateCause cause = end.terminateCause().orElseThrow();
            assertThat(cause.reason()).isEqualTo(TerminateReason.MPA_CONNECTION_LOST);
            assertThat(cause.detail()).contains("close_notify");
        }
    }

    @Test
    void garbageKeepsNobodyOut() throws Exception {
        try (Listener listener = closing(new Peer()).verbs.listen(ANY_PORT, LISTENING)) {
            for (int i = 0; i < 20; i++) {
                try (Socket hostile = new Socket(
                        listener.localAddress().getAddress(),
                        listener.localAddress().getPort())) {
                    byte[] garbage = new byte[1 + i * 50];
                    new Random(i).nextBytes(garbage);
                    garbage[0] = i % 2 == 0 ? 0x16 : garbage[0];
                    hostile.getOutputStream().write(garbage);
                    hostile.shutdownOutput();
                    hostile.setSoTimeout(20_000);
                    readToEnd(hostile);
                }
            }
            assertServes(listener);
        }
    }

    @Test
    @Requirement("SEC-6.4.2-01")
    void peersThatStallInTlsKeepNobodyOut() throws Exception {
        Peer server = closing(new Peer("handshake.timeout=300s", "max.half.open=4"));
        try (Listener listener = server.verbs.listen(ANY_PORT, LISTENING)) {
            for (int i = 0; i < 8; i++) {
                Socket stalling = closing(new Socket(
                        listener.localAddress().getAddress(),
                        listener.localAddress().getPort()));
                stalling.getOutputStream().write(new byte[] {0x16, 0x03, 0x01, 0x02, 0x00, 0x01});
            }
            assertServes(listener);
        }
    }

    private static void readToEnd(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // An alert, maybe.
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    private void assertServes(Listener listener) throws Exception {
        Peer client = closing(new Peer());
        Background<ConnectionConfig> answered = Background.start(() -> {
            listener.accept(Peer.soon()).reject(new byte[] {7});
            return ConnectionConfig.defaults();
        });
        assertThatThrownBy(
                        () -> client.verbs.connect(listener.localAddress(), client.config(), CONNECTING, Peer.soon()))
                .hasMessageContaining("rejected");
        answered.get();
    }
}
