package org.panamaverbs.iwarp.engine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.testkit.Requirement;

/** TCP looks after connections on which nothing is under way. */
@Timeout(60)
class KeepaliveTest {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int TIMER = 5;
    // Documentation/networking/proc_net_tcp.rst of Linux: "another timer (e.g. delayed ack or keepalive) is pending".
    private static final String KEEPALIVE_PENDING = "02:";
    private static final String NONE_PENDING = "00:";

    @ParameterizedTest
    @CsvSource({"on,off", "off,on"})
    @Requirement("SEC-6.4.2-01")
    void eachSideOfAConnectionHasItIfItsContextWantsIt(String clients, String servers) throws Exception {
        assumeTrue(TABLES.stream().allMatch(Files::exists), "only Linux shows its timers");
        // Three empty Writes at most follow the set-up; none with probe=off, so that nothing is on its way.
        try (Peer client = new Peer("keepalive=" + clients, "probe=off");
                Peer server = new Peer("keepalive=" + servers, "probe=off");
                Listener listener = server.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(client, server, listener);
            int clientPort = client.connection().localAddress().getPort();
            int serverPort = listener.localAddress().getPort();

            Raw.await(
                    "the timer of the client",
                    () -> timer(clientPort, serverPort)
                            .equals(clients.equals("on") ? KEEPALIVE_PENDING : NONE_PENDING));
            Raw.await(
                    "the timer of the server",
                    () -> timer(serverPort, clientPort)
                            .equals(servers.equals("on") ? KEEPALIVE_PENDING : NONE_PENDING));
        }
    }

    /** Returns what timer the system has pending for the connection between these two, with a colon; or nothing. */
    private static String timer(int localPort, int remotePort) {
        for (Path table : TABLES) {
            try (var lines = Files.lines(table)) {
                List<String> timers = lines.map(line -> line.strip().split("\\s+"))
                        .filter(cells -> endsWith(cells[LOCAL], localPort) && endsWith(cells[REMOTE], remotePort))
                        .map(cells -> cells[TIMER].substring(0, NONE_PENDING.length()))
                        .toList();
                if (!timers.isEmpty()) {
                    return timers.getFirst();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return "";
    }

    private static boolean endsWith(String cell, int port) {
        return cell.endsWith(":%04X".formatted(port));
    }
}
