package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.engine.cm.Attempt;
import org.panamaverbs.iwarp.engine.cm.Attempts;
import org.panamaverbs.iwarp.engine.cm.CmContext;
import org.panamaverbs.iwarp.engine.cm.Connector;
import org.panamaverbs.iwarp.engine.cm.Setup;
import org.panamaverbs.iwarp.engine.device.ConnectionOptions;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.SocketsReport;
import org.panamaverbs.iwarp.engine.transport.SameHostTransports;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.engine.transport.Transports;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.testkit.Requirement;

/** What the peer hears of a connection that is agreed on when this side can no longer take it. */
@Timeout(60)
class FailedSetupTest {
    private static final int MPA_HEADER = 20;
    private static final int C_FLAG = 0x40;
    private static final int M_FLAG = 0x80;

    // A Terminate with MPA's error 5, the only segment of queue 2.
    private static final byte[] ULPDU =
            HexFormat.of().parseHex("4147" + "00000000" + "00000002" + "00000001" + "00000000" + "20050000");

    // RFC 6581 §9.3: 2/0/05 before the connection is reset.
    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    @Requirement({"ENH-9.3-02", "ENH-8-01"})
    void initiatorTellsOfItsOwnError(boolean crc, boolean markers) throws Exception {
        try (Peer client = new Peer("crc=" + (crc ? "on" : "off"));
                ServerSocket responder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            IwarpVerbs verbs = (IwarpVerbs) client.verbs;
            TcpSocket socket = verbs.context().sockets().open(false);
            try (Attempt attempt = attemptOfClosed(client);
                    Socket initiator = begun(verbs, new TcpTransport(socket, ""), responder, attempt)) {
                byte[] heard = answer(initiator, crc, markers);
                byte[] expected = markers ? Framing.fpduWithMarkers(0, ULPDU) : Framing.fpdu(ULPDU);
                int end = crc ? expected.length : expected.length - 4;
                assertThat(heard).hasSameSizeAs(expected);
                assertThat(ByteBuffer.wrap(heard, 0, end)).isEqualTo(ByteBuffer.wrap(expected, 0, end));
            }
        }
    }

    /** As where the stack ends, or memory, as often as that in a row: first in telling, then in what closes for it. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "1, true", "2, true", "3, true", "4, true", "5, true"})
    void theTransportIsClosedAlsoWhereClosingFailed(int failures, boolean silent) throws Exception {
        try (Peer client = new Peer();
                ServerSocket responder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            IwarpVerbs verbs = (IwarpVerbs) client.verbs;
            AtomicInteger left = new AtomicInteger(failures);
            Transport transport = FailingTransport.of(
                    new TcpTransport(verbs.context().sockets().open(false), ""),
                    "close",
                    () -> left.getAndDecrement() > 0);
            try (Attempt attempt = attemptOfClosed(client);
                    Socket initiator = begun(verbs, transport, responder, attempt)) {
                reply(initiator, true, false);
                InputStream in = initiator.getInputStream();
                int first = in.read();
                if (!silent) {
                    initiator.shutdownOutput();
                }

                assertThat(first).isNotNegative();
                assertThat(in.readAllBytes()).hasSize(Framing.fpdu(ULPDU).length - 1);
            }
        }
    }

    @Test
    void whoWaitsIsToldAlsoWhereClosingFailed() throws Exception {
        try (Peer client = new Peer();
                QueuePair queuePair = client.domain.queuePair(client.config());
                ServerSocket responder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            IwarpVerbs verbs = (IwarpVerbs) client.verbs;
            Map<String, Throwable> failures = new ConcurrentHashMap<>(Map.of(
                    "localAddress", new IOException("of a test"),
                    "close", new OutOfMemoryError("of a test")));
            Transport transport = FailingTransport.of(
                    new TcpTransport(verbs.context().sockets().open(false), ""), failures::remove);
            Attempt attempt = attempt(verbs, queuePair);
            try (Socket initiator = begun(verbs, transport, responder, attempt)) {
                reply(initiator, true, false);

                assertThatThrownBy(() -> Attempts.await(attempt, Peer.soon()))
                        .isInstanceOf(ConnectionException.class)
                        .hasMessageContaining("of a test");
                initiator.getInputStream().readAllBytes();
            }
        }
    }

    private static Attempt attempt(IwarpVerbs verbs, QueuePair queuePair) {
        Context context = verbs.context();
        return Attempt.of(
                new CmContext(
                        context, verbs.streams(), new Transports(context, SocketsReport.of(context.sockets(), true))),
                "connect",
                (IwarpQueuePair) queuePair,
                false,
                new InetSocketAddress("localhost", 1),
                ConnectionOptions.parse(ConnectionConfig.defaults(), context.options()));
    }

    /** Returns an attempt whose queue pair was closed since. */
    private static Attempt attemptOfClosed(Peer client) {
        QueuePair gone = client.domain.queuePair(client.config());
        Attempt attempt = attempt((IwarpVerbs) client.verbs, gone);
        gone.close();
        return attempt;
    }

