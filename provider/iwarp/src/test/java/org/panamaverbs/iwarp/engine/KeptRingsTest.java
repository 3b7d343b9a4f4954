package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.shm.RingLayout;
import org.panamaverbs.iwarp.shm.RingPair;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/** Rings that outlive their connection for the next one: who gets them, who does not, and that nothing is left. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class KeptRingsTest {
    private static final ShmOffer KEPT = new ShmOffer(
            ShmOffer.VERSION, ShmOffer.KEPT, OfferingPeer.TOKEN, octets("000102030405060708090a0b0c0d0e0f"));
    private static final ShmOffer OTHER = new ShmOffer(
            ShmOffer.VERSION,
            ShmOffer.ABSTRACT,
            octets("%032x".formatted(1_000_000 + ProcessHandle.current().pid())),
            octets("aaaabbbbccccddddeeeeffff00001111"));

    private static Octets octets(String text) {
        return Octets.of(HexFormat.of().parseHex(text));
    }

    private static List<String> leftovers() {
        try {
            return SharedMemoryProcessTest.leftovers();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void closeConnections(Peer first, Peer second) {
        for (Peer each : List.of(first, second)) {
            each.connection().close();
            each.connection().queuePair().close();
        }
    }

    private static void exchange(Peer from, Peer to, int value) {
        from.buffer.segment().set(ValueLayout.JAVA_INT, 0, value);
        to.queuePair().recv(7, to.buffer, 64, 4096);
        from.queuePair().send(8, from.buffer, 0, 4096, SIGNALED);
        from.nextOk();
        to.nextOk();
        assertThat(to.buffer.segment().get(ValueLayout.JAVA_INT, 64)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void theNextConnectionUsesTheSameMemory(boolean clientFirst, boolean inOrder) throws Exception {
        try (Peer client = new Peer("shm=require", "shm.direct=on", "shm.ring=16384");
                Peer server = new Peer("shm=require", "shm.direct=on");
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(client, server, listener);
            List<String> first = leftovers();
            String transport = client.connection().transport();
            for (int round = 0; round < 5; round++) {
                // More than a ring holds, so that the next stream begins among octets of this one.
                for (int i = 0; i < 9; i++) {
                    exchange(client, server, 100 * round + i);
                    exchange(server, client, 1000 * round + i);
                }
                Peer endsIt = clientFirst ? client : server;
                if (inOrder) {
                    endsIt.connection().disconnect(Peer.soon());
                }
                closeConnections(endsIt, clientFirst ? server : client);

                Peer.connect(client, server, listener);

                assertThat(leftovers()).isEqualTo(first);
                assertThat(client.connection().transport()).isEqualTo(transport);
            }
            exchange(client, server, -1);
        }
    }

    @Test
    void memoryThatIsReachedAfterwardsIsTheNewPeers() throws Exception {
        try (Peer client = new Peer("shm=require", "shm.direct=on");
                Peer server = new Peer("shm=require", "shm.direct=on");
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(client, server, listener);
            closeConnections(client, server);
            Peer.connect(client, server, listener);
            for (int i = 1; i <= 3; i++) {
                client.buffer.segment().set(ValueLayout.JAVA_INT, 0, i);
                client.queuePair().write(1, client.buffer, 0, 64, Peer.remote(server), 128, SIGNALED);
                client.nextOk();
                int written = i;
                Raw.await(
                        "what was written",
                        () -> (int) ValueLayout.JAVA_INT.varHandle().getAcquire(server.buffer.segment(), 128L)
                                == written);
            }
            Directly.untilDirect(client, server, Peer.remote(server));
            List<String> before = leftovers();
            closeConnections(client, server);

            // The table of a domain went over their Unix connection: they are not kept.
            assertThat(leftovers()).hasSizeLessThan(before.size());
            Peer.connect(client, server, listener);
            exchange(client, server, 5);
        }
    }

    @Test
    void whatNobodyUsesIsClosedAfterAMoment() throws Exception {
        try (Peer client = new Peer("shm=require", "shm.direct=on");
                Peer server = new Peer("shm=require", "shm.direct=on")) {
            List<String> before = leftovers();
            Peer.connect(client, server);
            closeConnections(client, server);

            assertThat(leftovers()).hasSizeGreaterThan(before.size());
            Raw.await("what was there before", () -> leftovers().equals(before));
        }
    }

    @Test
    void aContextKeepsNothingBeyondItself() throws Exception {
        List<String> before = leftovers();
        try (Peer client = new Peer("shm=require", "shm.direct=on");
                Peer server = new Peer("shm=require", "shm.direct=on")) {
            Peer.connect(client, server);
        }
        assertThat(leftovers()).isEqualTo(before);
    }

    @Test
    void whoOnlyNamesThemMakesAnotherOffer() throws Exception {
        try (Peer server = new Peer("shm=auto", "shm.direct=on");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                OfferingPeer peer = new OfferingPeer(listener, 1, true);
                OfferingPeer other = new OfferingPeer(listener.localAddress(), KEPT)) {
            peer.shareAndStay();

            assertThat(other.answer()).as("rings that are in use").isEqualTo(ShmAnswer.Outcome.NOT_KEPT);
            other.send(KEPT.encode());
            assertThat(other.answer()).as("once more").isEqualTo(ShmAnswer.Outcome.VERSION);
        }
    }

    /** What comes over the Unix connection before an Offer of rings that are kept. */
    enum Shown {
        THE_TOKEN,
        NOTHING,
        ANOTHER,
        HALF_OF_IT,
        THE_TOKEN_OVER_ANOTHER_LINE
    }

    @ParameterizedTest
    @EnumSource
    void onlyWhoHasTheUnixConnectionGetsThem(Shown shown) throws Exception {
        try (Peer server = new Peer("shm=auto", "shm.direct=on");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                OfferingPeer peer = new OfferingPeer(listener, 1, true);
                OfferingPeer another = new OfferingPeer(listener.localAddress(), OTHER)) {
            end(server, listener, peer);
            end(server, listener, another);
            byte[] token = KEPT.token().toByteArray();
            UnixSocket line =
                    Objects.requireNonNull((shown == Shown.THE_TOKEN_OVER_ANOTHER_LINE ? another : peer).line);
            switch (shown) {
                case THE_TOKEN, THE_TOKEN_OVER_ANOTHER_LINE -> line.send(ByteBuffer.wrap(token));
                case NOTHING -> {}
                case ANOTHER -> line.send(ByteBuffer.wrap(OfferingPeer.TOKEN.toByteArray()));
                case HALF_OF_IT -> line.send(ByteBuffer.wrap(token, 0, 8));
            }

            try (OfferingPeer again = new OfferingPeer(listener.localAddress(), KEPT)) {
                assertThat(again.answer())
                        .isEqualTo(shown == Shown.THE_TOKEN ? ShmAnswer.Outcome.TAKEN : ShmAnswer.Outcome.NOT_KEPT);
                assertThat(peer.isLineEnded()).isEqualTo(shown != Shown.THE_TOKEN);
            }
        }
    }

    /** Has {@code peer} be connected, and the server close the connection. */
    private static void end(Peer server, Listener listener, OfferingPeer peer) throws Exception {
        RingPair rings = peer.shareAndStay();
        peer.ask(rings);
        QueuePair ended;
        try (Connection connection =
                listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
            assertThat(connection.transport()).contains("shared memory (rings");
            ended = connection.queuePair();
        }
        ended.close();
        assertThat(RingLayout.releasedAcquire(Objects.requireNonNull(peer.peers).memory()))
                .isEqualTo(1);
    }

    @Test
    void aKilledProcessLeavesNothing() throws Exception {
        try (Peer peer = new Peer("shm=require");
                ChildProcess child = new ChildProcess(SharedMemoryPeer.class, "0", "background", "sit")) {
            List<String> before = leftovers();
            int port = Integer.parseInt(child.value("port="));
            var address = new InetSocketAddress(Raw.ANY_PORT.getAddress(), port);
            ConnectionConfig config = ConnectionConfig.defaults()
                    .withPrivateData(Peer.remote(peer).encode());
            peer.connected(peer.verbs.connect(address, peer.config(), config, Peer.soon()));
            peer.connection().close();
            peer.queuePair().close();

            child.kill();

            Raw.await("what was there before", () -> leftovers().equals(before));
        }
    }

    @Test
    void aStrangerThatHasTheAddressNowIsNoObstacle() throws Exception {
        try (Peer client = new Peer("shm=auto", "shm.direct=on");
                Peer server = new Peer("shm=auto", "shm.direct=on");
                Peer other = new Peer("shm=auto", "shm.direct=on")) {
            Listener first = server.verbs.listen(Raw.ANY_PORT);
            var address = first.localAddress();
            Peer.connect(client, server, first);
            closeConnections(client, server);
            first.close();

            try (Listener second = other.verbs.listen(address)) {
                Peer.connect(client, other, second);
                exchange(client, other, 9);
                assertThat(client.connection().transport()).contains("shared memory (rings");
            }
        }
    }

    /** Has the rings of a connection be kept, whose listener ends with it, and returns where that was. */
    private static InetSocketAddress leave(Peer client, Peer server) throws Exception {
        try (Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(client, server, listener);
            exchange(client, server, 3);
            closeConnections(client, server);
            return listener.localAddress();
        }
    }

    @Test
    void aStrangerThatSaysItTookThemIsRefused() throws Exception {
        try (Peer client = new Peer("shm=auto", "shm.direct=on");
                Peer server = new Peer("shm=auto", "shm.direct=on");
                FalseListener other = new FalseListener(leave(client, server))) {
            Background<?> heard = Background.start(() -> {
                try (Socket socket = other.tcp.accept()) {
                    assertThat(FalseListener.offer(socket).nameSpace()).isEqualTo(ShmOffer.KEPT);
                    socket.getOutputStream()
                            .write(new ShmAnswer(ShmOffer.VERSION, ShmAnswer.Outcome.TAKEN)
                                    .encode()
                                    .array());
                    return socket.getInputStream().read();
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            ended -> assertThat(ended.reason()).isEqualTo(ConnectionException.Reason.PROTOCOL))
                    .hasMessageContaining("that another process has");
            heard.get();
        }
    }

    @Test
    void whoGivesNoHintIsOfferedNothing() throws Exception {
        try (Peer client = new Peer("shm=auto", "shm.direct=on");
                Peer server = new Peer("shm=auto", "shm.direct=on")) {
            InetSocketAddress address = leave(client, server);
            try (ServerSocket other = new ServerSocket(address.getPort(), 5, address.getAddress())) {
                Background<byte[]> heard = Background.start(() -> {
                    try (Socket socket = other.accept()) {
                        return socket.getInputStream().readNBytes(16);
                    }
                });
                assertThatThrownBy(() -> client.verbs.connect(address, client.config(), Peer.soon()))
                        .isInstanceOf(ConnectionException.class);
                assertThat(new String(heard.get(), StandardCharsets.US_ASCII)).isEqualTo("MPA ID Req Frame");
            }
        }
    }

    @Test
    void whoNamesRingsThatNobodyKeepsHoldsNoPlace() throws Exception {
        try (Peer server = new Peer("shm=auto", "shm.direct=on", "shm.max=1");
                Peer client = new Peer("shm=require", "shm.direct=on");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                OfferingPeer silent = new OfferingPeer(listener.localAddress(), KEPT)) {
            assertThat(silent.answer()).isEqualTo(ShmAnswer.Outcome.NOT_KEPT);

            Peer.connect(client, server, listener);

            exchange(client, server, 4);
        }
    }

    @Test
    void aProcessThatHasClosedItselfUsesNothingAgain() throws Exception {
        try (Peer client = new Peer("shm=require", "shm.direct=auto");
                Peer server = new Peer("shm=require", "shm.direct=auto");
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(client, server, listener);
            String transport = client.connection().transport();
            assumeTrue(!transport.contains("no direct access"), transport);
            closeConnections(client, server);
            UndumpablePeer.setDumpable(0);
            try {
                Peer.connect(client, server, listener);
                exchange(client, server, 6);
                assertThat(client.connection().transport()).contains("no direct access", "not dumpable");
            } finally {
                UndumpablePeer.setDumpable(1);
            }
        }
    }

    @Test
    void aConnectionThatIsNeverMadeTakesThemAlong() throws Exception {
        try (Peer server = new Peer("shm=auto", "shm.direct=on");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                OfferingPeer peer = new OfferingPeer(listener, 1, true)) {
            end(server, listener, peer);
            byte[] token = KEPT.token().toByteArray();
            Objects.requireNonNull(peer.line).send(ByteBuffer.wrap(token));
            try (Socket tcp = Raw.connect(listener.localAddress(), "127.0.0.1")) {
                tcp.getOutputStream().write(KEPT.encode().array());
                tcp.getInputStream().readNBytes(ShmAnswer.BYTES);
            }
            Raw.await("the end of its Unix connection", peer::isLineEnded);
        }
    }
}
