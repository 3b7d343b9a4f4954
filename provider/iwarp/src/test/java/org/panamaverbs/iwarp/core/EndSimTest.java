package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

/** What was posted before a disconnect, over slow links that stall and break: it arrives, or its sender is told. */
class EndSimTest {
    private static final int SEEDS = 500;

    @Test
    void everythingArrivesOrItsSenderIsTold() {
        for (long seed = 0; seed < SEEDS; seed++) {
            long played = seed;
            assertThatCode(() -> new EndSimulation(played).play())
                    .as("replay it: %s", SimulateEnds.replay(seed))
                    .doesNotThrowAnyException();
        }
    }
}
