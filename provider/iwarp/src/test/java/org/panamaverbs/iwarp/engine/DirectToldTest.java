package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.device.QueuePairStatistics;

/** By what the requests of one host went is told alike by the connection, the statistics and Flight Recorder. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class DirectToldTest {
    private static final int MORE = 10;

    private final List<Peer> peers = new ArrayList<>();

    @TempDir
    private Path directory;

    private Peer peer(String direct) {
        // Without signs of life, which go through the ring at any time.
        Peer peer = new Peer("shm=require", "probe=off", "shm.direct=" + direct);
        peers.add(peer);
        return peer;
    }

    @AfterEach
    void close() {
        peers.forEach(Peer::close);
    }

    private static void write(Peer client, Peer server) {
        client.queuePair().write(0, client.buffer, 0, 8, Peer.remote(server), 0, SIGNALED);
        client.nextOk();
        server.queue.poll(WorkCompletions.ofCapacity(1));
    }

    /** Returns what Flight Recorder tells of {@code peer} at the end of a recording. */
    private RecordedEvent recorded(Peer peer) throws Exception {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("verbs.QueuePairStatistics").with("period", "endChunk");
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> of = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("verbs.QueuePairStatistics")
                        && event.getInt("queuePair") == peer.queuePair().number()
                        && event.getString("peer")
                                .endsWith(
                                        ":" + peer.connection().remoteAddress().getPort()))
                .toList();
        assertThat(of).hasSize(1);
        return of.get(0);
    }

    @Test
    void whatGoesDirectlyIsCounted() throws Exception {
        Peer server = peer("on");
        Peer client = peer("on");
        Peer.connect(client, server);
        Directly.untilDirect(client, server);
        for (int i = 0; i < MORE; i++) {
            write(client, server);
        }

        QueuePairStatistics statistics = client.queuePair().statistics();
        long direct = statistics.sendsDirect();
        assertThat(direct).isGreaterThan(MORE).isLessThanOrEqualTo(statistics.sendsCompleted());
        assertThat(client.connection().transport())
                .contains("shared memory (rings of ")
                .endsWith(", direct access (" + direct + " requests)");
        RecordedEvent event = recorded(client);
        assertThat(event.getLong("sendsDirect")).isEqualTo(direct);
        assertThat(event.getString("carrier")).isEqualTo("SHARED_MEMORY");
        assertThat(event.getString("transport")).contains("direct access");
    }

    @Test
    void whatGoesThroughTheRingIsNot() throws Exception {
        Peer server = peer("off");
        Peer client = peer("on");
        Peer.connect(client, server);
        for (int i = 0; i < MORE; i++) {
            write(client, server);
        }

        assertThat(client.queuePair().statistics().sendsDirect()).isZero();
        assertThat(client.connection().transport())
                .contains("shared memory (rings of ")
                .endsWith(", no direct access (the peer does not offer it)");
        RecordedEvent event = recorded(client);
        assertThat(event.getLong("sendsDirect")).isZero();
        assertThat(event.getLong("sendsCompleted")).isEqualTo(MORE);
        assertThat(event.getString("transport")).doesNotContain(", direct access");
    }
}
