package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.ConnectionRequest;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.iwarp.TerminateReason;

/** Two processes over shared memory, of which one is killed: the other is told, and nothing is left. */
@Timeout(120)
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "system calls are bound there only")
class SharedMemoryProcessTest {
    // A loaded machine; idle it takes milliseconds.
    private static final long DEATH_SECONDS = 10;

    /** A process that ends with the test. */
    private static final class Child implements AutoCloseable {
        final Process process;
        final BufferedReader output;

        Child(String... arguments) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(
                    List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), SharedMemoryPeer.class.getName()));
            command.addAll(List.of(arguments));
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        String value(String key) throws IOException {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(key)) {
                    return line.substring(key.length());
                }
            }
            throw new AssertionError("the process ended without " + key);
        }

        /** Kills it with signal 9. */
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }

        @Override
        public void close() throws IOException {
            process.destroyForcibly();
            output.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "background, background, sit", "background, background, write", "background, spin, write",
        "spin, background, write", "spin, spin, write", "spin, spin, sit"
    })
    void aKilledListenerIsAReset(String ours, String theirs, String what) throws Exception {
        try (Peer peer = new Peer("progress=" + ours, "shm=require");
                Child child = new Child("0", theirs, what)) {
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
        try (Peer peer = new Peer("progress=" + ours, "shm=require");
                var listener = peer.verbs.listen(Raw.ANY_PORT);
                Child child = new Child("" + listener.localAddress().getPort(), theirs, what)) {
            List<String> before = leftovers();
            ConnectionConfig config = ConnectionConfig.defaults()
                    .withPrivateData(Peer.remote(peer).encode());
            ConnectionRequest request = listener.accept(Peer.soon());
            peer.connected(request.accept(peer.config(), config, Peer.soon()));

            killAndExpectReset(peer, child, what, before);
        }
    }

    private static void killAndExpectReset(Peer peer, Child child, String what, List<String> before) throws Exception {
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        if (what.equals("write")) {
            Raw.await("octets of the other process", () -> {
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
    private static List<String> leftovers() throws IOException {
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
