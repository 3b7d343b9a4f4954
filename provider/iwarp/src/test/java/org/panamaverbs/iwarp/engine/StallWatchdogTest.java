package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.verbs.IwarpVerbs;

/** Whom the look after streams keeps. */
@Timeout(60)
class StallWatchdogTest {
    @Test
    void connectionsThatAreClosedAreNotKeptUntilTheNextLook() throws Exception {
        try (Peer server = new Peer("progress.timeout=86400s");
                Peer client = new Peer();
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            StallWatchdog watchdog = ((IwarpVerbs) server.verbs).streams().watchdog();
            for (int i = 0; i < 3; i++) {
                Background<Connection> accepted = Background.start(() ->
                        listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
                try (Connection ours = client.verbs.connect(listener.localAddress(), client.config(), Peer.soon());
                        Connection theirs = accepted.get()) {
                    assertThat(ours.isConnected()).isTrue();
                    assertThat(theirs.isConnected()).isTrue();
                    assertThat(watchdog.watched()).isOne();
                }
                assertThat(watchdog.watched()).isZero();
            }
        }
    }
}
