package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.panamaverbs.testkit.Requirement;

/**
 * Random requests between two streams, over pipes that cut, stall, break and lie, against a model.
 * {@code provider/iwarp/simulate} plays many more of them, and one of them again.
 */
class StreamSimTest {
    private static final int SEEDS = 2_000;

    @Test
    @Requirement({"RDMAP-5.3-05", "RDMAP-5.5-10-01", "DDP-5.3-05", "DDP-5.3-06", "EXT-6.3-03"})
    void everySeedAgreesWithTheModel() {
        for (long seed = 0; seed < SEEDS; seed++) {
            long played = seed;
            assertThatCode(() -> new Simulation(played, SimStory.silent()).play())
                    .as("replay it: %s", Simulate.replay(seed))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void aSeedTellsTheSameStoryEachTime() {
        assertThat(Simulate.story(7)).isNotEmpty().isEqualTo(Simulate.story(7));
    }
}
