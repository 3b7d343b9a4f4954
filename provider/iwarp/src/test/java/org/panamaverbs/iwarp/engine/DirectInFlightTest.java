package org.panamaverbs.iwarp.engine;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.WorkCompletions;

/** Descriptors that wait in a Unix connection count against all of the user's programs: none waits for long. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by its completion
class DirectInFlightTest {
    private static final Path INFO = Path.of("/proc/self/fdinfo");
    // Since Linux 5.10; elsewhere nothing is seen.
    private static final String WAITING = "scm_fds:";

    private static final int POLLS_A_LOOK = 10_000;

    private final List<Peer> peers = new ArrayList<>();

    private Peer peer(String progress) {
        Peer peer = new Peer("shm=require", "shm.direct=on", "probe=off", "progress=" + progress);
        peers.add(peer);
        return peer;
    }

    @AfterEach
    void close() {
        peers.forEach(Peer::close);
    }

    /** Returns how many descriptors wait in the sockets of this process. */
    private static int inFlight() {
        try (Stream<Path> all = Files.list(INFO)) {
            return all.mapToInt(DirectInFlightTest::waiting).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int waiting(Path info) {
        try (Stream<String> lines = Files.lines(info)) {
            return lines.filter(line -> line.startsWith(WAITING))
                    .mapToInt(line ->
                            Integer.parseInt(line.substring(WAITING.length()).strip()))
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            // It was closed meanwhile.
            return 0;
        }
    }

    // With progress=spin only who polls makes progress.
    private static void awaitNone(Peer client, Peer server) {
        WorkCompletions none = WorkCompletions.ofCapacity(1);
        Raw.await("that nothing is on its way", () -> {
            for (int i = 0; i < POLLS_A_LOOK; i++) {
                client.queue.poll(none);
                server.queue.poll(none);
            }
            return inFlight() == 0;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"background", "spin"})
    void noTableWaitsForTheFirstAccess(String progress) throws Exception {
        Peer client = peer(progress);
        Peer server = peer(progress);

        Peer.connect(client, server);

        awaitNone(client, server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"background", "spin"})
    void noSlabWaitsForTheNextAccess(String progress) throws Exception {
        Peer client = peer(progress);
        Peer server = peer(progress);
        Peer.connect(client, server);

        WorkCompletions done = WorkCompletions.ofCapacity(1);
        client.queuePair().write(0, client.buffer, 0, 8, Peer.remote(server), 0, SIGNALED);
        Raw.await("the completion", () -> {
            server.queue.poll(done);
            return client.queue.poll(done) > 0;
        });

        awaitNone(client, server);
    }
}
