package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.FENCE;
import static org.panamaverbs.api.SendFlag.INLINE;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.api.SendFlag.SOLICITED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.iwarp.core.LoneRequests;
import org.panamaverbs.testkit.random.SeededRandom;

/** Sends that the post builds in the ring, between all that goes there otherwise. */
@Timeout(120)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"},
        disabledReason = "system calls are bound there only")
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class InRingTest {
    private static final int ROUNDS = 3000;
    private static final int HALF = Peer.BUFFER_BYTES / 2;

    private static StreamDriver driver(Peer peer) {
        return ((IwarpQueuePair) peer.queuePair()).driver();
    }

    private static LoneRequests alone(Peer peer) {
        return driver(peer).stream().alone();
    }

    /** The ring is so small that it is come by many times, and what does not fit at its end goes otherwise. */
    @ParameterizedTest
    @CsvSource({"spin, off", "background, off", "spin, on"})
    void comeInOrderBetweenAllElse(String progress, String direct) throws Exception {
        String[] options = {
            "shm=require", "shm.ring=16384", "shm.direct=" + direct, "progress=" + progress,
        };
        SeededRandom random = new SeededRandom(43);
        try (Peer server = new Peer(options);
                Peer client = new Peer(options)) {
            Peer.connect(client, server);
            for (int round = 0; round < ROUNDS; round++) {
                exchange(client, server, round, random);
                if (random.oneIn(3)) {
                    exchange(server, client, round, random);
                }
            }
            long sent = client.queuePair().statistics().sendsCompleted();
            assertThat(alone(client).sent()).as("built in the ring of %d", sent).isBetween(sent / 3, sent - sent / 10);
            assertThat(alone(client).octetsSent())
                    .isLessThan(client.queuePair().statistics().bytesSent());
        }
    }

    /** A thread whose polls always find the completion of its own Send finds what the peer sends, too. */
    @Test
    void letAThreadLookForMessagesBehindADirectWrite() throws Exception {
        String[] options = {"shm=require", "shm.direct=on", "progress=spin"};
        int sends = 200;
        try (Peer server = new Peer(512, options);
                Peer client = new Peer(512, options)) {
            Peer.connect(client, server);
            Directly.untilDirect(client, server);
            for (int i = 0; i < sends; i++) {
                server.queuePair().recv(i, server.buffer, 0, 64);
            }
            client.queuePair().recv(sends, client.buffer, 0, 64);
            server.queuePair().send(0, server.buffer, 0, 8, 0);
            client.queuePair().write(sends + 1, client.buffer, 0, 8, Peer.remote(server), 0, SIGNALED);
            boolean found = false;
            for (int i = 0; i < sends && !found; i++) {
                client.queuePair().send(i, client.buffer, 0, 8, SIGNALED);
                assertThat(client.queue.poll(client.completions())).isPositive();
                found = client.completions().get(0).opcode() == WcOpcode.RECV;
            }
            assertThat(found).isTrue();
        }
    }

    private static void exchange(Peer from, Peer to, int round, SeededRandom random) {
        int length = random.oneIn(4) ? random.below(6000) : random.below(200);
        int count = random.oneIn(5) ? random.between(2, 6) : 1;
        int flags = SIGNALED | (random.oneIn(4) ? SOLICITED : 0) | (random.oneIn(6) ? FENCE : 0);
        boolean inline = length <= 64 && random.oneIn(4);
        MemorySegment source = from.buffer.segment();
        for (int i = 0; i < count; i++) {
            to.queuePair().recv(100L * round + i, to.buffer, HALF + 6000L * i, 6000);
            source.asSlice(6000L * i, length).fill((byte) (round + i));
        }
        if (random.oneIn(5)) {
            from.queuePair().write(-1, from.buffer, 0, random.between(1, 64), Peer.remote(to), 400_000, SIGNALED);
            assertThat(next(from, to).opcode()).isEqualTo(WcOpcode.RDMA_WRITE);
        }
        if (count > 1) {
            Batch batch = from.queuePair().batch();
            for (int i = 0; i < count; i++) {
                batch.send(i, from.buffer, 6000L * i, length, flags);
            }
            batch.submit();
        } else {
            from.queuePair().send(0, from.buffer, 0, length, flags | (inline ? INLINE : 0));
        }
        for (int i = 0; i < count; i++) {
            WorkCompletion received = next(to, from);
            assertThat(received.wrId()).isEqualTo(100L * round + i);
            assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
            assertThat(received.byteCount()).isEqualTo(length);
            MemorySegment landed = to.buffer.segment().asSlice(HALF + 6000L * i, length);
            assertThat(landed.mismatch(source.asSlice(6000L * i, length))).isEqualTo(-1);
            if (length > 0) {
                assertThat(landed.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) (round + i));
            }
        }
        for (int i = 0; i < count; i++) {
            assertThat(next(from, to).wrId()).isEqualTo(i);
        }
    }

    // Where only who polls makes progress, one thread does the work of both.
    private static WorkCompletion next(Peer of, Peer other) {
        while (of.queue.poll(of.completions()) == 0) {
            driver(other).progress();
        }
        WorkCompletion next = of.completions().get(0);
        assertThat(next.ok()).as(next.toString()).isTrue();
        return next;
    }
}
