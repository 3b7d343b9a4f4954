package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.memory.RemoteBuffer;

/** The switch for the draft's Swap, end to end: on, off, and on at one side only. */
@Timeout(60)
class DraftSwapConnectionTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final String ON = "draft.swap=on";
    private static final long CELL = 128;

    private static void connect(Peer client, Peer server, ConnectionConfig config) throws Exception {
        try (Listener listener = server.verbs.listen(ANY_PORT)) {
            Peer.connect(client, client.config(), server, server.config(), listener, config, queuePair -> {});
        }
    }

    private static void swapSucceeds(Peer client, Peer server) {
        server.buffer.atomicTarget(CELL).setVolatile(1234);
        RemoteBuffer remote = Peer.remote(server);
        PostStatus.check(client.queuePair().swap(1, client.buffer, 0, remote, CELL, 77, SIGNALED));
        assertThat(client.nextOk().opcode()).isEqualTo(WcOpcode.CMP_SWAP);
        assertThat(client.buffer.atomicTarget(0).getVolatile()).isEqualTo(1234);
        assertThat(server.buffer.atomicTarget(CELL).getVolatile()).isEqualTo(77);
    }

    @Test
    void swapsWithTheSwitchOffOnBothSides() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            connect(client, server, ConnectionConfig.defaults());
            swapSucceeds(client, server);
            assertThat(client.connection().transport()).doesNotContain("draft");
        }
    }

    @Test
    void swapsWithTheSwitchOnForTheWholeContext() throws Exception {
        try (Peer client = new Peer(ON);
                Peer server = new Peer(ON)) {
            connect(client, server, ConnectionConfig.defaults());
            swapSucceeds(client, server);
            assertThat(client.connection().transport()).contains("draft Swap");
        }
    }

    @Test
    void swapsWithTheSwitchOnForOneConnection() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer()) {
            connect(client, server, ConnectionConfig.defaults().with("draft.swap", "on"));
            swapSucceeds(client, server);
            assertThat(server.connection().transport()).contains("draft Swap");

            try (Peer second = new Peer();
                    Listener listener = server.verbs.listen(ANY_PORT)) {
                Background<Connection> accepted = Background.start(() ->
                        listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
                Connection plain = second.verbs.connect(
                        listener.localAddress(), second.config(), ConnectionConfig.defaults(), Peer.soon());
                server.closeFirst(accepted.get());
                second.closeFirst(plain);
                assertThat(accepted.get().transport()).doesNotContain("draft");
            }
        }
    }

    @Test
    void swapsFromStandardRequesterAtDraftResponder() throws Exception {
        try (Peer client = new Peer();
                Peer server = new Peer(ON)) {
            connect(client, server, ConnectionConfig.defaults());
            swapSucceeds(client, server);
        }
    }

    @Test
    void failsClearlyAtStandardResponder() throws Exception {
        try (Peer client = new Peer(ON);
                Peer server = new Peer()) {
            connect(client, server, ConnectionConfig.defaults());
            server.buffer.atomicTarget(CELL).setVolatile(1234);
            PostStatus.check(client.queuePair().swap(1, client.buffer, 0, Peer.remote(server), CELL, 77, SIGNALED));
            assertThat(client.next().status()).isEqualTo(WcStatus.REMOTE_INVALID_REQUEST);
            assertThat(client.connection().awaitDisconnect(Peer.soon())).isTrue();
            assertThat(server.connection().awaitDisconnect(Peer.soon())).isTrue();
            assertThat(server.buffer.atomicTarget(CELL).getVolatile()).isEqualTo(1234);

            TerminateCause told = client.queuePair().terminateCause().orElseThrow();
            assertThat(told.origin()).isEqualTo(TerminateCause.Origin.REMOTE);
            assertThat(told.toString()).startsWith("0/2/06");
            TerminateCause found = server.queuePair().terminateCause().orElseThrow();
            assertThat(found.origin()).isEqualTo(TerminateCause.Origin.LOCAL);
            assertThat(found.toString()).startsWith("0/2/06");
        }
    }

    @Test
    void unknownOptionsOfConnectionsAreRefusedBeforeAnythingIsSent() {
        try (Peer client = new Peer()) {
            ConnectionConfig config = ConnectionConfig.defaults().with("draft.swaps", "on");
            assertThatThrownBy(() -> client.verbs.connect(ANY_PORT, client.config(), config, Peer.soon()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("draft.swap");
        }
    }
}
