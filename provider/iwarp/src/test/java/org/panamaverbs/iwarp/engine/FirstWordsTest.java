package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.testkit.Requirement;

/** What comes first over a socket, byte by byte: requests, and what becomes of bad replies and of rejected peers. */
@Timeout(60)
class FirstWordsTest {
    private static final int MPA_HEADER = 20;
    private static final int FLAGS = 16;
    private static final int REVISION = 17;

    /** What a responder heard of an initiator: its request, and how many bytes behind it until it closed. */
    private record Heard(byte flags, byte revision, int behind) {}

    // RFC 5044 §7.1.2: a bad reply closes the connection, and whoever wanted it is told.
    @ParameterizedTest
    @CsvSource({
        "MPA ID Rep Frbme, 1, 0",
        "MPA ID Req Frame, 1, 0",
        "MPA ID Rep Frame, 3, 0",
        "MPA ID Rep Frame, 0, 0",
        "MPA ID Rep Frame, 1, 513",
        "MPA ID Rep Frame, 2, 3"
    })
    @Requirement({
        "MPA-1.2-01",
        "MPA-4.4-02",
        "MPA-7.1.1-04",
        "MPA-7.1.1-14",
        "MPA-7.1.1-16",
        "MPA-7.1.2-3-01",
        "MPA-7.1.2-3-02",
        "MPA-7.1.2-5-01",
        "MPA-7.1.2-8-01",
        "MPA-7.1.2-9-02",
        "MPA-8-4-01",
        "MPA-8-4-02"
    })
    void initiatorClosesOnABadReply(String key, int revision, int length) throws Exception {
        byte[] reply = ByteBuffer.allocate(MPA_HEADER)
                .put(key.getBytes(StandardCharsets.US_ASCII))
                .put((byte) 0x50)
                .put((byte) revision)
                .putShort((short) length)
                .array();
        try (Peer client = new Peer("handshake.timeout=600s");
                ServerSocket responder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) responder.getLocalSocketAddress();
            Background<Heard> answering = Background.start(() -> answer(responder, reply));
            assertThatThrownBy(() ->
                            client.verbs.connect(address, client.config(), ConnectionConfig.defaults(), Peer.soon()))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            bad -> assertThat(bad.reason()).isEqualTo(Reason.PROTOCOL));
            Heard heard = answering.get();
            assertThat(heard.behind()).as("bytes behind the request").isZero();
            assertThat(heard.flags() & 0xE0).as("C alone of M, C and R").isEqualTo(0x40);
            assertThat(heard.revision()).isEqualTo((byte) 2);
        }
    }

    private static Heard answer(ServerSocket responder, byte[] reply) throws IOException {
        try (Socket initiator = responder.accept()) {
            DataInputStream in = new DataInputStream(initiator.getInputStream());
            byte[] request = in.readNBytes(MPA_HEADER);
            in.readNBytes(ByteBuffer.wrap(request).getShort(MPA_HEADER - 2));
            initiator.getOutputStream().write(reply);
            return new Heard(request[FLAGS], request[REVISION], endOf(in));
        }
    }

    private static int endOf(DataInputStream in) {
        try {
            return in.readAllBytes().length;
        } catch (IOException e) {
            // Reset, since bytes were left unread.
            return 0;
        }
    }

    // Choice 10 of decision 4: the connection of a peer that is rejected ends behind the reply.
    @Test
    @Requirement({"MPA-7.1.1-03", "MPA-7.1.1-10"})
    void responderClosesBehindARejection() throws Exception {
        try (Peer server = new Peer("handshake.timeout=600s");
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                Socket initiator = new Socket()) {
            initiator.connect(listener.localAddress());
            initiator.getOutputStream().write(Samples.bytes("M04"));
            Background<byte[]> heard =
                    Background.start(() -> initiator.getInputStream().readAllBytes());
            listener.accept(Peer.soon()).reject("full".getBytes(StandardCharsets.US_ASCII));
            byte[] reply = heard.get();
            assertThat(reply).as("a reply with depths, and nothing behind it").hasSize(MPA_HEADER + 4 + 4);
            assertThat(new String(reply, 0, FLAGS, StandardCharsets.US_ASCII)).isEqualTo("MPA ID Rep Frame");
            assertThat(reply[FLAGS] & 0x30).as("R and S").isEqualTo(0x30);
            assertThat(new String(reply, MPA_HEADER + 4, 4, StandardCharsets.US_ASCII))
                    .isEqualTo("full");
        }
    }
}
