package org.panamaverbs.iwarp.crowd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.crowd.CrowdClients;
import org.panamaverbs.testkit.crowd.CrowdServer;

/**
 * One thread accepts and serves many connections, and one thread makes them; among them is a peer that never ends its
 * handshake, and a listener that never answers. {@code -Dverbs.test.crowd=N} says how many; from 4,000 on the clients
 * are a process of their own, since each side needs a file for each connection. Prints what was measured.
 */
@Tag("alone")
class CrowdTest {
    private static final int COUNT = Integer.getInteger("verbs.test.crowd", 500);
    private static final int MOST_IN_ONE_PROCESS = 4_000;

    @Test
    @Timeout(300)
    void oneThreadServesAllBesideAPeerThatNeverEndsItsHandshake() throws Exception {
        long before = used();
        CrowdServer server = new CrowdServer(CrowdProcess.open(), CrowdProcess.address(0), CrowdProcess.deadline());
        Background<Boolean> serving = Background.start("server", () -> {
            server.run();
            return true;
        });
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                Socket stuck = new Socket(
                        server.address().getAddress(), server.address().getPort());
                Socket silent = new Socket(
                        server.address().getAddress(), server.address().getPort())) {
            // The beginning of an MPA Request, RFC 5044 §7.1: the rest never comes.
            stuck.getOutputStream().write("MPA ID Req".getBytes(StandardCharsets.US_ASCII));
            InetSocketAddress muteAddress = (InetSocketAddress) mute.getLocalSocketAddress();
            if (COUNT < MOST_IN_ONE_PROCESS) {
                try (CrowdClients clients =
                        new CrowdClients(CrowdProcess.open(), server.address(), CrowdProcess.deadline())) {
                    System.out.print(clients.run(COUNT, CrowdProcess.WARM_UP, muteAddress));
                    expectAll(server, before);
                }
            } else {
                System.out.print(ofAProcess(server, muteAddress, before));
            }
            expectOpen(stuck);
            expectOpen(silent);
        } finally {
            server.end();
            serving.await(Waits.deadline());
            server.close();
        }
    }

    private static void expectAll(CrowdServer server, long before) throws IOException {
        assertThat(server.unconnected()).isZero();
        assertThat(server.connected()).isEqualTo(COUNT);
        System.out.printf(
                Locale.ROOT,
                "%,d bytes of heap a connection%s; resident in all %,d KiB%n",
                (used() - before) / COUNT,
                COUNT < MOST_IN_ONE_PROCESS ? ", both ends" : "",
                residentKib());
    }

    private static String ofAProcess(CrowdServer server, InetSocketAddress mute, long before) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        CrowdProcess.class.getName(),
                        Integer.toString(server.address().getPort()),
                        Integer.toString(mute.getPort()),
                        Integer.toString(COUNT))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            StringBuilder report = new StringBuilder();
            String line = output.readLine();
            while (line != null && !line.equals(CrowdProcess.DONE)) {
                report.append(line).append(System.lineSeparator());
                line = output.readLine();
            }
            assertThat(line).as("the clients ended early, after: %s", report).isEqualTo(CrowdProcess.DONE);
            expectAll(server, before);
            process.getOutputStream().close();
            assertThat(process.waitFor(120, TimeUnit.SECONDS))
                    .as("the clients end")
                    .isTrue();
            assertThat(process.exitValue()).isZero();
            return report.toString();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The server has not given it up: it was there the whole time. */
    private static void expectOpen(Socket peer) throws IOException {
        peer.setSoTimeout(1);
        assertThatThrownBy(() -> peer.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static long residentKib() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }
}
