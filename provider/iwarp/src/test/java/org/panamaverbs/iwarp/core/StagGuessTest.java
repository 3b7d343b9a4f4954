package org.panamaverbs.iwarp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.wire.Statistics;
import org.panamaverbs.testkit.Requirement;

/**
 * STags cannot be guessed from others, and do not come back soon (RFC 5040 §8.1.1, RFC 5042 §6.1.1). The statistics run
 * over a fixed seed: they say what the table does to the numbers it is given, and cannot fail by chance; the source's
 * own are in {@code StagSourceTest}.
 */
class StagGuessTest {
    private static final int STAGS = 65_536;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment memory = arena.allocate(64);

    private static IntSupplier seeded() {
        return Side.randomStags(5042);
    }

    private int[] sequence(StagTable table, boolean closing) {
        int[] stags = new int[STAGS];
        for (int i = 0; i < STAGS; i++) {
            Region region = Objects.requireNonNull(table.enable(memory, 0, 0, 1));
            stags[i] = region.stag();
            if (closing) {
                assertThat(region.revoke() && region.quiescent()).isTrue();
                table.remove(region);
            }
        }
        return stags;
    }

    // RFC 5040 §8.1.1: an STag is as hard to predict as the source is, if it is what the source gave.
    @Test
    @Requirement("RDMAP-8.1.1-8-01")
    void stagsAreTheNumbersOfTheSourceAsTheyStand() {
        IntSupplier source = seeded();
        StagTable table = new StagTable(1000, source);
        IntSupplier same = seeded();
        for (int i = 0; i < 1000; i++) {
            int number = same.getAsInt();
            Region region = Objects.requireNonNull(i % 2 == 0 ? table.enable(memory, 0, 0, 1) : table.reserve(1));
            assertThat(region.stag()).isEqualTo(number);
            assertThat(region.revoke() || i % 2 == 1).isTrue();
            table.remove(region);
        }
    }

    @Test
    @Requirement("RDMAP-8.1.1-8-02")
    void octetsOfStagsAreEvenlySpread() {
        int[] stags = sequence(new StagTable(STAGS, seeded()), false);
        for (int shift = 0; shift < 32; shift += 8) {
            long[] counts = new long[256];
            for (int stag : stags) {
                counts[stag >>> shift & 0xFF]++;
            }
            assertThat(Statistics.chiSquare(counts))
                    .as("octet at bit %d", shift)
                    .isLessThan(Statistics.CHI_SQUARE_255);
        }
    }

    @Test
    void oneStagTellsNothingOfTheNext() {
        int[] stags = sequence(new StagTable(STAGS, seeded()), false);
        assertThat(Math.abs(Statistics.serialCorrelation(stags))).isLessThan(Statistics.correlationBound(STAGS));
        int[] steps = new int[STAGS - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = stags[i + 1] - stags[i];
        }
        Arrays.sort(steps);
        int most = 0;
        int run = 1;
        for (int i = 1; i < steps.length; i++) {
            run = steps[i] == steps[i - 1] ? run + 1 : 1;
            most = Math.max(most, run);
        }
        assertThat(most)
                .as("how often the commonest step between neighbours occurs")
                .isLessThan(5);
    }

    @Test
    void aGuessRarelyHitsEvenAFullTable() {
        StagTable table = new StagTable(STAGS, seeded());
        sequence(table, false);
        IntSupplier guesses = Side.randomStags(666);
        int hits = 0;
        for (int i = 0; i < 1_000_000; i++) {
            int guess = guesses.getAsInt();
            Region region = table.find(guess);
            hits += region != null && region.stag() == guess ? 1 : 0;
        }
        // 65,536 of 2^32 make 15 of a million; what is seen is fixed by the seeds.
        assertThat(hits).isLessThan(60);
    }

    @Test
    void neighboursOfAStagAreNoStags() {
        StagTable table = new StagTable(STAGS, seeded());
        int[] stags = sequence(table, false);
        int hits = 0;
        for (int stag : stags) {
            for (int next : new int[] {stag + 1, stag - 1, stag + 256, stag - 256, stag ^ 0x100, stag ^ 1}) {
                Region region = table.find(next);
                hits += region != null && region.stag() == next ? 1 : 0;
            }
        }
        // 393,216 tries at a density of 1 in 65,536.
        assertThat(hits).isLessThan(40);
    }

    // What closes and opens all the time does not fall back upon what it had.
    @Test
    @Requirement("SEC-6.1.1-04")
    void aClosedStagDoesNotComeBackAmongTheNextThousands() {
        int[] stags = sequence(new StagTable(1, seeded()), true);
        Set<Integer> indexes = new HashSet<>();
        for (int i = 0; i < stags.length; i++) {
            if (i >= StagTable.REST) {
                indexes.remove(stags[i - StagTable.REST] >>> 8);
            }
            assertThat(indexes.add(stags[i] >>> 8)).as("STag %d", i).isTrue();
        }
    }

    @Test
    void aWindowGetsAKeyThatItsLastBindsHadNot() {
        Region window = Objects.requireNonNull(new StagTable(4, seeded()).reserve(1));
        IntSupplier random = seeded();
        int[] stags = new int[10_000];
        long[] keys = new long[256];
        for (int i = 0; i < stags.length; i++) {
            stags[i] = window.nextStag(random.getAsInt());
            assertThat(stags[i] >>> 8).as("the index").isEqualTo(window.stag() >>> 8);
            for (int before = Math.max(0, i - 64); before < i; before++) {
                assertThat(stags[i]).isNotEqualTo(stags[before]);
            }
            keys[stags[i] & 0xFF]++;
        }
        // All but the key that it was made with.
        assertThat(Arrays.stream(keys).filter(count -> count == 0)).hasSize(1);
    }
}
