package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.panamaverbs.testkit.Requirement;

/**
 * Random requests between two streams, over pipes that cut, stall, break and lie, against a model.
 * {@code provider/iwarp/simulate} plays many more of them, and one of them again.
 */
class StreamSimTest {
    private static final int SEEDS = 2_000;
    private static final int DIRECT_SEEDS = 200;

    @Test
    @Requirement({"RDMAP-5.3-05", "RDMAP-5.5-10-01", "DDP-5.3-05", "DDP-5.3-06", "EXT-6.3-03"})
    void everySeedAgreesWithTheModel() {
        play(SEEDS, false);
    }

    /** The same where each side carries out itself what it can, on memory of the other one. */
    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"},
            disabledReason = "system calls are bound there only")
    void everySeedAgreesWithTheModelWhereMemoryIsReached() {
        play(Integer.getInteger("direct.seeds", DIRECT_SEEDS), true);
    }

    private static void play(long seeds, boolean direct) {
        for (long seed = 0; seed < seeds; seed++) {
            long played = seed;
            assertThatCode(() -> {
                        try (Simulation simulation = new Simulation(played, SimStory.silent(), direct)) {
                            simulation.play();
                        }
                    })
                    .as("replay it: %s", Simulate.replay(seed, direct))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void aSeedTellsTheSameStoryEachTime() {
        assertThat(Simulate.story(7, false)).isNotEmpty().isEqualTo(Simulate.story(7, false));
    }
}
