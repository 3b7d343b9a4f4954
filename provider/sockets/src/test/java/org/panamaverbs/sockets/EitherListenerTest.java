package org.panamaverbs.sockets;

import static java.nio.channels.SelectionKey.OP_ACCEPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.sockets.Channels.octets;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.sockets.rules.SocketRules;

/** Listeners of both kinds at one port, over a device whose ports are its own. */
@Timeout(120)
class EitherListenerTest {
    private final Channels channels = new Channels(
            OpenConfig.provider("local"),
            SocketRules.parse(List.of("listen * * auto", "connect * * require"), "the test"));

    @AfterEach
    void close() throws IOException {
        channels.close();
    }

    private static SocketChannel plainClient(ServerSocketChannel listener) throws IOException {
        return SocketChannel.open(listener.getLocalAddress());
    }

    private SocketChannel rdmaClient(ServerSocketChannel listener) throws IOException {
        SocketChannel client = channels.channel();
        client.connect(listener.getLocalAddress());
        assertThat(RdmaSockets.transport(client)).isPresent();
        return client;
    }

    /** Accepts one of whatever kind, and checks that bytes come. */
    private boolean acceptsRdma(ServerSocketChannel listener, SocketChannel client) throws IOException {
        SocketChannel accepted = channels.closing(Objects.requireNonNull(listener.accept()));
        accepted.configureBlocking(true);
        client.write(octets(6));
        ByteBuffer target = ByteBuffer.allocate(1);
        Channels.readFully(accepted, target);
        assertThat(target.get(0)).isEqualTo((byte) 6);
        return RdmaSockets.transport(accepted).isPresent();
    }

    @Test
    void whoWaitsAcceptsBoth() throws IOException {
        ServerSocketChannel listener = channels.listener();
        assertThat(acceptsRdma(listener, rdmaClient(listener))).isTrue();
        try (SocketChannel plain = plainClient(listener)) {
            assertThat(acceptsRdma(listener, plain)).isFalse();
        }
        assertThat(acceptsRdma(listener, rdmaClient(listener))).isTrue();
    }

    @Test
    void whoWaitedBeforeTheyCameAcceptsBoth() throws Exception {
        ServerSocketChannel listener = channels.listener();
        CompletableFuture<SocketChannel> accepting = accepting(listener);
        rdmaClient(listener);
        assertThat(RdmaSockets.transport(accepting.get(60, TimeUnit.SECONDS))).isPresent();
        CompletableFuture<SocketChannel> again = accepting(listener);
        try (SocketChannel plain = plainClient(listener)) {
            SocketChannel accepted = again.get(60, TimeUnit.SECONDS);
            assertThat(accepted.getRemoteAddress()).isEqualTo(plain.getLocalAddress());
        }
    }

    private CompletableFuture<SocketChannel> accepting(ServerSocketChannel listener) {
        CompletableFuture<SocketChannel> accepted = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                accepted.complete(channels.closing(listener.accept()));
            } catch (IOException e) {
                accepted.completeExceptionally(e);
            }
        });
        return accepted;
    }

    @Test
    void aSelectorSeesBoth() throws IOException {
        try (Selector selector = channels.provider().openSelector()) {
            ServerSocketChannel listener = channels.listener();
            listener.configureBlocking(false);
            assertThat(listener.accept()).isNull();
            SelectionKey key = listener.register(selector, OP_ACCEPT);
            SocketChannel rdma = rdmaClient(listener);
            await(selector, key);
            assertThat(acceptsRdma(listener, rdma)).isTrue();
            assertThat(listener.accept()).isNull();
            try (SocketChannel plain = plainClient(listener)) {
                await(selector, key);
                assertThat(acceptsRdma(listener, plain)).isFalse();
            }
        }
    }

    private static void await(Selector selector, SelectionKey key) throws IOException {
        do {
            selector.selectedKeys().clear();
            selector.select();
        } while (!selector.selectedKeys().contains(key));
    }

    @Test
    void itsSocketAcceptsInTime() throws IOException {
        ServerSocketChannel listener = channels.listener();
        listener.socket().setSoTimeout(10);
        assertThatThrownBy(() -> listener.socket().accept()).isInstanceOf(SocketTimeoutException.class);
        listener.socket().setSoTimeout(0);
        rdmaClient(listener);
        SocketChannel accepted = channels.closing(listener.socket().accept().getChannel());
        assertThat(RdmaSockets.transport(accepted)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anInterruptClosesItAndFreesThePort(boolean waitsBefore) throws Exception {
        ServerSocketChannel listener = channels.listener();
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread accepting = Thread.ofPlatform().start(() -> {
            try {
                listener.accept();
                failure.complete(new AssertionError("nobody has connected"));
            } catch (IOException e) {
                failure.complete(e);
            }
        });
        while (waitsBefore && !sleeps(accepting)) {
            Thread.onSpinWait();
        }
        accepting.interrupt();
        assertThat(failure.get(60, TimeUnit.SECONDS)).isInstanceOf(ClosedByInterruptException.class);
        assertThat(listener.isOpen()).isFalse();
        channels.closing(channels.provider().openServerSocketChannel()).bind(address);
    }

    // In the system call of the JDK's selector.
    private static boolean sleeps(Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace();
        return frames.length > 0
                && frames[0].isNativeMethod()
                && Arrays.stream(frames).anyMatch(frame -> frame.getMethodName().equals("lockAndDoSelect"));
    }
}
