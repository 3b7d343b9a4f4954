package org.panamaverbs.iwarp.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.panamaverbs.testkit.random.Seeded;
import org.panamaverbs.testkit.random.SeededRandom;

/**
 * Two sides in random order, each step a pass of one of them: any splits, stalls for as long as it takes, and bells
 * that come late, more than once, or for nothing. Nobody sleeps on something that it waits for.
 */
class RingSimTest {
    private static final int MOST_STEPS = 2_000_000;

    private static int ringSize(SeededRandom random) {
        return RingLayout.MIN_RING_BYTES << random.below(3);
    }

    @Seeded
    void allArrivesAndNobodySleepsOn(SeededRandom random) throws IOException {
        TwoSides sides = TwoSides.of(ringSize(random), ringSize(random));
        SimulatedSide[] both = {
            new SimulatedSide(sides.left, random.below(300_000), random.oneIn(5), random.fork()),
            new SimulatedSide(sides.right, random.below(300_000), random.oneIn(5), random.fork())
        };
        // Bells on their way, to each side: as many as are there are heard at once.
        boolean[] underWay = new boolean[2];
        int favoured = random.below(2);
        int steps = 0;
        while (!both[0].isDone() || !both[1].isDone()) {
            assertThat(steps++).as("steps").isLessThan(MOST_STEPS);
            // One of them stalls for long.
            int who = random.oneIn(20) ? 1 - favoured : favoured;
            if (random.oneIn(200)) {
                favoured = 1 - favoured;
            }
            if (both[who].step()) {
                underWay[1 - who] = true;
            }
            int hears = random.below(2);
            if (underWay[hears] && random.oneIn(3)) {
                underWay[hears] = false;
                both[hears].ring();
            } else if (random.oneIn(1_000)) {
                both[hears].ring();
            }
            boolean left = !both[0].isDone() || !both[1].isDone();
            assertThat(left && both[0].isAsleep() && both[1].isAsleep() && !underWay[0] && !underWay[1])
                    .as("both sleep on: %s; %s", both[0], both[1])
                    .isFalse();
            favoured = both[favoured].isAsleep() ? 1 - favoured : favoured;
        }
        assertThat(both[0].received() + both[1].received()).isPositive();
        assertThat(sides.left.hasInput() || sides.right.hasInput()).isFalse();
        assertThat(sides.left.unread()).isBetween(0L, 1L);
    }
}
