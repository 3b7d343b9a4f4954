package org.panamaverbs.iwarp.engine;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.Requirement;

/** Peers that agree to a connection and then do nothing any more, with real sockets. */
@Timeout(60)
@Tag("alone")
class StalledPeerTest {
    private static final RemoteBuffer ANYWHERE =
            RemoteBuffer.of(0x1234, 0, Peer.BUFFER_BYTES, Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE));
    private static final int PRIVATE_DATA = 512;

    /** A peer that answers the set-up and then neither reads nor writes. */
    private static final class Mute implements AutoCloseable {
        private final ServerSocket server;
        private final Background<Socket> accepted;

        Mute() throws IOException {
            this(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }

        Mute(ServerSocket listening) {
            server = listening;
            accepted = Background.start(() -> {
                Socket socket = server.accept();
                // RFC 6581: the request of a client that says nothing beside.
                socket.getInputStream().readNBytes(24);
                socket.getOutputStream().write(Samples.bytes("M05"));
                return socket;
            });
        }

        InetSocketAddress address() {
            return (InetSocketAddress) server.getLocalSocketAddress();
        }

        @Override
        public void close() throws IOException {
            server.close();
            socket().close();
        }

        /** Returns the peer's socket once the set-up is answered. */
        Socket socket() throws IOException {
            try {
                return accepted.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the peer's set-up");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"background", "spin"})
    @Requirement("MPA-7.1.2-10-02")
    void anUnansweredReadFailsInTime(String progress) throws Exception {
        try (Mute mute = new Mute();
                Peer client = new Peer("progress.timeout=300ms", "progress=" + progress);
                Connection connection = client.verbs.connect(mute.address(), client.config(), Peer.soon())) {
            mute.socket();
            PostStatus.check(connection.queuePair().read(1, client.buffer, 0, 8, ANYWHERE, 0, SIGNALED));
            PostStatus.check(connection.queuePair().recv(2, client.buffer));

            WorkCompletion read = client.next();
            assertThat(read.wrId()).isEqualTo(1);
            assertThat(read.status()).isEqualTo(WcStatus.RETRY_EXCEEDED);
            assertThat(client.next().status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
            assertThat(connection.awaitDisconnect(Peer.soon())).isTrue();
            assertThat(connection.terminateCause().orElseThrow().toString()).contains("did not answer");
            assertThat(client.event(AsyncEvent.Type.QP_FATAL).source()).isEqualTo(connection.queuePair());
        }
    }

    @Test
    @Requirement("SEC-6.4.2-01")
    void aPeerThatStopsReadingIsLeft() throws Exception {
        try (Mute mute = new Mute();
                Peer client = new Peer("progress.timeout=300ms");
                Connection connection = client.verbs.connect(mute.address(), client.config(), Peer.soon())) {
            int posted = 0;
            int status;
            do {
                status = connection
                        .queuePair()
                        .write(posted, client.buffer, 0, Peer.BUFFER_BYTES, ANYWHERE, 0, SIGNALED);
                posted++;
            } while (status == PostStatus.ACCEPTED && posted < 64);
            PostStatus.check(status);

            boolean failed = false;
            for (int i = 0; i < posted; i++) {
                WorkCompletion next = client.next();
                assertThat(next.wrId()).as("each once, in order").isEqualTo(i);
                assertThat(next.ok() && failed).as("a success behind a failure").isFalse();
                if (!next.ok()) {
                    assertThat(next.status()).isEqualTo(failed ? WcStatus.WR_FLUSH_ERROR : WcStatus.RETRY_EXCEEDED);
                    failed = true;
                }
            }
            assertThat(failed).isTrue();
            assertThat(connection.terminateCause().orElseThrow().toString()).contains("has accepted no bytes");
        }
    }

    /** What TCP has is done as far as verbs go; that the peer's TCP takes it is still looked at. */
    @Test
    @Requirement("SEC-6.4.2-01")
    void aPeerThatAcknowledgesNothingIsLeft() throws Exception {
        ServerSocket small = new ServerSocket();
        small.setReceiveBufferSize(1024);
        small.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (Mute mute = new Mute(small);
                Peer client = new Peer("progress.timeout=300ms", "probe=off");
                Connection connection = client.verbs.connect(mute.address(), client.config(), Peer.soon())) {
            for (int i = 0; i < 8; i++) {
                PostStatus.check(connection.queuePair().write(i, client.buffer, 0, 1024, ANYWHERE, 0, SIGNALED));
                assertThat(client.nextOk().wrId()).isEqualTo(i);
            }
            assertThat(connection.awaitDisconnect(Peer.soon())).isTrue();
            assertThat(connection.terminateCause().orElseThrow().toString()).contains("not acknowledged");
        }
    }

    @Test
    void anIdleConnectionOutlastsTheTimeout() throws Exception {
        String[] impatient = {"progress.timeout=100ms", "rtr=write"};
        try (Mute mute = new Mute();
                Peer server = new Peer(impatient);
                Peer client = new Peer(impatient);
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            // Receives that wait are nothing under way.
            Peer.connect(client, server, listener, queuePair -> PostStatus.check(queuePair.recv(7, server.buffer)));
            try (Connection stuck = client.verbs.connect(mute.address(), client.config(), Peer.soon())) {
                PostStatus.check(stuck.queuePair().read(1, client.buffer, 0, 8, ANYWHERE, 0, SIGNALED));
                assertThat(client.next().status()).isEqualTo(WcStatus.RETRY_EXCEEDED);
            }

            assertThat(client.connection().isConnected()).isTrue();
            PostStatus.check(client.queuePair().send(2, client.buffer, 0, 8, SIGNALED));
            assertThat(client.nextOk().wrId()).isEqualTo(2);
            assertThat(server.nextOk().wrId()).isEqualTo(7);
        }
    }

    @Test
    void aReplyOctetByOctetDoesNotOutlastTheDeadline() throws Exception {
        byte[] reply = Arrays.copyOf(Samples.bytes("M05"), 20 + PRIVATE_DATA);
        ByteBuffer.wrap(reply).putShort(18, (short) PRIVATE_DATA);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Peer client = new Peer()) {
            // A byte each 40 ms: good, but all of them take 20 s.
            Background<Integer> octets = Background.start(() -> {
                try (Socket socket = server.accept()) {
                    socket.getInputStream().readNBytes(24);
                    int sent = 0;
                    while (sent < reply.length && !Raw.closedWithin(socket, 40)) {
                        socket.getOutputStream().write(reply[sent++]);
                    }
                    return sent;
                }
            });

            assertThatThrownBy(() -> client.verbs.connect(
                            (InetSocketAddress) server.getLocalSocketAddress(),
                            client.config(),
                            Deadline.in(300, MILLISECONDS)))
                    .isInstanceOf(DeadlineExceededException.class);
            assertThat(octets.get()).as("bytes until it was left").isLessThan(reply.length);
        }
    }
}
