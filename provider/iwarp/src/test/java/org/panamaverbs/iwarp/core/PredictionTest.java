package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.iwarp.wire.Fpdu;

/**
 * Header prediction changes nothing but the time: octets, completions, counters, ends and their order stay the same.
 */
class PredictionTest {
    private static final int SEEDS = Integer.getInteger("prediction.seeds", 300);

    private static String played(long seed, boolean prediction) {
        SimStory story = SimStory.told();
        try (Simulation simulation = new Simulation(seed, story, false, prediction)) {
            simulation.play();
            return story.text() + System.lineSeparator() + simulation.results();
        }
    }

    @Test
    void aSimulationTellsTheSameWithAndWithout() {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(played(seed, true)).as("seed %d", seed).isEqualTo(played(seed, false));
        }
    }

    /** Without this the comparison could be of the general path with itself. */
    @Test
    void aRunOfSmallMessagesIsPredictedOnBothSides() {
        Pair pair = Pair.of(Side.config(1), Side.config(2)).start();
        Guarded from = pair.a.memory(64);
        Guarded to = pair.b.memory(640);
        pair.b.receives(10, 1, to, 64);
        pair.a.post(SendOpcode.SEND, 1, from, 0, 5, 0, 0, 0);
        pair.settle();
        SendCommands sends = pair.a.stream.sends();
        for (int i = 2; i <= 10; i++) {
            SendOpcode operation = i % 3 == 0 ? SendOpcode.RDMA_WRITE : SendOpcode.SEND;
            sends.post(operation, i, from.base, 8, from.stag(), to.base, to.stag(), 0, SendFlag.SIGNALED);
        }
        pair.settle();
        assertThat(pair.a.stream.predictedSends()).isEqualTo(10);
        assertThat(pair.b.stream.predictedReceives()).isEqualTo(10);
        assertThat(pair.b.receives.ids()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
        pair.disconnect();
    }

    /** A run holds memory that somebody may want to take back, and completions that somebody waits for. */
    @Test
    void aRunEndsAfter64Messages() {
        Pair pair = Pair.of(config(1, 256), config(2, 256)).start();
        Guarded from = pair.a.memory(64);
        Guarded to = pair.b.memory(64 * 200);
        pair.b.receives(200, 1, to, 64);
        SendCommands sends = pair.a.stream.sends();
        sends.holds = true;
        for (int i = 1; i <= 200; i++) {
            sends.post(SendOpcode.SEND, i, from.base, 8, from.stag(), 0, 0, 0, 0);
        }
        sends.holds = false;
        sends.publish();
        pair.settle();
        assertThat(pair.b.receives.list).hasSize(200);
        assertThat(pair.b.receives.runs)
                .allMatch(run -> run <= CompletionRun.MOST)
                .contains(CompletionRun.MOST);
        pair.disconnect();
    }

    /** A peer with a small segment size gets FPDUs of that size (RFC 5044 §5.1, RFC 5041 §4.1). */
    @ParameterizedTest
    @CsvSource({
        "100, SEND, 200, 0",
        "100, RDMA_WRITE, 200, 0",
        "200, SEND, 200, 8",
        "279, SEND, 256, 0",
        "279, RDMA_WRITE, 256, 0",
        "280, SEND, 256, 8",
        "300, RDMA_WRITE, 256, 0"
    })
    void smallSegmentsAreCutAlike(int emss, SendOpcode operation, int length, int flags) {
        byte[] predicted = sent(emss, operation, length, flags, true);
        assertThat(predicted).isEqualTo(sent(emss, operation, length, flags, false));
        assertThat(new Wiretap().take(predicted))
                .allMatch(segment -> segment.octets().length <= Fpdu.mulpdu(emss, false));
    }

    private static byte[] sent(int emss, SendOpcode operation, int length, int flags, boolean prediction) {
        Pair pair = Pair.of(config(1, 8, prediction), config(2, 8, prediction));
        pair.start(Pair.agreed(true).withEmss(emss), Pair.agreed(false).withEmss(emss));
        Guarded from = pair.a.memory(256).pattern(1);
        Guarded to = pair.b.memory(256);
        pair.b.receive(1, to, 0, 256);
        pair.toB.stallAt = pair.toB.readOctets();
        int inline = flags == 0 ? 0 : SendFlag.INLINE;
        pair.a.stream.sends().post(operation, 1, from.base, length, from.stag(), to.base, to.stag(), 0, inline);
        pair.settle();
        return pair.toB.drain();
    }

    private static StreamConfig config(int qpNumber, int depth) {
        return config(qpNumber, depth, true);
    }

    private static StreamConfig config(int qpNumber, int depth, boolean prediction) {
        return StreamConfig.builder()
                .qpNumber(qpNumber)
                .domainId(Side.DOMAIN)
                .maxSendWr(depth)
                .maxInlineBytes(256)
                .lingerNanos(Side.LINGER_NANOS)
                .prediction(prediction)
                .build();
    }
}
