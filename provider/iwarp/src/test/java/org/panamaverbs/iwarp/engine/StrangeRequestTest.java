package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.testkit.Requirement;

/** Peers whose first words are not a Request that the listener knows, or are none. */
@Timeout(60)
class StrangeRequestTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Peer server = new Peer("handshake.timeout=300ms");

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    @Requirement({"MPA-7.1.2-2-01", "MPA-7.1.2-8-02", "SEC-6.4.2-01"})
    void dropsPeersThatSendNoRequest() throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT);
                Socket mute = new Socket()) {
            mute.connect(listener.localAddress());

            assertThat(mute.getInputStream().read())
                    .as("closed by the listener")
                    .isEqualTo(-1);
            assertThat(listener.poll(Deadline.now())).isEmpty();
        }
    }

    // Not when the time of the set-up is over, but at once.
    @Test
    @Requirement({"MPA-7.1.1-02", "MPA-7.1.2-2-02", "MPA-7.1.2-5-01", "MPA-8-4-02"})
    void dropsPeersThatSendNoMpaRequest() throws Exception {
        try (Peer patient = new Peer("handshake.timeout=600s");
                Listener listener = patient.verbs.listen(ANY_PORT);
                Socket stranger = new Socket()) {
            stranger.connect(listener.localAddress());
            stranger.getOutputStream().write(new byte[64]);

            assertThat(endOf(stranger)).isTrue();
        }
    }

    // RFC 6581 §10: who does not speak the enhanced set-up closes.
    @Test
    @Requirement("ENH-10-04")
    void dropsPeersOfAnotherRevision() throws Exception {
        try (Peer old = new Peer("revision=1", "handshake.timeout=600s");
                Listener listener = old.verbs.listen(ANY_PORT);
                Socket newer = new Socket()) {
            newer.connect(listener.localAddress());
            newer.getOutputStream().write(Samples.bytes("M04"));

            assertThat(endOf(newer)).isTrue();
        }
    }

    private static boolean endOf(Socket socket) {
        try {
            return socket.getInputStream().read() == -1;
        } catch (IOException e) {
            // Reset, since bytes were left unread.
            return true;
        }
    }
}