    /** Begins {@code attempt} over {@code transport}, and returns the socket of the responder. */
    private static Socket begun(IwarpVerbs verbs, Transport transport, ServerSocket responder, Attempt attempt)
            throws IOException {
        Attempts.begin(
                attempt, setup(verbs, transport, (InetSocketAddress) responder.getLocalSocketAddress(), attempt));
        return responder.accept();
    }

    /** Hears how a set-up goes; takes the transport if {@code takes}, then fails if {@code fails}. */
    private static final class Owner implements Setup.Owner {
        private final boolean takes;
        private final boolean fails;
        private final CompletableFuture<Transport> taken = new CompletableFuture<>();
        private final CompletableFuture<ConnectionException> failure = new CompletableFuture<>();

        Owner(boolean takes, boolean fails) {
            this.takes = takes;
            this.fails = fails;
        }

        @Override
        public void agreed(Setup setup, Transport transport, Watch watch) {
            if (takes) {
                watch.cancel();
                setup.taken();
                taken.complete(transport);
            }
            if (fails) {
                throw new IllegalStateException("of a test");
            }
        }

        @Override
        public void ended(Setup setup, @Nullable ConnectionException reason) {
            failure.complete(Objects.requireNonNull(reason));
        }
    }

    private static Setup begin(IwarpVerbs verbs, Transport transport, ServerSocket responder, Setup.Owner owner) {
        return begin(verbs, transport, (InetSocketAddress) responder.getLocalSocketAddress(), owner);
    }

    private static Setup begin(IwarpVerbs verbs, Transport transport, InetSocketAddress responder, Setup.Owner owner) {
        Setup setup = setup(verbs, transport, responder, owner);
        verbs.context().loop().execute(setup::connect);
        return setup;
    }

    private static Setup setup(IwarpVerbs verbs, Transport transport, InetSocketAddress responder, Setup.Owner owner) {
        return Setup.initiator(
                verbs.context().loop(),
                transport,
                responder,
                Connector.startup(verbs.context().options(), ConnectionConfig.defaults()),
                owner);
    }

    /** A timer that is due and that nobody stops has the event loop turn for ever. */
    @Test
    void nothingIsDueOnceItIsOverThoughThePeerCouldNotBeTold() throws Exception {
        try (Peer client = new Peer();
                ServerSocket responder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            IwarpVerbs verbs = (IwarpVerbs) client.verbs;
            TcpSocket socket = verbs.context().sockets().open(false);
            // The request is written, the Terminate is not.
            AtomicInteger written = new AtomicInteger();
            Transport transport =
                    FailingTransport.of(new TcpTransport(socket, ""), "write", () -> written.getAndIncrement() > 0);
            Owner owner = new Owner(false, true);
            Setup setup = begin(verbs, transport, responder, owner);
            try (Socket initiator = responder.accept()) {
                answer(initiator, true, false);
            }
            assertThat(owner.failure.get(20, TimeUnit.SECONDS)).hasMessageContaining("of a test");
            CompletableFuture<Void> behindIt = new CompletableFuture<>();
            verbs.context().loop().execute(() -> behindIt.complete(null));
            behindIt.get(20, TimeUnit.SECONDS);

            assertThat(written).hasValue(2);
            assertThat(socket.isOpen()).isFalse();
            assertThat(setup.deadlineNanos()).as("when it is due again").isZero();
        }
    }

