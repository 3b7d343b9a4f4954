package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.TerminateReason;

/** Two processes over shared memory, of which one is killed: the other is told, and nothing is left. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class SharedMemoryProcessTest {
    // A loaded machine; idle it takes milliseconds.
    private static final long DEATH_SECONDS = 10;

    @ParameterizedTest
    @CsvSource({"background, background, write", "spin, spin, sit"})
    void aKilledListenerIsAReset(String ours, String theirs, String what) throws Exception {
        expectResetByListener(ours, theirs, what);
    }

    @ParameterizedTest
    @Tag("proof")
    @CsvSource({
        "background, background, sit",
        "background, spin, write",
        "spin, background, write",
        "spin, spin, write",
    })
    void aKilledListenerIsAResetWhateverMakesProgress(String ours, String theirs, String what) throws Exception {
        expectResetByListener(ours, theirs, what);
    }

    private static void expectResetByListener(String ours, String theirs, String what) throws Exception {
        try (Peer peer = new Peer("progress=" + ours, "shm=require", "shm.direct=off");
                ChildProcess child = new ChildProcess(SharedMemoryPeer.class, "0", theirs, what)) {
            List<String> before = leftovers();
            int port = Integer.parseInt(child.value("port="));
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            ConnectionConfig config = ConnectionConfig.defaults()
                    .withPrivateData(Peer.remote(peer).encode());
            peer.connected(peer.verbs.connect(address, peer.config(), config, Peer.soon()));

            assertThat(child.value("transport=")).contains("shared memory").doesNotContain("CRC32C");
            killAndExpectReset(peer, child, what, before);
        }
    }

    @ParameterizedTest
    @CsvSource({"background, background, write", "spin, spin, write", "background, background, sit"})
    void aKilledInitiatorIsAReset(String ours, String theirs, String what) throws Exception {
        try (Peer peer = new Peer("progress=" + ours, "shm=require", "shm.direct=off");
                var listener = peer.verbs.listen(Raw.ANY_PORT);
                ChildProcess child = new ChildProcess(
                        SharedMemoryPeer.class, "" + listener.localAddress().getPort(), theirs, what)) {
            List<String> before = leftovers();
            ConnectionConfig config = ConnectionConfig.defaults()
                    .withPrivateData(Peer.remote(peer).encode());
            ConnectionRequest request = listener.accept(Peer.soon());
            peer.connected(request.accept(peer.config(), config, Peer.soon()));

            killAndExpectReset(peer, child, what, before);
        }
    }

    private static void killAndExpectReset(Peer peer, ChildProcess child, String what, List<String> before)
            throws Exception {
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        if (what.equals("write")) {
            Raw.await("bytes of the other process", () -> {
                peer.queue.poll(completions);
                return (long) ValueLayout.JAVA_LONG.varHandle().getAcquire(peer.buffer.segment(), 0L) > 1000;
            });
        }

        child.kill();

        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEATH_SECONDS);
        while (peer.connection().isConnected() && System.nanoTime() - end < 0) {
            peer.queue.poll(completions);
        }
        assertThat(peer.connection().isConnected()).as("still connected").isFalse();
        assertThat(peer.connection().terminateCause().orElseThrow().reason()).isEqualTo(TerminateReason.PEER_RESET);
        assertThat(leftovers()).as("descriptors and mappings").isEqualTo(before);
    }

    /** Returns what this process has of descriptors and mappings for peers of its host. */
    static List<String> leftovers() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            maps.filter(line -> line.contains("panama-verbs")).forEach(all::add);
        }
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            for (Path file : files.toList()) {
                String target = target(file);
                if (target.contains("panama-verbs")) {
                    all.add(target);
                }
            }
        }
        return all;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // Closed meanwhile.
            return "";
        }
    }
}
