package org.panamaverbs.sockets.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.sockets.rsocket.ConnectData;
import org.panamaverbs.sockets.rsocket.OwnBuffers;

/** What peers get from a listener that has no room for them: the beginning of a Reply only if they take that. */
@Timeout(60)
class BegunReplyTest {
    private static final int BACKLOG = 2;
    private static final long WAIT = TimeUnit.SECONDS.toNanos(30);
    private static final byte[] KEY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REQUEST = new OwnBuffers(0x1000, 1, 0x2000, 2, 65536, 384, 0)
            .connectData(false)
            .encode();

    private static Socket asking(StreamListener listener, byte[] privateData) throws IOException {
        Socket peer = new Socket(
                InetAddress.getLoopbackAddress(), listener.localAddress().getPort());
        byte[] octets = ByteBuffer.allocate(20 + privateData.length)
                .put("MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII))
                .put(new byte[] {0x40, 1, 0, (byte) privateData.length})
                .put(privateData)
                .array();
        peer.getOutputStream().write(octets);
        return peer;
    }

    @Test
    void onlyWhoTakesAReplyInPiecesGetsItsBeginning() throws Exception {
        try (StreamDevice device = new StreamDevice(Verbs.open(OpenConfig.provider("iwarp")), true, 0)) {
            StreamListener listener = device.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    ListenerConfig.defaults().withBacklog(BACKLOG),
                    StreamSizes.defaults());
            RdmaStream[] full = new RdmaStream[BACKLOG];
            for (int i = 0; i < BACKLOG; i++) {
                full[i] = device.connect(
                        listener.localAddress(), null, StreamSizes.defaults(), StreamDevice.CONNECT_SECONDS);
                full[i].awaitSetUp(WAIT);
                full[i].requireConnected();
            }
            try (Socket strict = asking(listener, REQUEST);
                    Socket other = asking(listener, ConnectData.takingPieces(REQUEST))) {
                assertThat(other.getInputStream().readNBytes(KEY.length)).isEqualTo(KEY);
                // Asked before the other.
                assertThat(strict.getInputStream().available()).isZero();
                listener.await(WAIT);
                Objects.requireNonNull(listener.poll()).close(0);
                byte[] octets = new byte[20 + ConnectData.BYTES];
                assertThat(strict.getInputStream().read(octets)).isEqualTo(octets.length);
                assertThat(octets).startsWith(KEY);
            }
            for (RdmaStream each : full) {
                each.close(0);
            }
            listener.close();
        }
    }
}
