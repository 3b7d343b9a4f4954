package org.panamaverbs.iwarp.engine.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.iwarp.engine.FailingTransport;
import org.panamaverbs.iwarp.engine.Streams;
import org.panamaverbs.iwarp.engine.device.Context;
import org.panamaverbs.iwarp.engine.device.IwarpOptions;
import org.panamaverbs.iwarp.engine.device.SocketsReport;
import org.panamaverbs.iwarp.engine.transport.Servers;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.engine.transport.Transports;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.memory.ManagedResource;

/** What could not be closed at once: it is closed a moment later, and what comes behind it at once. */
@Timeout(60)
class FailedCloseTest {
    private static final int TIMEOUT_MILLIS = 5000;

    private static final class Owner extends ManagedResource {
        Owner() {
            super("a test");
        }
    }

    private final Owner owner = new Owner();
    private final Context context = new Context(owner, IwarpOptions.parse(Map.of(), new Properties()));
    private final AtomicInteger failures = new AtomicInteger();

    @AfterEach
    void close() {
        context.close();
    }

    private <T> T onLoop(Callable<T> call) throws Exception {
        CompletableFuture<T> done = new CompletableFuture<>();
        context.loop().execute(() -> {
            try {
                done.complete(call.call());
            } catch (Exception | Error e) {
                done.completeExceptionally(e);
            }
        });
        return done.get(20, TimeUnit.SECONDS);
    }

    private Transport failing(TcpSocket socket) {
        return FailingTransport.of(
                new TcpTransport(socket, ""), "close", () -> failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0);
    }

    private @Nullable Throwable failure() {
        boolean fails = failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        return fails ? new OutOfMemoryError("of a test") : null;
    }

