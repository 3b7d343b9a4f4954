package org.panamaverbs.testkit.conformance.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.random.Seeded;
import org.panamaverbs.testkit.random.SeededRandom;

/** Random mixes of operations in both directions, compared with a model of memory and completions. */
public abstract class RandomOperationsConformance extends Conformance {
    /** For subclasses. */
    protected RandomOperationsConformance() {}

    @Seeded(cases = 20)
    @Requirement({"DDP-5.2-03", "DDP-5.2-04", "DDP-5.3-05", "DDP-5.3-06", "RDMAP-5.5-15-01"})
    void memoryAndCompletionsEqualTheModel(SeededRandom random) {
        ConnectedPair pair = pair(PairConfig.defaults().withBuffers(RandomRound.BUFFER_BYTES));
        byte[] ofA = random.bytes(RandomRound.BUFFER_BYTES);
        byte[] ofB = random.bytes(RandomRound.BUFFER_BYTES);
        pair.a().put(0, ofA);
        pair.b().put(0, ofB);
        pair.barrier();
        for (int round = 0; round < 25; round++) {
            if (random.oneIn(2)) {
                new RandomRound(random, pair.a(), pair.qpA(), ofA, pair.b(), pair.qpB(), ofB).run();
            } else {
                new RandomRound(random, pair.b(), pair.qpB(), ofB, pair.a(), pair.qpA(), ofA).run();
            }
            assertThat(pair.a().get(0, ofA.length))
                    .as("A after round %d", round)
                    .isEqualTo(ofA);
            assertThat(pair.b().get(0, ofB.length))
                    .as("B after round %d", round)
                    .isEqualTo(ofB);
        }
        pair.a().inbox().expectNothing();
        pair.b().inbox().expectNothing();
    }

    @Seeded(cases = 5)
    void fewOperationsOnManyFreshConnections(SeededRandom random) {
        for (int connection = 0; connection < 4; connection++) {
            ConnectedPair pair = pair();
            int count = random.between(1, 20);
            for (int i = 0; i < count; i++) {
                accepted(pair.qpB().recv(i, pair.b().buffer(), 0, 32_768));
                int length = random.below(20_000);
                accepted(pair.qpA().send(i, pair.a().buffer(), 0, length, i == count - 1 ? SIGNALED : NONE));
                assertThat(pair.b().inbox().takeOk(i).byteCount()).isEqualTo(length);
            }
            pair.a().inbox().takeOk(count - 1);
            pair.link().a().close();
            pair.awaitDown();
        }
    }
}
