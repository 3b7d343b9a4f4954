package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.RunsOn;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.crowd.CrowdClients;
import org.panamaverbs.testkit.crowd.CrowdServer;

/**
 * One thread accepts and serves many connections of rxe, and one thread makes them; among them is a peer that never
 * ends its handshake, and a listener that never answers. {@code -Dverbs.test.crowd=N} says how many. Prints what was
 * measured.
 */
@RunsOn(Devices.Rxe.class)
class CrowdOnRxeTest extends Conformance {
    private static final int COUNT = Integer.getInteger("verbs.test.crowd", 25);
    private static final int WARM_UP = 500;
    private static final int MOST_MINUTES = 30;

    @Test
    @Timeout(value = MOST_MINUTES, unit = TimeUnit.MINUTES)
    void oneThreadServesAllBesideAPeerThatNeverEndsItsHandshake() throws IOException {
        Deadline deadline = Deadline.in(MOST_MINUTES - 5L, TimeUnit.MINUTES);
        Listener mute = resources().add(openB().listen(provider().listenAddress()));
        long before = availableKib();
        CrowdServer server = new CrowdServer(provider().openB(), provider().listenAddress(), deadline);
        Background<Boolean> serving = Background.start("server", () -> {
            server.run();
            return true;
        });
        try (CrowdClients clients = new CrowdClients(provider().openA(), server.address(), deadline)) {
            resources().add(new SilentAsker(server.address()));
            System.out.print(clients.run(COUNT, WARM_UP, mute.localAddress()));
            System.out.printf(
                    Locale.ROOT,
                    "%,d bytes of the machine's memory a connection, both ends%n",
                    (before - availableKib()) * 1024 / COUNT);
            assertThat(server.connected()).isEqualTo(COUNT);
            // The kernel gives the silent one up by itself, after a minute.
            assertThat(server.unconnected()).isEqualTo(1);
        } finally {
            server.end();
            serving.await(Waits.deadline());
            server.close();
        }
    }

    /** Returns how much memory of the machine is left: queue pairs of rxe are the kernel's. */
    private static long availableKib() throws IOException {
        System.gc();
        return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