    /** Has a peer of {@code near} be refused as it begins, and linger; operations fail as {@code failing} says. */
    private void refuse(
            TcpSocket near, LingeringPeers lingering, Ends ends, Function<String, @Nullable Throwable> failing)
            throws Exception {
        Transport transport = FailingTransport.of(
                new TcpTransport(near, ""),
                name -> name.equals("open") ? new SSLException("of a test") : failing.apply(name));
        onLoop(() -> {
            Setup.responder(
                            context.loop(),
                            transport,
                            near.remoteAddress(),
                            Connector.startup(context.options(), ConnectionConfig.defaults()),
                            lingering,
                            ends)
                    .awaitRequest(System.nanoTime() + TimeUnit.MINUTES.toNanos(10));
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aPeerThatLingersIsLetGo(int times) throws Exception {
        failures.set(times);
        Ends ends = new Ends();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            TcpSocket near = context.sockets().open(false);
            near.connect((InetSocketAddress) server.getLocalAddress());
            try (SocketChannel far = server.accept()) {
                assertThat(near.finishConnect()).isTrue();
                LingeringPeers lingering = new LingeringPeers(1, TimeUnit.SECONDS.toNanos(30));
                refuse(near, lingering, ends, name -> name.equals("close") ? failure() : null);
                far.write(ByteBuffer.allocate(1));
                far.shutdownOutput();
                Deadline deadline = Deadline.in(20, TimeUnit.SECONDS);
                while (near.isOpen() || ends.count.get() == 0) {
                    assertThat(deadline.passed()).as("it is never closed").isFalse();
                    Thread.yield();
                }
                assertThat(onLoop(ends.count::get)).isOne();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void allPeersOfAListenerAreDropped(int times) throws Exception {
        failures.set(times);
        Acceptance acceptance = new Acceptance(context);
        try (Socket first = connected(acceptance.address);
                Socket second = connected(acceptance.address);
                Socket third = connected(acceptance.address)) {
            acceptance.awaitAccepted(3);
            onLoop(() -> true);
            acceptance.acceptor.close();

            assertThat(acceptance.server.isOpen()).isFalse();
            for (Socket each : new Socket[] {first, second, third}) {
                assertThat(each.getInputStream().read()).isNegative();
            }
        }
    }

    /** As dropping it and dropping it once more may fail. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void aPeerThatSaysNothingIsDropped(int times) throws Exception {
        Acceptance acceptance = new Acceptance(context);
        try (Socket peer = connected(acceptance.address)) {
            acceptance.awaitAccepted(1);
            failures.set(times);
            acceptance.acceptor.close();

            assertThat(peer.getInputStream().read()).isNegative();
        }
    }

    @Test
    void aPeerIsServedThoughAnotherCannotBeTurnedAway() throws Exception {
        Context single = new Context(
                owner,
                IwarpOptions.parse(
                        Map.of("max.half.open", "1", "half.open.grace", "1ms", "handshake.timeout", "600s"),
                        new Properties()));
        try {
            Acceptance acceptance = new Acceptance(single);
            try (Socket silent = connected(acceptance.address)) {
                acceptance.awaitAccepted(1);
                failures.set(1);
                try (Socket asking = connected(acceptance.address)) {
                    asking.getOutputStream().write(Samples.bytes("M04"));
                    Deadline deadline = Deadline.in(20, TimeUnit.SECONDS);
                    while (!acceptance.acceptor.hasRequest()) {
                        assertThat(deadline.passed()).as("it is lost").isFalse();
                        Thread.yield();
                    }
                    assertThat(silent.getInputStream().read()).isNegative();
                    acceptance.acceptor.close();
                }
            }
        } finally {
            single.close();
        }
    }

    /** A listener whose peers' transports fail to close as often as is said. */
    private final class Acceptance {
        private final AtomicInteger accepted = new AtomicInteger();
        private final TcpServer server;
        private final InetSocketAddress address;
        private final Acceptor acceptor;

        Acceptance(Context its) throws IOException {
            CmContext cm =
                    new CmContext(its, new Streams(its), new Transports(its, SocketsReport.of(its.sockets(), true)));
            server = its.sockets().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8, false);
            address = server.localAddress();
            acceptor = new Acceptor(
                    cm,
                    Servers.over(server, socket -> {
                        accepted.incrementAndGet();
                        return failing(socket);
                    }),
                    ListenerConfig.defaults());
            acceptor.start();
        }

        void awaitAccepted(int count) {
            Deadline deadline = Deadline.in(20, TimeUnit.SECONDS);
            while (accepted.get() < count) {
                assertThat(deadline.passed()).as("nobody is accepted").isFalse();
                Thread.yield();
            }
        }
    }

    @Test
    void theOtherTransportIsClosedWhereTheFirstCannotBe() throws Exception {
        failures.set(1);
        TcpSocket first = context.sockets().open(false);
        TcpSocket second = context.sockets().open(false);
        Transport misled = new TcpTransport(first, "") {
            @Override
            public int open(Runnable again) throws IOException {
                throw new IOException("the peer does not understand it");
            }

            @Override
            public Transport another() {
                return new TcpTransport(second, "");
            }

            @Override
            public void close(boolean reset) {
                if (failures.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("of a test");
                }
                super.close(reset);
            }
        };
        Ends ends = new Ends();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Setup setup = Setup.initiator(
                    context.loop(),
                    misled,
                    (InetSocketAddress) server.getLocalAddress(),
                    Connector.startup(context.options(), ConnectionConfig.defaults()),
                    ends);
            context.loop().execute(setup::connect);

            assertThat(ends.first.get(20, TimeUnit.SECONDS)).hasMessageContaining("internal error");
            assertThat(onLoop(first::isOpen)).isFalse();
            assertThat(second.isOpen()).isFalse();
            assertThat(setup.beganAnew()).isFalse();
            assertThat(ends.count).hasValue(1);
        }
    }

    /** As of a port that this process may not bind, or for lack of descriptors. */
    @Test
    void theReasonWhyThereIsNoOtherTransportIsTold() throws Exception {
        TcpSocket first = context.sockets().open(false);
        ResourceException lack = new ResourceException("connect", "of a test; remedy: nothing", Errno.EMFILE);
        Transport misled = new TcpTransport(first, "") {
            @Override
            public int open(Runnable again) throws IOException {
                throw new IOException("the peer does not understand it");
            }

            @Override
            public Transport another() {
                throw lack;
            }
        };
        Ends ends = new Ends();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Setup setup = Setup.initiator(
                    context.loop(),
                    misled,
                    (InetSocketAddress) server.getLocalAddress(),
                    Connector.startup(context.options(), ConnectionConfig.defaults()),
                    ends);
            context.loop().execute(setup::connect);

            ConnectionException end = Objects.requireNonNull(ends.first.get(20, TimeUnit.SECONDS));
            assertThat(end.reason()).isEqualTo(ConnectionException.Reason.CLOSED);
            assertThat(end)
                    .hasMessageContaining("of a test; remedy: nothing")
                    .hasMessageNotContaining("internal error")
                    .hasCause(lack);
            assertThat(onLoop(first::isOpen)).isFalse();
        }
    }

    @Test
    void aPeerThatCannotBeLetGoKeepsNobodyFromLingering() {
        LingeringPeers peers = new LingeringPeers(1, 1);
        AtomicInteger ended = new AtomicInteger();
        peers.begin(() -> {
            throw new OutOfMemoryError("of a test");
        });

        peers.begin(ended::incrementAndGet);
        assertThat(ended).hasValue(0);
        peers.begin(() -> {});

        assertThat(ended).hasValue(1);
    }

    @Test
    void aPeerThatCannotBeToldWhyItIsRefusedEndsOnce() throws Exception {
        LingeringPeers lingering = new LingeringPeers(1, TimeUnit.MINUTES.toNanos(10));
        Ends ends = new Ends();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            TcpSocket near = context.sockets().open(false);
            near.connect((InetSocketAddress) server.getLocalAddress());
            try (SocketChannel far = server.accept()) {
                assertThat(near.finishConnect()).isTrue();
                refuse(
                        near,
                        lingering,
                        ends,
                        name -> name.equals("shutdownOutput") ? new OutOfMemoryError("of a test") : null);
                far.write(ByteBuffer.allocate(1));
                assertThat(ends.first.get(20, TimeUnit.SECONDS)).hasMessageContaining("of a test");
                // The place is another's: whoever still lingers there is ended.
                onLoop(() -> {
                    lingering.begin(() -> {});
                    return true;
                });

                assertThat(ends.count).hasValue(1);
                assertThat(near.isOpen()).isFalse();
            }
        }
    }

    /** Counts how often it hears of an end. */
    private static final class Ends implements Setup.Owner {
        private final AtomicInteger count = new AtomicInteger();
        private final CompletableFuture<@Nullable ConnectionException> first = new CompletableFuture<>();

        @Override
        public void ended(Setup setup, @Nullable ConnectionException failure) {
            count.incrementAndGet();
            first.complete(failure);
        }
    }

    private static Socket connected(InetSocketAddress address) {
        try {
            Socket socket = new Socket(address.getAddress(), address.getPort());
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
