package org.panamaverbs.iwarp.engine.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;

/** What failures to connect mean to the application. */
class SocketErrorsTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7174);

    private static Reason reason(IOException cause) {
        return SocketErrors.connecting(PEER, cause).reason();
    }

    @Test
    void aPeerThatResetsAtOnceWasReached() {
        assertThat(reason(new SocketException("Connection reset by peer"))).isEqualTo(Reason.RESET);
        assertThat(reason(new SocketException("Connection reset"))).isEqualTo(Reason.RESET);
    }

    @Test
    void othersWereNot() {
        assertThat(reason(new ConnectException("Connection refused"))).isEqualTo(Reason.REFUSED);
        assertThat(reason(new NoRouteToHostException("No route to host"))).isEqualTo(Reason.UNREACHABLE);
        assertThat(reason(new ConnectException("Connection timed out"))).isEqualTo(Reason.UNREACHABLE);
    }

    @ParameterizedTest
    @CsvSource({
        "Connection reset by peer, RESET",
        "Broken pipe, RESET",
        "Connection timed out, UNREACHABLE",
        "No route to host, UNREACHABLE",
        "Network is unreachable, UNREACHABLE",
        "epoll_ctl: ENOSPC (28): no space left, CLOSED",
        "Too many open files, CLOSED"
    })
    void onlyThePeerResetsASetUp(String words, Reason reason) {
        ConnectionException failure = SocketErrors.broken("connect", PEER, new IOException(words), null);
        assertThat(failure.reason()).isEqualTo(reason);
        assertThat(failure).hasMessageContaining(words).hasMessageNotContaining("revision=1");
    }

    /** This process or this machine lacks it: neither the route nor the peer does. */
    @Test
    void whatThisSideLacksIsNoUnreachablePeer() {
        ConnectionException failure = SocketErrors.connecting(PEER, new SocketException("Too many open files"));
        assertThat(failure.reason()).isEqualTo(Reason.CLOSED);
        assertThat(failure).hasMessageContaining("ulimit -n");
    }
}
