package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Requirement;

/** What a responder may do with the connection that it rejects: to the initiator it is the same. */
@Timeout(60)
class RejectVariantsTest {
    private static final int MPA_HEADER = 20;
    private static final byte[] TERMINATE =
            HexFormat.of().parseHex("4147" + "00000000" + "00000002" + "00000001" + "00000000" + "20060000");

    enum Behind {
        /** RFC 5044 §7.1.2 leaves the connection open. */
        NOTHING,
        /** Every kernel closes it. */
        FIN,
        /** RFC 6581 §9.1 has it that a Terminate comes with it. */
        TERMINATE
    }

    @ParameterizedTest
    @EnumSource(Behind.class)
    @Requirement({"MPA-7.1.1-10", "ENH-9.1-01", "ENH-9.1-10"})
    void initiatorTakesTheRejectionAndCloses(Behind behind) throws Exception {
        try (Peer client = new Peer();
                ServerSocket responder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) responder.getLocalSocketAddress();
            Background<Integer> rejecting = Background.start("reject", () -> reject(responder, behind));
            assertThatThrownBy(() ->
                            client.verbs.connect(address, client.config(), ConnectionConfig.defaults(), Peer.soon()))
                    .isInstanceOfSatisfying(ConnectionException.class, rejected -> {
                        assertThat(rejected.reason()).isEqualTo(Reason.REJECTED);
                        assertThat(rejected.privateData()).isEqualTo("full".getBytes(StandardCharsets.US_ASCII));
                        assertThat(rejected.peerResponderResources()).isEqualTo(5);
                        assertThat(rejected.peerInitiatorDepth()).isEqualTo(3);
                    });
            assertThat(rejecting.await(Peer.soon()))
                    .as("bytes behind the request")
                    .isZero();
        }
    }

    /** Rejects, and returns how many bytes the initiator still sent before it closed. */
    private static int reject(ServerSocket responder, Behind behind) throws Exception {
        try (Socket initiator = responder.accept()) {
            DataInputStream in = new DataInputStream(initiator.getInputStream());
            byte[] request = in.readNBytes(MPA_HEADER);
            in.readNBytes(ByteBuffer.wrap(request).getShort(MPA_HEADER - 2));
            byte[] more = behind == Behind.TERMINATE ? Framing.fpdu(TERMINATE) : new byte[0];
            ByteBuffer reply = ByteBuffer.allocate(MPA_HEADER + 8 + more.length)
                    .put("MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII))
                    .put((byte) 0x70)
                    .put((byte) 2)
                    .putShort((short) 8)
                    .putInt(5 << 16 | 3)
                    .put("full".getBytes(StandardCharsets.US_ASCII))
                    .put(more);
            initiator.getOutputStream().write(reply.array());
            if (behind == Behind.FIN) {
                initiator.shutdownOutput();
            }
            return endOf(in);
        }
    }

    private static int endOf(DataInputStream in) {
        try {
            return in.readAllBytes().length;
        } catch (java.io.IOException e) {
            // Reset, since bytes were left unread.
            return 0;
        }
    }
}
