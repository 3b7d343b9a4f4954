package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.memory.Access;

/** A peer that stops in the middle of an access to memory that is taken away: its connection ends, and no other. */
@Timeout(60)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class DirectStalledTest {
    private static final Access[] READ_WRITE = {Access.REMOTE_READ, Access.REMOTE_WRITE};

    private static Peer peer() {
        return new Peer("shm=require", "shm.direct=on", "probe=off", "progress.timeout=400ms");
    }

    private static Connection accepted(Listener listener, Peer server) throws Exception {
        return listener.poll(Peer.soon())
                .orElseThrow()
                .accept(server.config(), ConnectionConfig.defaults(), Peer.soon());
    }

    private static void assertBlamed(Connection connection) {
        assertThat(connection.queuePair().terminateCause()).hasValueSatisfying(cause -> {
            assertThat(cause.reason()).isEqualTo(TerminateReason.PEER_SILENT);
            assertThat(cause.toString()).contains("the peer has accessed revoked memory");
        });
    }

    @Test
    void bindOfOneConnectionThatWaitsForThePeerOfAnotherEndsTheOther() throws Exception {
        try (Peer server = peer();
                Peer client = peer();
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(client, server, listener);
            try (DirectPeer stopped = new DirectPeer(listener.localAddress());
                    Connection other = accepted(listener, server);
                    MemoryWindow window = server.domain.memoryWindow(MemoryWindow.Type.TYPE_1)) {
                server.queuePair().bind(1, window, server.buffer, 64, 64, SIGNALED, READ_WRITE);
                server.nextOk();
                stopped.claimNewest(2);
                server.queuePair().bind(2, window, server.buffer, 128, 64, SIGNALED, READ_WRITE);

                Raw.await(
                        "the end of a connection",
                        () -> !other.isConnected() || !server.connection().isConnected());

                assertThat(server.connection().isConnected()).isTrue();
                assertBlamed(other);
                stopped.rings.reach().release();
                assertThat(server.nextOk().wrId()).isEqualTo(2);
                client.queuePair().write(3, client.buffer, 0, 8, Peer.remote(server), 0, SIGNALED);
                client.nextOk();
            }
        }
    }

    @Test
    void bindThatWaitsForItsOwnPeerEndsItsConnection() throws Exception {
        try (Peer server = peer();
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                DirectPeer stopped = new DirectPeer(listener.localAddress());
                Connection its = accepted(listener, server);
                MemoryWindow window = server.domain.memoryWindow(MemoryWindow.Type.TYPE_1)) {
            its.queuePair().bind(1, window, server.buffer, 64, 64, SIGNALED, READ_WRITE);
            // Its peer has sent nothing, and need not.
            server.nextOk();
            stopped.claimNewest(2);
            its.queuePair().bind(2, window, server.buffer, 128, 64, SIGNALED, READ_WRITE);

            WorkCompletion failed = server.next();

            assertThat(failed.wrId()).isEqualTo(2);
            assertThat(failed.status()).isEqualTo(WcStatus.RETRY_EXCEEDED);
            assertBlamed(its);
            stopped.rings.reach().release();
        }
    }

    @Test
    void accessThatNobodyWaitsForMayLast() throws Exception {
        try (Peer server = peer();
                Peer client = peer();
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(client, server, listener);
            try (DirectPeer slow = new DirectPeer(listener.localAddress());
                    Connection other = accepted(listener, server)) {
                slow.claim();
                long end = System.nanoTime() + 1_200_000_000L;
                while (System.nanoTime() - end < 0) {
                    client.queuePair().write(1, client.buffer, 0, 8, Peer.remote(server), 0, SIGNALED);
                    client.nextOk();
                    assertThat(other.isConnected()).isTrue();
                }
                slow.rings.reach().release();
            }
        }
    }
}
