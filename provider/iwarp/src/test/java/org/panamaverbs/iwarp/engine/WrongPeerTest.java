package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.engine.cm.Connector;
import org.panamaverbs.iwarp.engine.device.IwarpOptions;
import org.panamaverbs.iwarp.engine.transport.SocketErrors;
import org.panamaverbs.testkit.Waits;

/** Peers that do not speak iWARP, or not to the end: what is said of them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WrongPeerTest {
    @Test
    void listenerThatSaysNothingIsToldFromOneThatIsNotThere() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(connect(silent, Deadline.in(Duration.ofMillis(300))))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContainingAll(
                            "no connection with 127.0.0.1:" + silent.getLocalPort(),
                            "TCP connected after",
                            "no MPA Reply came in the",
                            "iWARP listener",
                            "the attempt was undone");
        }
    }

    @Test
    void listenerThatStopsInsideItsReplyIsToldByHowMuchOfItCame() throws Exception {
        try (ServerSocket halting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> answer(halting, "MPA ID "));
            assertThatThrownBy(connect(halting, Deadline.in(Duration.ofSeconds(1))))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContaining("only 7 bytes of an MPA Reply came");
        }
    }

    /** A listener begins its Reply while its application takes its time, if it knows that the peer takes that. */
    @Test
    void applicationThatDoesNotAcceptIsToldFromAListenerThatSaysNothing() {
        try (var verbs = Verbs.open(OpenConfig.provider("iwarp").with("reply.begin", "01"));
                var domain = verbs.protectionDomain();
                var queue = verbs.completionQueue(16);
                var listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var queuePair = domain.queuePair(QueuePairConfig.of(domain, queue));
                PendingConnection attempt = verbs.beginConnect(
                        listener.localAddress(),
                        queuePair,
                        ConnectionConfig.defaults().withPrivateData(new byte[] {1, 2}),
                        Deadline.in(Duration.ofSeconds(2)))) {
            assertThatThrownBy(() -> attempt.await(Waits.deadline()))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContaining("the application at the iWARP listener did not accept");
            assertThat(attempt.silentNanos()).isZero();
        }
    }

    @Test
    void peerThatSaysNothingIsSilentFromTheRequestOn() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var verbs = Verbs.open(OpenConfig.provider("iwarp"));
                var domain = verbs.protectionDomain();
                var queue = verbs.completionQueue(16);
                var queuePair = domain.queuePair(QueuePairConfig.of(domain, queue));
                PendingConnection attempt = verbs.beginConnect(
                        (InetSocketAddress) silent.getLocalSocketAddress(),
                        queuePair,
                        ConnectionConfig.defaults(),
                        Waits.deadline())) {
            try (Socket peer = silent.accept()) {
                peer.getInputStream().readNBytes(20);
                until(() -> attempt.silentNanos() > 0);
                long before = attempt.silentNanos();
                until(() -> attempt.silentNanos() > before);
                peer.getOutputStream().write("MPA ID Rep Fram".getBytes(StandardCharsets.US_ASCII));
                assertThat(attempt.silentNanos()).isPositive();
                peer.getOutputStream().write('e');
                until(() -> attempt.silentNanos() == 0);
            }
        }
    }

    @Test
    void fullListenerIsNotSaidToHaveConnected() throws Exception {
        List<Socket> waiting = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            fill(full, waiting);
            assertThatThrownBy(connect(full, Deadline.in(Duration.ofMillis(300))))
                    .isInstanceOf(DeadlineExceededException.class)
                    .hasMessageContainingAll("TCP did not connect in", "check the address");
        } finally {
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    // Linux drops the SYN of whom the queue of a listener has no room for.
    private static void fill(ServerSocket listener, List<Socket> waiting) throws IOException {
        for (int i = 0; i < 16; i++) {
            Socket socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(listener.getLocalSocketAddress(), 200);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
        throw new AssertionError("the listener accepts " + waiting.size() + " connections that nobody accepts");
    }

    @Test
    void textOfAClientIsShownAsText() {
        // What the listener logs of a peer that did not get as far as a connection.
        IwarpOptions options = IwarpOptions.parse(Map.of(), new Properties());
        MpaStartup startup = MpaStartup.responder(Connector.startup(options, ConnectionConfig.defaults()));
        ByteBuffer in = startup.receiveBuffer();
        in.put("GET / HTTP/1.1\r\nHost".getBytes(StandardCharsets.US_ASCII), 0, in.remaining());
        startup.received();
        var client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
        assertThat(SocketErrors.setup("accept", client, startup))
                .hasMessageContainingAll(
                        "127.0.0.1:50000",
                        "\"GET / HTTP/1.1\\r\\n\" (474554202f20485454502f312e310d0a)",
                        "check which program connects to this listener's port");
    }

    @Test
    void textOfAnotherProtocolIsShownAsText() throws Exception {
        try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> answer(web, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"));
            assertThatThrownBy(connect(web, Waits.deadline()))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContainingAll(
                            "\"HTTP/1.1 400 Bad\" (485454502f312e312034303020426164)", "check address and port");
        }
    }

    private static void until(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private static void answer(ServerSocket listener, String text) {
        try (Socket client = listener.accept()) {
            client.getInputStream().readNBytes(20);
            client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().flush();
            client.getInputStream().readAllBytes();
        } catch (IOException e) {
            System.out.println("the initiator has left: " + e);
        }
    }

    private static ThrowingCallable connect(ServerSocket listener, Deadline deadline) {
        return () -> {
            try (var verbs = Verbs.open(OpenConfig.provider("iwarp"));
                    var domain = verbs.protectionDomain();
                    var queue = verbs.completionQueue(16)) {
                var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
                verbs.connect(address, QueuePairConfig.of(domain, queue), deadline)
                        .close();
            }
        };
    }
}