    @Test
    void whatFailsBeforeTheTransportIsHandedOverIsTold() throws Exception {
        try (Peer client = new Peer();
                ServerSocket responder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            IwarpVerbs verbs = (IwarpVerbs) client.verbs;
            TcpSocket socket = verbs.context().sockets().open(false);
            // Asked for when it is open, and when it is agreed on.
            AtomicInteger asked = new AtomicInteger();
            Transport transport =
                    FailingTransport.of(new TcpTransport(socket, ""), "carrier", () -> asked.getAndIncrement() > 0);
            Owner owner = new Owner(true, false);
            begin(verbs, transport, responder, owner);
            try (Socket initiator = responder.accept()) {
                answer(initiator, true, false);
            }

            assertThat(owner.failure.get(20, TimeUnit.SECONDS)).hasMessageContaining("of a test");
            assertThat(owner.taken).isNotDone();
            assertThat(socket.isOpen()).isFalse();
        }
    }

    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"},
            disabledReason = "system calls are bound there only")
    void ringsThatNobodyHasTakenOverAreUnmapped() throws Exception {
        try (Peer client = new Peer("shm=require");
                Peer server = new Peer("shm=require");
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            // What is opened once for all.
            Peer.connect(client, server, listener);
            List<String> before = SharedMemoryTest.held();
            Context context = ((IwarpVerbs) client.verbs).context();
            TcpSocket socket = context.sockets().open(false);
            TcpTransport transport = new SameHostTransports(
                            context.options().sharedMemory(), context.direct(), context.loop(), context.random(), "")
                    .connecting(socket, context.options().sharedMemory(), () -> {
                        throw new AssertionError("the Offer is understood");
                    });
            Owner owner = new Owner(true, false);

            begin(
                    (IwarpVerbs) client.verbs,
                    FailingTransport.of(transport, "carrier", () -> true),
                    listener.localAddress(),
                    owner);

            assertThat(owner.failure.get(20, TimeUnit.SECONDS)).hasMessageContaining("of a test");
            assertThat(transport.carrier().text()).contains("shared memory (rings");
            Raw.await(
                    "the same descriptors and mappings",
                    () -> SharedMemoryTest.held().size() <= before.size());
        }
    }

    @Test
    void whoHasTakenTheTransportOverClosesIt() throws Exception {
        try (Peer client = new Peer();
                ServerSocket responder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            IwarpVerbs verbs = (IwarpVerbs) client.verbs;
            TcpSocket socket = verbs.context().sockets().open(false);
            Owner owner = new Owner(true, true);
            Setup setup = begin(verbs, new TcpTransport(socket, ""), responder, owner);
            try (Socket initiator = responder.accept()) {
                reply(initiator, true, false);
                Transport taken = owner.taken.get(20, TimeUnit.SECONDS);
                CompletableFuture<Boolean> open = new CompletableFuture<>();
                verbs.context().loop().execute(() -> {
                    setup.failed(new IllegalStateException("too late"));
                    open.complete(socket.isOpen());
                });

                assertThat(open.get(20, TimeUnit.SECONDS)).isTrue();
                assertThat(owner.failure).isNotDone();
                taken.close(false);
            }
        }
    }

    @Test
    void whatTheOwnerCouldNotTakeIsClosedAndThePeerTold() throws Exception {
        try (Peer client = new Peer();
                ServerSocket responder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            IwarpVerbs verbs = (IwarpVerbs) client.verbs;
            TcpSocket socket = verbs.context().sockets().open(false);
            Owner owner = new Owner(false, true);
            begin(verbs, new TcpTransport(socket, ""), responder, owner);
            try (Socket initiator = responder.accept()) {
                assertThat(answer(initiator, false, false)).hasSize(Framing.fpdu(ULPDU).length);
            }

            assertThat(owner.failure.get(20, TimeUnit.SECONDS)).hasMessageContaining("of a test");
            assertThat(socket.isOpen()).isFalse();
        }
    }

    /** Accepts, and returns what the initiator says from then on. */
    private static byte[] answer(Socket initiator, boolean crc, boolean markers) throws Exception {
        reply(initiator, crc, markers);
        return initiator.getInputStream().readAllBytes();
    }

    private static void reply(Socket initiator, boolean crc, boolean markers) throws Exception {
        // No interrupt ends a read that waits for what an initiator should have closed.
        initiator.setSoTimeout((int) TimeUnit.SECONDS.toMillis(20));
        DataInputStream in = new DataInputStream(initiator.getInputStream());
        byte[] request = in.readNBytes(MPA_HEADER);
        in.readNBytes(ByteBuffer.wrap(request).getShort(MPA_HEADER - 2));
        ByteBuffer reply = ByteBuffer.allocate(MPA_HEADER)
                .put("MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII))
                .put((byte) ((crc ? C_FLAG : 0) | (markers ? M_FLAG : 0)))
                .put((byte) 1)
                .putShort((short) 0);
        initiator.getOutputStream().write(reply.array());
    }
}
