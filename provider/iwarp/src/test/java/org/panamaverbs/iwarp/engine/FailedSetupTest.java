package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.iwarp.engine.cm.Attempt;
import org.panamaverbs.iwarp.engine.cm.Connector;
import org.panamaverbs.iwarp.engine.cm.Handshake;
import org.panamaverbs.iwarp.engine.context.ConnectionOptions;
import org.panamaverbs.iwarp.engine.context.SharedMemoryOptions;
import org.panamaverbs.iwarp.engine.objects.IwarpQueuePair;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.net.TcpSocket;
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
            QueuePair gone = client.domain.queuePair(client.config());
            gone.close();
            IwarpVerbs verbs = (IwarpVerbs) client.verbs;
            TcpSocket socket = verbs.context().sockets().open(false);
            Handshake handshake = Handshake.initiator(
                    verbs.context().loop(),
                    new TcpTransport(socket, ""),
                    (InetSocketAddress) responder.getLocalSocketAddress(),
                    Connector.startup(verbs.context().options(), ConnectionConfig.defaults()),
                    new Attempt(
                            "connect",
                            verbs.streams(),
                            (IwarpQueuePair) gone,
                            0,
                            new ConnectionOptions(false, SharedMemoryOptions.Mode.OFF)));
            verbs.context().loop().execute(handshake::connect);
            try (Socket initiator = responder.accept()) {
                byte[] heard = answer(initiator, crc, markers);
                byte[] expected = markers ? Framing.fpduWithMarkers(0, ULPDU) : Framing.fpdu(ULPDU);
                int end = crc ? expected.length : expected.length - 4;
                assertThat(heard).hasSameSizeAs(expected);
                assertThat(ByteBuffer.wrap(heard, 0, end)).isEqualTo(ByteBuffer.wrap(expected, 0, end));
            }
        }
    }

    /** Accepts, and returns what the initiator says from then on. */
    private static byte[] answer(Socket initiator, boolean crc, boolean markers) throws Exception {
        DataInputStream in = new DataInputStream(initiator.getInputStream());
        byte[] request = in.readNBytes(MPA_HEADER);
        in.readNBytes(ByteBuffer.wrap(request).getShort(MPA_HEADER - 2));
        ByteBuffer reply = ByteBuffer.allocate(MPA_HEADER)
                .put("MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII))
                .put((byte) ((crc ? C_FLAG : 0) | (markers ? M_FLAG : 0)))
                .put((byte) 1)
                .putShort((short) 0);
        initiator.getOutputStream().write(reply.array());
        return in.readAllBytes();
    }
}
