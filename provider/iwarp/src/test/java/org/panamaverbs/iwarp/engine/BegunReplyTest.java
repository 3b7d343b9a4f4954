package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.iwarp.core.setup.MpaStartup;
import org.panamaverbs.iwarp.core.setup.StartupConfig;
import org.panamaverbs.testkit.Waits;

/**
 * Replies of listeners whose application takes its time. Intel's driver and siw of Linux 5.4 reset a connection whose
 * first segment has fewer than the 20 octets of a Reply's header: only a peer that is named gets its key beforehand.
 */
@Timeout(60)
class BegunReplyTest {
    private static final byte[] KEY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_OCTETS = 20;

    private static Socket asking(Listener listener, byte... privateData) throws IOException {
        Socket peer = new Socket(
                InetAddress.getLoopbackAddress(), listener.localAddress().getPort());
        ByteBuffer request = MpaStartup.initiator(StartupConfig.builder()
                        .crc(true)
                        .privateData(privateData)
                        .build())
                .transmitBuffer();
        byte[] octets = new byte[request.remaining()];
        request.get(octets);
        peer.getOutputStream().write(octets);
        return peer;
    }

    @Test
    void begunForAPeerThatIsNamedAndForNoOther() throws Exception {
        try (var verbs = Verbs.open(OpenConfig.provider("iwarp").with("reply.begin", "01"));
                var listener = verbs.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        ListenerConfig.defaults().with("reply.begin", "0182"));
                Socket strict = asking(listener, (byte) 0x01, (byte) 0x02);
                ConnectionRequest first = listener.accept(Waits.deadline());
                Socket named = asking(listener, (byte) 0x01, (byte) 0x82, (byte) 0x33);
                ConnectionRequest second = listener.accept(Waits.deadline())) {
            // Asked after the other, by the same thread: what is done of itself for the other was done before.
            assertThat(named.getInputStream().readNBytes(KEY.length)).isEqualTo(KEY);
            assertIsAnsweredInOnePiece(strict, first);
            second.reject(new byte[0]);
            byte[] rest = named.getInputStream().readAllBytes();
            assertThat(rest).hasSizeGreaterThanOrEqualTo(HEADER_OCTETS - KEY.length);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 40})
    void begunForNobodyByDefault(int octets) throws Exception {
        byte[] data = Arrays.copyOf(new byte[] {1, (byte) 0x82}, octets);
        try (var named = Verbs.open(OpenConfig.provider("iwarp").with("reply.begin", "01"));
                var verbs = Verbs.open(OpenConfig.provider("iwarp"));
                var later = named.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Socket strict = asking(listener, data);
                ConnectionRequest request = listener.accept(Waits.deadline())) {
            for (int i = 0; i < 3; i++) {
                // As long as a Reply takes that is begun.
                try (Socket other = asking(later, (byte) 1)) {
                    assertThat(other.getInputStream().readNBytes(KEY.length)).isEqualTo(KEY);
                }
            }
            assertIsAnsweredInOnePiece(strict, request);
        }
    }

    @Test
    void otherOptionsOfListenersAreRefused() {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            assertThatThrownBy(() -> verbs.listen(any, ListenerConfig.defaults().with("crc", "off")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("no listener option crc", "reply.begin");
            assertThatThrownBy(() -> verbs.listen(any, ListenerConfig.defaults().with("reply.begin", "1")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("whole bytes in hexadecimal");
        }
    }

    private static void assertIsAnsweredInOnePiece(Socket peer, ConnectionRequest request) throws IOException {
        assertThat(peer.getInputStream().available()).isZero();
        request.reject(new byte[] {7});
        byte[] octets = new byte[2 * HEADER_OCTETS];
        assertThat(peer.getInputStream().read(octets)).isGreaterThan(HEADER_OCTETS);
        assertThat(octets).startsWith(KEY);
    }
}
