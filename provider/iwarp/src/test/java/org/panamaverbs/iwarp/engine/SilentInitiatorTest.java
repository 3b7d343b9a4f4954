package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.iwarp.wire.Samples;

/** An initiator that asks as Linux siw does, without a ready-to-receive message, and then waits for the acceptor. */
@Timeout(60)
@Tag("alone")
class SilentInitiatorTest {
    private static final int MPA_HEADER = 20;
    private static final int LENGTH = 18;
    private static final byte[] WORDS = {1, 2, 3, 4, 5, 6, 7, 8};
    // RFC 5044 §4: ULPDU length, untagged DDP header, payload, and a CRC that nobody asked for.
    private static final int SEND_BYTES = 2 + 18 + WORDS.length + 4;

    @Test
    void hearsTheAcceptorThatSendsFirst() throws Exception {
        try (Peer server = new Peer("crc=off", "first.fpdu.timeout=100ms");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Socket siw = Raw.connect(
                        listener.localAddress(),
                        InetAddress.getLoopbackAddress().getHostAddress())) {
            send(server, listener, siw);
            long accepted = System.nanoTime();
            DataInputStream in = new DataInputStream(siw.getInputStream());
            skipReply(in);
            byte[] fpdu = in.readNBytes(SEND_BYTES);
            assertThat(System.nanoTime() - accepted).isLessThan(20_000_000_000L);
            assertThat(fpdu).hasSize(SEND_BYTES).containsSequence(WORDS);
            WorkCompletion completion = server.next();
            assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(completion.wrId()).isEqualTo(1);
            assertThat(server.connection().isConnected()).isTrue();
        }
    }

    @Test
    void causeNamesWhatToDoWhereItIsNotSpokenTo() throws Exception {
        try (Peer server = new Peer("first.fpdu.timeout=off", "progress.timeout=400ms");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Socket siw = Raw.connect(
                        listener.localAddress(),
                        InetAddress.getLoopbackAddress().getHostAddress())) {
            send(server, listener, siw);
            DataInputStream in = new DataInputStream(siw.getInputStream());
            skipReply(in);
            assertThat(server.next().status()).isEqualTo(WcStatus.RETRY_EXCEEDED);
            assertThat(server.queuePair().terminateCause()).hasValueSatisfying(cause -> {
                assertThat(cause.reason()).isEqualTo(TerminateReason.NO_FIRST_FPDU);
                assertThat(cause.toString())
                        .contains("the peer has sent no FPDU")
                        .contains("withPeerToPeer(true)")
                        .contains("first.fpdu.timeout")
                        .doesNotContain("network");
            });
        }
    }

    /** Has {@code siw} ask for a connection, and {@code server} accept it and send at once. */
    private static void send(Peer server, Listener listener, Socket siw) throws IOException {
        siw.setSoTimeout(20_000);
        siw.getOutputStream().write(Samples.bytes("M06"));
        Connection connection =
                listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
        server.connected(connection);
        for (int i = 0; i < WORDS.length; i++) {
            server.buffer.segment().set(ValueLayout.JAVA_BYTE, i, WORDS[i]);
        }
        PostStatus.check(connection.queuePair().send(1, server.buffer, 0, WORDS.length, SendFlag.SIGNALED));
    }

    private static void skipReply(DataInputStream in) throws IOException {
        byte[] header = in.readNBytes(MPA_HEADER);
        in.skipNBytes(((header[LENGTH] & 0xFF) << 8) | (header[LENGTH + 1] & 0xFF));
    }
}
