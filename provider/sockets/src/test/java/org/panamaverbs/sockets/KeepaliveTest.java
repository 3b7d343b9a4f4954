package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.sockets.rules.RdmaUse;
import org.panamaverbs.sockets.rules.SocketRules;

/**
 * What becomes of a stream whose peer says nothing: with keepalive it is asked, and one that is gone ends the stream.
 */
@Timeout(60)
class KeepaliveTest {
    private static final OpenConfig DEVICE = OpenConfig.provider("iwarp")
            .with("shm", "off")
            .with("revision", "1")
            .with("crc", "off")
            .with("probe", "off")
            .with("progress.timeout", "1s");

    // As C asks: in siw-credits-keepalive.pcap (shared/spec), frame 66, without its CRC.
    private static final String KEEPALIVE = "000e" + "c140" + "00000000" + "0000000000000000";

    private final Channels channels = new Channels(DEVICE, SocketRules.always(RdmaUse.REQUIRE));

    @AfterEach
    void close() throws IOException {
        channels.close();
    }

    private SocketChannel channel() throws IOException {
        return channels.channel().setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 1);
    }

    /** The first thing that ours says is which buffer the peer may write, and how many messages. */
    private static void expectGrant(SilentPeer peer) throws Exception {
        assertThat(peer.fpdu()).startsWith("001ec140" + "00000001" + "0000000000001010");
        assertThat(peer.fpdu()).isEqualTo("00164143" + "00000000" + "00000000" + "00000001" + "00000000" + "70000080");
    }

    @Test
    void aPeerThatIsSilentIsAskedAgainAndAgain() throws Exception {
        try (SilentPeer peer = new SilentPeer()) {
            SocketChannel channel = channel().setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            channel.connect(peer.address());
            expectGrant(peer);
            assertThat(peer.fpdu()).isEqualTo(KEEPALIVE);
            assertThat(peer.fpdu()).isEqualTo(KEEPALIVE);
            // Its adapter has answered: that it says nothing is no reason to end.
            channel.configureBlocking(false);
            assertThat(channel.read(ByteBuffer.allocate(1))).isZero();
            assertThat(channel.write(Channels.octets(1))).isEqualTo(1);
        }
    }

    @Test
    void aConnectedChannelBeginsToAskWhenItIsToldTo() throws Exception {
        try (SilentPeer peer = new SilentPeer()) {
            SocketChannel channel = channel();
            channel.connect(peer.address());
            expectGrant(peer);
            channel.write(Channels.octets(7));
            channel.socket().setKeepAlive(true);
            assertThat(peer.fpdu()).as("the byte, as it was not asked before").startsWith("000fc140");
            assertThat(peer.fpdu()).as("its message").startsWith("00164143");
            assertThat(peer.fpdu()).isEqualTo(KEEPALIVE);
        }
    }

    /** Who has shut down its output still wants to know whether the rest can come. */
    @Test
    void aHalfClosedChannelAsks() throws Exception {
        try (SilentPeer peer = new SilentPeer()) {
            SocketChannel channel = channel();
            channel.connect(peer.address());
            channel.shutdownOutput();
            expectGrant(peer);
            assertThat(peer.fpdu()).endsWith("020000e0");
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            assertThat(peer.fpdu()).isEqualTo(KEEPALIVE);
        }
    }

    /** A peer that takes nothing is gone as far as the device knows: here after progress.timeout. */
    @Test
    void aPeerThatIsGoneTimesTheConnectionOut() throws Exception {
        try (SilentPeer peer = new SilentPeer();
                Selector selector = channels.provider().openSelector()) {
            SocketChannel channel = channel().setOption(StandardSocketOptions.SO_SNDBUF, 1 << 24);
            channel.connect(peer.address());
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            ByteBuffer octets = ByteBuffer.allocate(1 << 23);
            while (octets.hasRemaining() && channel.write(octets) > 0) {
                // More than its TCP takes, with this side's.
            }
            do {
                selector.select();
            } while (!key.isReadable());
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("Connection timed out");
            assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).hasMessage("Connection timed out");
        }
    }

    @Test
    void settingsAreThoseOfTcp() throws IOException {
        try (SocketChannel plain = SocketChannel.open()) {
            SocketChannel channel = channels.channel();
            for (var option : new java.net.SocketOption<?>[] {
                ExtendedSocketOptions.TCP_KEEPIDLE,
                ExtendedSocketOptions.TCP_KEEPINTERVAL,
                ExtendedSocketOptions.TCP_KEEPCOUNT
            }) {
                assertThat((Object) channel.getOption(option)).as(option.name()).isEqualTo(plain.getOption(option));
            }
            assertThatThrownBy(() -> channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 0))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("1 to 32767");
            assertThatThrownBy(() -> channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 128))
                    .isInstanceOf(SocketException.class);
        }
    }
}
