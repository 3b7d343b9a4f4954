package org.panamaverbs.sockets.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.panamaverbs.sockets.tcp.Peers.Kind;

class PeersTest {
    private static final InetSocketAddress SOME = address(1);

    private long now = Long.MAX_VALUE - 10; // nanoseconds wrap around
    private final Peers peers = new Peers(() -> now);

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void remembersByAddressAndPort() {
        assertThat(peers.of(SOME)).isEqualTo(Kind.UNKNOWN);
        peers.isPlain(SOME);
        assertThat(peers.of(SOME)).isEqualTo(Kind.PLAIN);
        assertThat(peers.of(address(2))).isEqualTo(Kind.UNKNOWN);
        peers.answeredByRdma(SOME);
        assertThat(peers.of(SOME)).isEqualTo(Kind.RDMA);
        peers.forget(SOME);
        assertThat(peers.of(SOME)).isEqualTo(Kind.UNKNOWN);
    }

    @Test
    void tellsOneCallerToAskAPlainPeerAgain() {
        peers.isPlain(SOME);
        now += Peers.ASKED_AGAIN_NANOS - 1;
        assertThat(peers.of(SOME)).isEqualTo(Kind.PLAIN);
        now++;
        assertThat(peers.of(SOME)).isEqualTo(Kind.PLAIN_LONG_AGO);
        assertThat(peers.of(SOME)).isEqualTo(Kind.PLAIN);
        now += Peers.ASKED_AGAIN_NANOS;
        assertThat(peers.of(SOME)).isEqualTo(Kind.PLAIN_LONG_AGO);
    }

    @Test
    void dropsWhatWasAskedForLeastLately() {
        peers.isPlain(SOME);
        for (int port = 2; port <= Peers.MOST; port++) {
            peers.isPlain(address(port));
        }
        assertThat(peers.of(SOME)).isEqualTo(Kind.PLAIN);
        peers.isPlain(address(Peers.MOST + 1));
        assertThat(peers.of(SOME)).isEqualTo(Kind.PLAIN);
        assertThat(peers.of(address(2))).isEqualTo(Kind.UNKNOWN);
    }

    @Test
    void forgetsWhatIsPlainAlone() {
        InetSocketAddress plain = address(1);
        InetSocketAddress other = address(2);
        peers.isPlain(plain);
        peers.answeredByRdma(other);
        peers.forgetPlain(plain);
        peers.forgetPlain(other);
        peers.forgetPlain(address(3));
        assertThat(peers.of(plain)).isEqualTo(Kind.UNKNOWN);
        assertThat(peers.of(other)).isEqualTo(Kind.RDMA);
    }
}
