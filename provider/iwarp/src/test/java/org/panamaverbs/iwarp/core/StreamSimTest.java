package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.panamaverbs.testkit.Requirement;

/**
 * Random operations between two streams, over pipes that cut, stall and break, against a model. Replay one run by
 * {@code -Dsim.seed=<seed>}; {@code -Dsim.seeds=<count>} makes more of them.
 */
class StreamSimTest {
    private static final int SEEDS = 400;
    private static final int OPERATIONS = 60;

    private enum Trouble {
        NONE,
        FLIP,
        TRUNCATE,
        RESET,
        STALL,
        ABORT;

        private static final Trouble[] ALL = values();

        static Trouble any(SplittableRandom random) {
            return ALL[random.nextInt(ALL.length)];
        }
    }

    @Test
    @Requirement({"RDMAP-5.3-05", "RDMAP-5.5-10-01", "DDP-5.3-05", "DDP-5.3-06", "EXT-6.3-03"})
    void everySeedAgreesWithTheModel() {
        Long only = Long.getLong("sim.seed");
        if (only != null) {
            run(only);
            return;
        }
        for (long seed = 0; seed < Long.getLong("sim.seeds", SEEDS); seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        try {
            new Run(new SplittableRandom(seed)).play();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Dsim.seed=" + seed + ": " + e, e);
        }
    }

    private static final class Run {
        private final SplittableRandom random;
        private final Pair pair = new Pair();
        private final Trouble trouble;
        private final boolean crc;
        private final Actor a;
        private final Actor b;

        Run(SplittableRandom random) {
            this.random = random;
            trouble = random.nextBoolean() ? Trouble.NONE : Trouble.any(random);
            crc = trouble == Trouble.FLIP || random.nextInt(4) > 0;
            connect();
            a = new Actor(random.split(), pair.a, pair.b);
            b = new Actor(random.split(), pair.b, pair.a);
            a.postReceives();
            b.postReceives();
        }

        private void connect() {
            boolean toA = random.nextInt(4) == 0;
            boolean toB = random.nextInt(4) == 0;
            int readsOfA = 1 + random.nextInt(8);
            int readsOfB = 1 + random.nextInt(8);
            Rtr rtr = random.nextBoolean() ? Rtr.WRITE : Rtr.READ;
            int emss = random.nextBoolean() ? Pair.EMSS : 128 + random.nextInt(66_000);
            if (random.nextBoolean()) {
                int most = 1 << random.nextInt(14);
                pair.split(Splitter.random(random.split(), most), Splitter.random(random.split(), most));
            }
            if (random.nextInt(3) == 0) {
                pair.toA.window = 1L + random.nextInt(5_000);
                pair.toB.window = 1L + random.nextInt(5_000);
            }
            pair.start(
                    new Negotiated(true, crc, toA, toB, 2, rtr, readsOfB, readsOfA, readsOfB, readsOfA, emss),
                    new Negotiated(false, crc, toB, toA, 2, rtr, readsOfA, readsOfB, readsOfA, readsOfB, emss));
        }

        void play() {
            Pipe victim = random.nextBoolean() ? pair.toA : pair.toB;
            long at = victim.writtenOctets() + random.nextInt(60_000);
            switch (trouble) {
                case FLIP -> {
                    victim.flipAt = at;
                    victim.flipMask = 1 << random.nextInt(8);
                }
                case TRUNCATE -> victim.truncateAt = at;
                case RESET -> victim.resetAt = at;
                case STALL -> victim.stallAt = at;
                default -> {}
            }
            while (a.postedCount() + b.postedCount() < 2 * OPERATIONS) {
                (random.nextBoolean() ? a : b).act();
                for (int steps = random.nextInt(8); steps > 0; steps--) {
                    (random.nextBoolean() ? pair.a : pair.b).step(pair.now);
                }
                if (trouble == Trouble.ABORT && random.nextInt(2 * OPERATIONS) == 0) {
                    pair.a.stream.abort(pair.now);
                }
            }
            end();
        }

        private void end() {
            pair.settle();
            (random.nextBoolean() ? pair.a : pair.b).stream.disconnect(pair.now);
            pair.elapse();
            boolean good = pair.a.closed
                    && pair.b.closed
                    && pair.a.stream.fault() == null
                    && pair.b.stream.fault() == null
                    && !pair.a.aborted
                    && !pair.b.aborted;
            if (trouble == Trouble.NONE) {
                assertThat(good)
                        .as(
                                "ended well: %s, %s and %s, %s",
                                pair.a.stream.state(),
                                pair.a.stream.fault(),
                                pair.b.stream.state(),
                                pair.b.stream.fault())
                        .isTrue();
                a.assertAllDone();
                b.assertAllDone();
            } else {
                pair.a.stream.abort(pair.now);
                pair.b.stream.abort(pair.now);
                pair.elapse();
                a.assertSends();
                b.assertSends();
                a.assertReceives(true);
                b.assertReceives(true);
            }
            assertThat(pair.a.closed && pair.b.closed).isTrue();
            pair.assertGuards();
        }
    }
}
