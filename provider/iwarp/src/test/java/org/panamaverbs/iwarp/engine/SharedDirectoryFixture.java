package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;

/**
 * Tests of peers that meet in a directory. Both are in this network namespace, at addresses that look as if they were
 * not: one is loopback and the other is not.
 */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
abstract class SharedDirectoryFixture {
    /** What connects from where the listener is not. */
    static final ConnectionConfig FROM_LOOPBACK =
            ConnectionConfig.defaults().withLocalAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    @TempDir
    Path directory;

    InetAddress here;
    private final List<Peer> peers = new ArrayList<>();

    @BeforeEach
    void needsTwoAddresses() throws IOException {
        here = Raw.addressBesideLoopback();
    }

    @AfterEach
    void closePeers() {
        peers.forEach(Peer::close);
    }

    /** Returns a peer that meets others in {@link #directory}. */
    Peer peer(String... options) {
        return peerIn(directory, options);
    }

    /** Returns a peer that meets others in {@code shared}. */
    Peer peerIn(Path shared, String... options) {
        List<String> all = new ArrayList<>(List.of("shm=auto", "shm.dir=" + shared));
        all.addAll(List.of(options));
        return plain(all.toArray(String[]::new));
    }

    /** Returns a peer with these options alone. */
    Peer plain(String... options) {
        Peer peer = new Peer(options);
        peers.add(peer);
        return peer;
    }

    Listener listen(Peer server) {
        return server.verbs.listen(new InetSocketAddress(here, 0));
    }

    /** Connects {@code client} to {@code server}, from another address than that listens at. */
    void connect(Peer client, Peer server) throws InterruptedException {
        try (Listener listener = listen(server)) {
            connect(client, server, listener);
        }
    }

    /** As the other, to {@code listener}. */
    static void connect(Peer client, Peer server, Listener listener) throws InterruptedException {
        Background<Connection> accepted = Background.start(
                () -> listener.accept(Peer.soon()).accept(server.config(), ConnectionConfig.defaults(), Peer.soon()));
        client.connected(client.verbs.connect(listener.localAddress(), client.config(), FROM_LOOPBACK, Peer.soon()));
        server.connected(accepted.get());
    }

    /** Holds that {@code client} goes by TCP, and says why. */
    static void staysOnTcp(Peer client, String... why) {
        assertThat(client.connection().transport())
                .contains("no shared memory (")
                .contains(why);
    }

    static void sharesMemory(Peer peer) {
        assertThat(peer.connection().transport()).contains("shared memory (rings");
    }

    /** Returns what is in {@link #directory}. */
    List<String> left() {
        return left(directory);
    }

    /** Has what is left in {@code in} be so for long. */
    static void isOld(Path in) throws IOException {
        for (String file : left(in)) {
            Files.setLastModifiedTime(in.resolve(file), FileTime.fromMillis(0));
        }
    }

    static List<String> left(Path in) {
        try (Stream<Path> files = Files.list(in)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
