package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ResourceException;

/** A port that a process may not bind. */
@Timeout(60)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
class PrivilegedPortTest {
    /** In a user namespace of its own a process has no capabilities for the network namespace that it stays in. */
    private static final List<String> WITHOUT_CAPABILITIES = List.of("unshare", "--user", "--");

    private static final Path SYSCTL = Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");

    private static final InetSocketAddress FIRST = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 1);

    @ParameterizedTest
    @ValueSource(strings = {"libc", "nio"})
    void isToldWithTheCapabilityThatItNeeds(String sockets) throws Exception {
        assumeTrue(canUnshare(), "no user namespace can be made here");
        assumeTrue(firstOfEverybody() > FIRST.getPort(), "every port is everybody's");
        try (ChildProcess child = new ChildProcess(WITHOUT_CAPABILITIES, Program.class, sockets)) {
            assertThat(child.value("refused=")).contains("Permission denied; remedy: ", "CAP_NET_BIND_SERVICE");
        }
    }

    private static int firstOfEverybody() throws IOException {
        assumeTrue(Files.isReadable(SYSCTL), "this kernel does not say which ports are everybody's");
        // In one read: the kernel has nothing behind the first.
        try (BufferedReader start = Files.newBufferedReader(SYSCTL)) {
            return Integer.parseInt(Objects.requireNonNull(start.readLine()));
        }
    }

    private static boolean canUnshare() throws InterruptedException {
        try {
            return new ProcessBuilder("unshare", "--user", "--", "true").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Listens at the first port by the sockets that it is told, and says what came of it. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (Peer peer = new Peer("sockets=" + arguments[0])) {
                peer.verbs.listen(FIRST).close();
            } catch (ResourceException e) {
                System.out.println("refused=" + e.getMessage());
            }
        }
    }
}
