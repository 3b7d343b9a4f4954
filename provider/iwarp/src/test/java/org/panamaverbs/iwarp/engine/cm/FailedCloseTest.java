package org.panamaverbs.iwarp.engine.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ListenerConfig;
import org.panamaverbs.iwarp.engine.FailingTransport;
import org.panamaverbs.iwarp.engine.context.Context;
import org.panamaverbs.iwarp.engine.context.IwarpOptions;
import org.panamaverbs.iwarp.engine.context.LoopHandler;
import org.panamaverbs.iwarp.engine.context.SocketsReport;
import org.panamaverbs.iwarp.engine.progress.Streams;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.engine.transport.Transport;
import org.panamaverbs.iwarp.engine.transport.factory.Servers;
import org.panamaverbs.iwarp.engine.transport.factory.Transports;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.net.Watch;
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

    /** Who has a channel before it lingers. */
    private static final class Before implements LoopHandler {
        @Override
        public void ready(Watch watch, long now) {
            watch.interest(0);
        }

        @Override
        public long deadlineNanos() {
            return 0;
        }

        @Override
        public void timeout(long now) {
            throw new IllegalStateException("it has no timer");
        }

        @Override
        public void failed(Throwable cause) {
            throw new IllegalStateException(cause);
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

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aPeerThatLingersIsLetGo(int times) throws Exception {
        failures.set(times);
        AtomicInteger told = new AtomicInteger();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            TcpSocket near = context.sockets().open(false);
            near.connect((InetSocketAddress) server.getLocalAddress());
            try (SocketChannel far = server.accept()) {
                assertThat(near.finishConnect()).isTrue();
                Transport transport = failing(near);
                onLoop(() -> {
                    Watch watch = context.loop().register(near, 0, new Before());
                    LingeringPeers lingering = new LingeringPeers(1, TimeUnit.SECONDS.toNanos(30));
                    new LingeringClose(context.loop(), transport, watch, lingering, told::incrementAndGet).begin();
                    return true;
                });
                far.shutdownOutput();
                Deadline deadline = Deadline.in(20, TimeUnit.SECONDS);
                while (near.isOpen() || told.get() == 0) {
                    assertThat(deadline.passed()).as("it is never closed").isFalse();
                    Thread.yield();
                }
                assertThat(onLoop(told::get)).isOne();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void allPeersOfAListenerAreDropped(int times) throws Exception {
        failures.set(times);
        CountDownLatch accepted = new CountDownLatch(3);
        Streams streams = new Streams(context);
        CmContext cm = new CmContext(streams, new Transports(context, SocketsReport.of(context.sockets(), true)));
        TcpServer server =
                context.sockets().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8, false);
        InetSocketAddress address = server.localAddress();
        Acceptor acceptor = new Acceptor(
                cm,
                Servers.over(server, socket -> {
                    accepted.countDown();
                    return failing(socket);
                }),
                ListenerConfig.defaults());
        acceptor.start();
        try (Socket first = connected(address);
                Socket second = connected(address);
                Socket third = connected(address)) {
            assertThat(accepted.await(20, TimeUnit.SECONDS)).isTrue();
            onLoop(() -> true);
            acceptor.close();

            assertThat(server.isOpen()).isFalse();
            for (Socket each : new Socket[] {first, second, third}) {
                assertThat(each.getInputStream().read()).isNegative();
            }
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
