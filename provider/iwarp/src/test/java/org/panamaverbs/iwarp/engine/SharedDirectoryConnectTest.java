package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.iwarp.net.unix.SharedDirectory;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;

/** Who shares memory by way of a directory, who stays on TCP, and what is said of it. */
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class SharedDirectoryConnectTest extends SharedDirectoryFixture {
    @TempDir
    private Path another;

    @Test
    void bothSidesShareMemoryAndLeaveNothing() throws Exception {
        Peer client = peer("shm=require");
        Peer server = peer("shm=require");

        connect(client, server);

        sharesMemory(client);
        sharesMemory(server);
        client.queuePair().write(1, client.buffer, 0, 64, Peer.remote(server), 0, SIGNALED);
        client.nextOk();
        assertThat(left()).isEmpty();
    }

    @Test
    void aListenerAtTheWildcardAddressTellsOfEachThatItHas() throws Exception {
        Peer client = peer("shm=require");
        Peer server = peer("shm=require");
        try (Listener listener = server.verbs.listen(new InetSocketAddress(0))) {
            InetSocketAddress address =
                    new InetSocketAddress(here, listener.localAddress().getPort());
            Background<Connection> accepted = Background.start(() ->
                    listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
            client.connected(client.verbs.connect(address, client.config(), FROM_LOOPBACK, Peer.soon()));
            server.connected(accepted.get());
        }
        sharesMemory(client);
    }

    /** In one network namespace nothing is asked of the directory. */
    @Test
    void peersOfOneNamespaceDoWithoutIt() throws Exception {
        Peer client = peerIn(Path.of("/nowhere"));
        Peer server = plain("shm=auto");
        Peer.connect(client, server);
        sharesMemory(client);
    }

    @Test
    void aConnectionHasADirectoryOfItsOwn() throws Exception {
        Peer client = plain("shm=require");
        Peer server = peer();
        try (Listener listener = listen(server)) {
            Background<Connection> accepted = Background.start(() ->
                    listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
            ConnectionConfig config = FROM_LOOPBACK.with("shm.dir", directory.toString());
            client.connected(client.verbs.connect(listener.localAddress(), client.config(), config, Peer.soon()));
            server.connected(accepted.get());
        }
        sharesMemory(client);
    }

    @Test
    void oneThatIsAcceptedHasItsContexts() {
        Peer client = plain("shm=off");
        Peer server = peer();
        try (Listener listener = listen(server)) {
            Background<Boolean> refused = Background.start(() -> {
                var request = listener.accept(Peer.soon());
                ConnectionConfig config = ConnectionConfig.defaults().with("shm.dir", "/run");
                assertThatThrownBy(() -> request.accept(server.config(), config, Peer.soon()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("option shm.dir of accepted connections belongs to the context");
                request.close();
                return true;
            });
            assertThatThrownBy(() ->
                            client.verbs.connect(listener.localAddress(), client.config(), FROM_LOOPBACK, Peer.soon()))
                    .isInstanceOf(ConnectionException.class);
            assertThat(refused.get()).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whoSeesAnotherDirectoryStaysOnTcp() throws Exception {
        Peer client = peerIn(another);
        Peer server = peer();
        connect(client, server);
        staysOnTcp(
                client,
                "no listener at " + here.getHostAddress() + " port ",
                " announces itself in shm.dir " + another);
        staysOnTcp(server, "the peer made no Offer of shared memory");
    }

    @Test
    void whoHasNoDirectoryAndRequiresMemoryIsToldOfTheRemedy() {
        Peer client = plain("shm=require");
        Peer server = peer();
        try (Listener listener = listen(server)) {
            assertThatThrownBy(() ->
                            client.verbs.connect(listener.localAddress(), client.config(), FROM_LOOPBACK, Peer.soon()))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContainingAll(
                            "shm=require", "set the same shm.dir on both sides", "shm.dir on both" + " sides");
        }
    }

    /** A listener whose directory is another than it says, as if a false hint led there. */
    @Test
    void whoDoesNotFindTheNameDeclines() throws Exception {
        Peer client = peer();
        Peer server = peerIn(another);
        try (Listener listener = listen(server);
                SharedDirectory hint = SharedDirectory.open(directory)) {
            hint.tell("panama-verbs/1/" + listener.localAddress().getPort() + "/" + here.getHostAddress());
            connect(client, server, listener);
        }
        staysOnTcp(client, "the listener did not reach this process's Unix socket");
        staysOnTcp(server, "ENOENT");
        assertThat(left()).isEmpty();
    }

    @Test
    void whoseDirectoryCannotBeUsedStaysOnTcp() throws Exception {
        Path none = directory.resolve("none");
        Peer client = peerIn(none);
        Peer server = peer();
        connect(client, server);
        staysOnTcp(client, "shm.dir cannot be used: open of " + none + ": ENOENT", "mount it into each container");

        Peer requiring = peerIn(none, "shm=require");
        assertThatThrownBy(() -> listen(requiring))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("a listener cannot offer shared memory: shm.dir cannot be used: open of " + none);
        listen(peerIn(none)).close();
    }

    @Test
    void theDeviceSaysWhetherTheDirectoryCanBeUsed() {
        Path none = directory.resolve("none");

        assertThat(shown(peer())).containsExactly(Map.entry("shm_dir", directory.toString()));
        assertThat(shown(plain("shm=auto"))).isEmpty();
        assertThat(shown(peerIn(none)))
                .hasSize(2)
                .contains(Map.entry("shm_dir", none.toString()))
                .anySatisfy(entry -> {
                    assertThat(entry.getKey()).isEqualTo("shm_dir_reason");
                    assertThat(entry.getValue()).startsWith("open of " + none + ": ENOENT");
                });
    }

    private static List<Map.Entry<String, String>> shown(Peer peer) {
        return peer.verbs.attributes().device().stream()
                .filter(entry -> entry.name().matches("shm_dir(_.*)?"))
                .map(entry -> Map.entry(entry.name(), entry.value()))
                .toList();
    }

    @Test
    void leftoversGoWithTheNextContextThatConnects() throws Exception {
        Path leftover = directory.resolve("shm-" + "0".repeat(32));
        UnixServer.listen(UnixName.ofPath(leftover), 1).close();
        isOld(directory);

        connect(plain("shm=auto", "shm.dir=" + directory), peerIn(another));

        assertThat(left()).isEmpty();
    }

    @Test
    void nothingIsLeftOfConnections() throws Exception {
        Peer client = peer("shm=require");
        Peer server = peer("shm=require");
        connect(client, server);
        client.connection().close();
        server.connection().close();
        List<String> before = SharedMemoryTest.held();

        for (int i = 0; i < 20; i++) {
            connect(client, server);
            client.connection().disconnect(Peer.soon());
            server.connection().awaitDisconnect(Peer.soon());
            client.connection().close();
            server.connection().close();
        }

        Raw.await(
                "the same descriptors and mappings",
                () -> SharedMemoryTest.held().size() <= before.size());
        assertThat(left()).isEmpty();
    }
}
