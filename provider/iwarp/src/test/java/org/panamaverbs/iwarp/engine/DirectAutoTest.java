package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.RemoteBuffer;

/** With {@code shm.direct=auto} a process is let into memory that ptrace(2) lets into it anyway, and no other. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by its completion
class DirectAutoTest {
    private static final String[] AUTO = {"shm=require", "shm.direct=auto", "probe=off"};

    /** Makes a Write, and a Read that the peer has to answer unless it goes directly. */
    private static void request(Peer peer, RemoteBuffer remote) {
        peer.queuePair().write(1, peer.buffer, 0, 8, remote, 0, SIGNALED);
        peer.nextOk();
        peer.queuePair().read(2, peer.buffer, 0, 8, remote, 0, SIGNALED);
        peer.nextOk();
    }

    private static ChildProcess listening(List<String> starter, Class<?> main) throws IOException {
        return new ChildProcess(starter, main, "0", "background", "sit", "shm.direct=auto");
    }

    /** Connects to a process, writes, and returns what both sides say of their transports. */
    private static String[] texts(ChildProcess child) throws Exception {
        try (Peer client = new Peer(AUTO)) {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(child.value("port=")));
            client.connected(client.verbs.connect(address, client.config(), ConnectionConfig.defaults(), Peer.soon()));
            RemoteBuffer remote = RemoteBuffer.decode(client.connection().privateData());
            for (int i = 0; i < 50; i++) {
                request(client, remote);
            }
            String theirs = child.value("transport=");
            if (theirs.contains(", direct access (")) {
                Raw.await("direct access", () -> {
                    request(client, remote);
                    return Directly.executedInline(client) > 0;
                });
            }
            return new String[] {client.connection().transport(), theirs};
        }
    }

    private static boolean runs(List<String> starter) throws Exception {
        List<String> command = new ArrayList<>(starter);
        command.add("true");
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void anotherProcessOfThisUserIsLetIn() throws Exception {
        assumeTrue(isOpen(), "ptrace(2) is restricted");
        try (ChildProcess child = listening(List.of(), SharedMemoryPeer.class)) {
            String[] texts = texts(child);

            assertThat(texts[0]).containsPattern(", direct access \\([1-9][0-9]* requests\\)");
            assertThat(texts[1]).contains(", direct access (");
        }
    }

    private static boolean isOpen() throws IOException {
        Path scope = Path.of("/proc/sys/kernel/yama/ptrace_scope");
        return !Files.exists(scope) || Files.readAllLines(scope).getFirst().equals("0");
    }

    /** It is this user's, and the number of its user may be the same. */
    @ParameterizedTest
    @ValueSource(strings = {"--map-root-user", "--map-user=1000"})
    void aProcessInAnotherUserNamespaceIsNot(String mapped) throws Exception {
        List<String> starter = List.of("unshare", "--user", mapped);
        assumeTrue(isOpen() && runs(starter), "no user namespace can be made");
        try (ChildProcess child = listening(starter, SharedMemoryPeer.class)) {
            String[] texts = texts(child);

            assertThat(texts[0])
                    .contains(", no direct access (the peer's process may not access this process's memory: EPERM");
            assertThat(texts[1]).contains(", no direct access (this process may not access the peer's memory: EPERM");
        }
    }

    @Test
    void aProcessInAnotherPidNamespaceIsNot() throws Exception {
        List<String> starter = List.of("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc");
        assumeTrue(isOpen() && runs(starter), "no pid namespace can be made");
        try (ChildProcess child = listening(starter, SharedMemoryPeer.class)) {
            String[] texts = texts(child);

            assertThat(texts[0]).contains("shared memory (rings").contains(", no direct access (");
            assertThat(texts[1]).contains("shared memory (rings").contains(", no direct access (");
        }
    }

    /** Its user is the same, and it is in all namespaces of this one. */
    @Test
    void aProcessWithFewerCapabilitiesIsNot() throws Exception {
        List<String> starter = List.of("setpriv", "--bounding-set", "-all", "--inh-caps", "-all");
        assumeTrue(isOpen() && hasCapabilities() && runs(starter), "this process has no capabilities to be without");
        try (ChildProcess child = listening(starter, SharedMemoryPeer.class)) {
            String[] texts = texts(child);

            assertThat(texts[0])
                    .contains(", no direct access (the peer's process may not access this process's memory: EPERM");
            assertThat(texts[1]).contains(", no direct access (this process may not access the peer's memory: EPERM");
        }
    }

    private static boolean hasCapabilities() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .anyMatch(line -> line.startsWith("CapPrm:") && !line.endsWith("0000000000000000"));
    }

    @Test
    void aProcessThatIsNotDumpableLetsNobodyIn() throws Exception {
        assumeTrue(isOpen(), "ptrace(2) is restricted");
        try (ChildProcess child = listening(List.of(), UndumpablePeer.class)) {
            String[] texts = texts(child);

            assertThat(texts[0]).contains(", no direct access (the peer does not offer it)");
            assertThat(texts[1]).contains(", no direct access (this process is not dumpable");
        }
    }

    /** It keeps its end of the line, as if it were to be let in, and has shown nothing. */
    @Test
    void aPeerThatShowsNothingIsSentAwayAndHasItsMessages() throws Exception {
        try (Peer server = new Peer(AUTO);
                Listener listener = server.verbs.listen(Raw.ANY_PORT);
                DirectPeer peer = new DirectPeer(listener.localAddress())) {
            ConnectionRequest request = listener.accept(Peer.soon());
            try (Connection connection = request.accept(server.config(), ConnectionConfig.defaults(), Peer.soon())) {
                assertThat(connection.transport()).contains(", no direct access (the peer does not offer it)");
                assertThat(peer.peer.isLineEnded()).isTrue();
            }
        }
    }
}
