package org.panamaverbs.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SeededTest {
    private static final Set<Long> SEEDS = new HashSet<>();

    @Seeded(
            cases = 10,
            fixed = {1, 2})
    void runsFixedAndFreshSeeds(SeededRandom random) {
        SEEDS.add(random.seed());
    }

    @AfterAll
    static void eachSeedRanOnce() {
        if (Long.getLong("sim.seed") == null && Integer.getInteger("sim.cases") == null) {
            assertThat(SEEDS).hasSize(12).contains(1L, 2L);
        }
    }

    @Test
    void sameSeedGivesTheSameNumbers() {
        SeededRandom one = new SeededRandom(99);
        SeededRandom other = new SeededRandom(99);
        assertThat(one.bytes(100)).isEqualTo(other.bytes(100));
        assertThat(one.fork().nextLong()).isEqualTo(other.fork().nextLong());
        assertThat(one.permutation(20)).isEqualTo(other.permutation(20));
    }

    @Test
    void permutationHasEachIndexOnce() {
        assertThat(new SeededRandom(3).permutation(50)).hasSize(50).doesNotHaveDuplicates();
    }
}
