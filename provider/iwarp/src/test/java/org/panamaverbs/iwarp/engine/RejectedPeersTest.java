package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.wire.Samples;
import org.panamaverbs.testkit.Requirement;

/** Peers that are rejected and do not close their side. */
@Timeout(60)
class RejectedPeersTest {
    private static final int PLACES = 4;

    /** Tells whether the other side has closed both directions: what comes then is answered by a reset. */
    private static boolean isGone(Socket socket) {
        try {
            socket.getOutputStream().write(0);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    @Requirement("SEC-6.4.2-01")
    void soManyMayLingerAndNoMore() throws Exception {
        List<Socket> rejected = new ArrayList<>();
        try (Peer server = new Peer("linger=600s", "max.half.open=" + PLACES);
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            for (int i = 0; i < 2 * PLACES; i++) {
                Socket socket = Raw.connect(listener.localAddress(), "127.0.0.1");
                rejected.add(socket);
                socket.getOutputStream().write(Samples.bytes("M04"));
                listener.accept(Peer.soon()).reject(new byte[0]);
                assertThat(Raw.closedWithin(socket, 20_000)).as("its output").isTrue();
            }

            for (Socket old : rejected.subList(0, PLACES)) {
                Raw.await("that the oldest are gone", () -> isGone(old));
            }
            for (Socket young : rejected.subList(PLACES, 2 * PLACES)) {
                assertThat(isGone(young)).isFalse();
            }
        } finally {
            for (Socket socket : rejected) {
                socket.close();
            }
        }
    }
}
