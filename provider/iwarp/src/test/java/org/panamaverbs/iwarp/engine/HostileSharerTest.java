package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Listener;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.iwarp.io.IoVector;
import org.panamaverbs.iwarp.net.unix.FileMessage;
import org.panamaverbs.iwarp.net.unix.Hint;
import org.panamaverbs.iwarp.net.unix.ReceivedFile;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.iwarp.ring.RingLayout;
import org.panamaverbs.iwarp.ring.RingPair;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;

/**
 * Peers that do not keep to the set-up of shared memory, or scribble over it: it is their own stream alone that ends.
 */
@Timeout(120)
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "system calls are bound there only")
class HostileSharerTest {
    private static final Octets NAME = Octets.of(
            HexFormat.of().parseHex("%032x".formatted(ProcessHandle.current().pid())));
    private static final Octets TOKEN = Octets.of(HexFormat.of().parseHex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"));
    private static final int RING_BYTES = 65_536;
    // DDP: tagged, last, version 1; RDMAP: version 1, RDMA Write; STag and tagged offset.
    private static final byte[] EMPTY_WRITE = HexFormat.of().parseHex("c140" + "00000000" + "0000000000000000");

    private final Peer server = new Peer("shm=auto", "handshake.timeout=1s");
    private final Peer friend = new Peer("shm=require");
    private final Listener listener = server.verbs.listen(Raw.ANY_PORT);

    @BeforeEach
    void connectFriend() throws Exception {
        Peer.connect(friend, server, listener);
    }

    /** The friend's stream and the listener are as before. */
    @AfterEach
    void nobodyElseHasNoticed() {
        friend.queuePair().write(1, friend.buffer, 0, 4096, Peer.remote(server), 0, SIGNALED);
        friend.nextOk();
        friend.close();
        listener.close();
        server.close();
    }

    /** A peer that begins as an initiator with an Offer. */
    private final class Offering implements AutoCloseable {
        final UnixServer rendezvous;
        final Socket tcp;

        @Nullable
        UnixSocket line;

        @Nullable
        SealedFile own;

        @Nullable
        SealedFile peers;

        Offering(int version, boolean listens) throws IOException {
            rendezvous = UnixServer.listen(UnixName.ofAbstract("panama-verbs/1/" + NAME), 1);
            if (!listens) {
                rendezvous.close();
            }
            tcp = Raw.connect(listener.localAddress(), "127.0.0.1");
            send(new ShmOffer(version, ShmOffer.ABSTRACT, NAME, TOKEN).encode());
        }

        void send(ByteBuffer octets) throws IOException {
            byte[] all = new byte[octets.remaining()];
            octets.get(all);
            tcp.getOutputStream().write(all);
        }

        ShmAnswer.Outcome answer() throws IOException {
            tcp.setSoTimeout(20_000);
            byte[] octets = tcp.getInputStream().readNBytes(ShmAnswer.BYTES);
            return Objects.requireNonNull(ShmAnswer.parse(ByteBuffer.wrap(octets)))
                    .outcome();
        }

        /** Meets the responder, who shows the token. */
        UnixSocket meet() throws IOException {
            assertThat(answer()).isEqualTo(ShmAnswer.Outcome.TAKEN);
            UnixSocket unix = Objects.requireNonNull(rendezvous.accept());
            ByteBuffer token = ByteBuffer.allocate(ShmOffer.NAME_BYTES);
            unix.receive(token);
            assertThat(Octets.of(token.array())).isEqualTo(TOKEN);
            line = unix;
            return unix;
        }

        /** Goes on until the rings are there. */
        RingPair share() throws IOException {
            UnixSocket unix = meet();
            SealedFile mine = SealedFile.create("a hostile peer", RingLayout.fileBytes(RING_BYTES));
            own = mine;
            RingLayout.format(mine.memory(), RING_BYTES);
            unix.send(size(mine.memory().byteSize()), mine);
            ByteBuffer size = ByteBuffer.allocate(Long.BYTES);
            ReceivedFile file = null;
            while (size.hasRemaining() || file == null) {
                FileMessage message = unix.receiveWithFile(size);
                assertThat(message.octets()).isNotNegative();
                file = message.file() == null ? file : message.file();
            }
            SealedFile theirs = file.map(size.getLong(0));
            peers = theirs;
            RingPair rings = new RingPair(mine.memory(), theirs.memory());
            unix.send(ByteBuffer.wrap(new byte[] {1}));
            return rings;
        }

        /** Writes an MPA Request into the ring, and rings. */
        void ask(RingPair rings) throws IOException {
            rings.write(IoVector.of(request()));
            Objects.requireNonNull(line).ring();
        }

        @Override
        public void close() throws IOException {
            rendezvous.close();
            tcp.close();
            if (line != null) {
                line.close();
            }
            if (own != null) {
                own.close();
            }
            if (peers != null) {
                peers.close();
            }
        }
    }

    private static long left(RingPair rings) {
        try {
            return rings.unread();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer size(long bytes) {
        return ByteBuffer.allocate(Long.BYTES).putLong(bytes).flip();
    }

    private static ByteBuffer request() {
        return ByteBuffer.wrap(new MpaFrame(false, false, false, false, 1, null, Octets.EMPTY).encode());
    }

    private ConnectionRequest request(Deadline deadline) {
        return listener.poll(deadline).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"1, false, UNREACHABLE", "2, true, VERSION", "255, true, VERSION"})
    void aDeclinedOfferIsFollowedByMpa(int version, boolean listens, ShmAnswer.Outcome outcome) throws Exception {
        try (Offering peer = new Offering(version, listens)) {
            assertThat(peer.answer()).isEqualTo(outcome);
            peer.send(request());
            request(Peer.soon()).close();
        }
    }

    @Test
    void whoTakesTheOfferBackStaysOnTcp() throws Exception {
        try (Offering peer = new Offering(1, true)) {
            peer.meet().close();
            peer.send(request());
            request(Peer.soon()).close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE, RING_BYTES, RING_BYTES + RingLayout.HEADER_BYTES})
    void aSizeWithoutAFileStaysOnTcp(long bytes) throws Exception {
        try (Offering peer = new Offering(1, true)) {
            peer.meet().send(size(bytes));
            peer.send(request());
            request(Peer.soon()).close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE, RING_BYTES, 2 * RING_BYTES + RingLayout.HEADER_BYTES})
    void aFileOfAnotherSizeStaysOnTcp(long said) throws Exception {
        try (Offering peer = new Offering(1, true);
                SealedFile file = SealedFile.create("a hostile peer", RingLayout.fileBytes(RING_BYTES))) {
            RingLayout.format(file.memory(), RING_BYTES);
            peer.meet().send(size(said), file);
            peer.send(request());
            request(Peer.soon()).close();
        }
    }

    @Test
    void aFileThatIsNoRingStaysOnTcp() throws Exception {
        try (Offering peer = new Offering(1, true);
                SealedFile file = SealedFile.create("a hostile peer", RingLayout.fileBytes(RING_BYTES))) {
            peer.meet().send(size(file.memory().byteSize()), file);
            peer.send(request());
            request(Peer.soon()).close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 51})
    void halfAnOfferEndsTheConnection(int octets) throws Exception {
        byte[] offer = new ShmOffer(1, 0, NAME, TOKEN).encode().array();
        try (Socket tcp = Raw.connect(listener.localAddress(), "127.0.0.1")) {
            tcp.getOutputStream().write(offer, 0, octets);
            assertThat(Raw.closedWithin(tcp, 20_000))
                    .as("closed at handshake.timeout")
                    .isTrue();
        }
    }

    @Test
    void aWrongKeyEndsTheConnection() throws Exception {
        byte[] offer = new ShmOffer(1, 0, NAME, TOKEN).encode().array();
        offer[9]++;
        try (Socket tcp = Raw.connect(listener.localAddress(), "127.0.0.1")) {
            tcp.getOutputStream().write(offer);
            assertThat(Raw.closedWithin(tcp, 20_000)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoNeverGoesOnIsClosedInTime(boolean withFile) throws Exception {
        try (Offering peer = new Offering(1, true);
                SealedFile file = SealedFile.create("a hostile peer", RingLayout.fileBytes(RING_BYTES))) {
            RingLayout.format(file.memory(), RING_BYTES);
            UnixSocket unix = peer.meet();
            if (withFile) {
                unix.send(size(file.memory().byteSize()), file);
            }
            assertThat(Raw.closedWithin(peer.tcp, 20_000))
                    .as("closed at handshake.timeout")
                    .isTrue();
        }
    }

    // The offsets of RingLayout: tail, head, sleep, end, end seen.
    @ParameterizedTest
    @CsvSource({
        "256, -1",
        "256, 9223372036854775807",
        "256, 1000000000",
        "256, 1",
        "512, -1",
        "512, 1000000000",
        "1024, 77",
        "1024, 2",
        "1024, -1"
    })
    void aScribblerEndsItsOwnStream(long offset, long value) throws Exception {
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        try (Offering peer = new Offering(1, true);
                Peer victim = new Peer("shm=auto")) {
            RingPair rings = peer.share();
            peer.ask(rings);
            try (Connection connection =
                    request(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
                assertThat(connection.transport()).contains("shared memory (rings");
                // RFC 5044 §7.1.2: before the first FPDU of the initiator this side sends none.
                rings.write(IoVector.of(ByteBuffer.wrap(Framing.fpdu(EMPTY_WRITE))));

                Objects.requireNonNull(peer.line).ring();
                Raw.await("the FPDU to be taken", () -> left(rings) == 0);
                Objects.requireNonNull(peer.own).memory().set(ValueLayout.JAVA_LONG, offset, value);
                Objects.requireNonNull(peer.line).ring();
                // More than the ring holds: what was taken of it is looked at.
                connection.queuePair().write(1, server.buffer, 0, Peer.BUFFER_BYTES, Peer.remote(victim), 0, SIGNALED);

                Raw.await("its end", () -> {
                    server.queue.poll(completions);
                    return !connection.isConnected();
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomWordsAndOctetsHarmNobodyElse(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        try (Offering peer = new Offering(1, true)) {
            RingPair rings = peer.share();
            peer.ask(rings);
            try (Connection connection =
                    request(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
                var memory = Objects.requireNonNull(peer.own).memory();
                for (int i = 0; i < 20_000 && connection.isConnected(); i++) {
                    long at = random.nextInt(4) == 0
                            ? new int[] {256, 512, 768, 1024}[random.nextInt(4)]
                            : RingLayout.HEADER_BYTES + 8L * random.nextInt(RING_BYTES / 8);
                    memory.set(
                            ValueLayout.JAVA_LONG, at, random.nextBoolean() ? random.nextLong() : random.nextInt(300));
                    if (i % 16 == 0) {
                        try {
                            Objects.requireNonNull(peer.line).ring();
                        } catch (IOException e) {
                            break;
                        }
                    }
                    server.queue.poll(completions);
                }
                Raw.await("its end", () -> {
                    server.queue.poll(completions);
                    return !connection.isConnected();
                });
            }
        }
    }

    // ---- listeners that are none ----------------------------------------------------------------------------------

    /** A listener whose hint is there, which does as a test pleases. */
    private static final class FalseListener implements AutoCloseable {
        final ServerSocket tcp = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        final Hint hint = Objects.requireNonNull(
                Hint.bind(UnixName.ofAbstract("panama-verbs/1/" + tcp.getLocalPort() + "/127.0.0.1")));

        FalseListener() throws IOException {}

        InetSocketAddress address() {
            return (InetSocketAddress) tcp.getLocalSocketAddress();
        }

        /** Takes the next connection, and its Offer. */
        Socket offered() throws IOException {
            Socket socket = tcp.accept();
            assertThat(socket.getInputStream().readNBytes(ShmOffer.BYTES)).hasSize(ShmOffer.BYTES);
            return socket;
        }

        @Override
        public void close() throws IOException {
            hint.close();
            tcp.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFalseHintCostsOneReconnect(boolean reset) throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto")) {
            Background<byte[]> heard = Background.start(() -> {
                Socket first = other.offered();
                if (reset) {
                    Raw.reset(first);
                } else {
                    first.close();
                }
                try (Socket second = other.tcp.accept()) {
                    return second.getInputStream().readNBytes(16);
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(new String(heard.get(), StandardCharsets.US_ASCII)).isEqualTo("MPA ID Req Frame");
        }
    }

    @Test
    void whoSaysThatItCameAndDidNotGetsMpaOverTcp() throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto")) {
            Background<byte[]> heard = Background.start(() -> {
                try (Socket socket = other.offered()) {
                    socket.getOutputStream()
                            .write(new ShmAnswer(1, ShmAnswer.Outcome.TAKEN)
                                    .encode()
                                    .array());
                    return socket.getInputStream().readNBytes(16);
                }
            });
            assertThatThrownBy(() -> client.verbs.connect(other.address(), client.config(), Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(new String(heard.get(), StandardCharsets.US_ASCII)).isEqualTo("MPA ID Req Frame");
        }
    }

    @Test
    void whoDoesNotAnswerIsNamedWhenTheDeadlinePasses() throws Exception {
        try (FalseListener other = new FalseListener();
                Peer client = new Peer("shm=auto")) {
            assertThatThrownBy(() ->
                            client.verbs.connect(other.address(), client.config(), Deadline.in(1, TimeUnit.SECONDS)))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContaining("did not answer the Offer of shared memory");
        }
    }
}
