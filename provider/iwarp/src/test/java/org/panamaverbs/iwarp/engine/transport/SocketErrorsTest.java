package org.panamaverbs.iwarp.engine.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
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
}
