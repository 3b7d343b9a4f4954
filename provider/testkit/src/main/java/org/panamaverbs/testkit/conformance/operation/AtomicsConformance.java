package org.panamaverbs.testkit.conformance.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.MaskedAtomics;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.PairConfig;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.random.Seeded;
import org.panamaverbs.testkit.random.SeededRandom;

/** FetchAdd, CmpSwap and their masked forms: results, memory and order. */
public abstract class AtomicsConformance extends Conformance {
    private static final long RESULT = 4096;
    private static final long CELL = 64;

    /** For subclasses. */
    protected AtomicsConformance() {}

    @Test
    @Requirement({"EXT-5.1.1-01", "EXT-5.1.1-05", "EXT-5.1.1-06", "EXT-5-02", "EXT-5.2.1-8-01", "EXT-5.2.2-6-01"})
    void fetchAddReturnsTheValueBeforeInNativeOrder() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        pair.b().putLong(CELL, 0x0102_0304_0506_0708L);
        accepted(pair.qpA().fetchAdd(1, pair.a().buffer(), RESULT, pair.b().remote(), CELL, 5, SIGNALED));

        Completion completion = pair.a().inbox().takeOk(1);
        assertThat(completion.opcode()).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(completion.byteCount()).isEqualTo(Long.BYTES);
        assertThat(pair.a().getLong(RESULT)).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(pair.b().getLong(CELL)).isEqualTo(0x0102_0304_0506_070DL);
        expectNeighboursUntouched(pair);
    }

    @Test
    @Requirement("EXT-1.1-04")
    void addingZeroReadsTheCell() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        pair.b().putLong(CELL, -42);
        accepted(pair.qpA().fetchAdd(1, pair.a().buffer(), RESULT, pair.b().remote(), CELL, 0, SIGNALED));
        pair.a().inbox().takeOk(1);
        assertThat(pair.a().getLong(RESULT)).isEqualTo(-42);
        assertThat(pair.b().getLong(CELL)).isEqualTo(-42);
    }

    @Test
    @Requirement("EXT-5.1.1-05")
    void fetchAddWrapsAround() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        pair.b().putLong(CELL, -1);
        accepted(pair.qpA().fetchAdd(1, pair.a().buffer(), RESULT, pair.b().remote(), CELL, 3, SIGNALED));
        pair.a().inbox().takeOk(1);
        assertThat(pair.b().getLong(CELL)).isEqualTo(2);
        expectNeighboursUntouched(pair);
    }

    @Test
    @Requirement({"EXT-5.1.2-01", "EXT-5.1.2-02", "EXT-5.1.2-03", "EXT-5.1.2-04", "EXT-1.1-01"})
    void cmpSwapStoresOnlyOnMatchAndReturnsTheValueBefore() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        pair.b().putLong(CELL, 10);
        accepted(pair.qpA().cmpSwap(1, pair.a().buffer(), RESULT, pair.b().remote(), CELL, 10, 20, SIGNALED));
        Completion hit = pair.a().inbox().takeOk(1);
        assertThat(hit.opcode()).isEqualTo(WcOpcode.CMP_SWAP);
        assertThat(pair.a().getLong(RESULT)).isEqualTo(10);
        assertThat(pair.b().getLong(CELL)).isEqualTo(20);

        accepted(pair.qpA().cmpSwap(2, pair.a().buffer(), RESULT, pair.b().remote(), CELL, 10, 30, SIGNALED));
        pair.a().inbox().takeOk(2);
        assertThat(pair.a().getLong(RESULT)).isEqualTo(20);
        assertThat(pair.b().getLong(CELL)).isEqualTo(20);
        expectNeighboursUntouched(pair);
    }

    @Test
    @Requirement("EXT-5.1.1-04")
    void maskedFetchAddCutsTheCarryBetweenFields() {
        ConnectedPair pair = pair(Feature.MASKED_ATOMICS);
        pair.b().putLong(CELL, 0x0000_0001_FFFF_FFFFL);
        accepted(pair.qpA()
                .maskedFetchAdd(
                        1,
                        pair.a().buffer(),
                        RESULT,
                        pair.b().remote(),
                        CELL,
                        0x0000_0001_0000_0001L,
                        0x8000_0000_8000_0000L,
                        SIGNALED));
        assertThat(pair.a().inbox().takeOk(1).opcode()).isEqualTo(WcOpcode.FETCH_ADD);
        assertThat(pair.a().getLong(RESULT)).isEqualTo(0x0000_0001_FFFF_FFFFL);
        assertThat(pair.b().getLong(CELL)).isEqualTo(0x0000_0002_0000_0000L);
    }

    @Test
    @Requirement({"EXT-5.1.2-01", "EXT-5.1.2-02", "EXT-5.1.2-03"})
    void maskedCmpSwapComparesAndStoresOnlyMaskedBits() {
        ConnectedPair pair = pair(Feature.MASKED_ATOMICS);
        pair.b().putLong(CELL, 0x1111_2222_3333_4444L);
        accepted(pair.qpA()
                .maskedCmpSwap(
                        1,
                        pair.a().buffer(),
                        RESULT,
                        pair.b().remote(),
                        CELL,
                        0xFFFF_FFFF_FFFF_4444L,
                        0xAAAA_BBBB_CCCC_DDDDL,
                        0xFFFFL,
                        0xFFFF_0000_0000_0000L,
                        SIGNALED));
        assertThat(pair.a().inbox().takeOk(1).opcode()).isEqualTo(WcOpcode.CMP_SWAP);
        assertThat(pair.a().getLong(RESULT)).isEqualTo(0x1111_2222_3333_4444L);
        assertThat(pair.b().getLong(CELL)).isEqualTo(0xAAAA_2222_3333_4444L);
    }

    @Seeded(cases = 5)
    @Requirement({"EXT-5.1.1-04", "EXT-5.1.2-01", "EXT-5.1.2-02"})
    void maskedAtomicsOfAnyMasksEqualTheirDefinition(SeededRandom random) {
        ConnectedPair pair = pair(Feature.MASKED_ATOMICS);
        long model = random.nextLong();
        pair.b().putLong(CELL, model);
        for (int i = 0; i < 100; i++) {
            long operand = random.nextLong();
            long bits = random.nextLong();
            long mask = random.oneIn(4) ? 0 : bits & (bits >>> 7);
            if (random.oneIn(2)) {
                accepted(pair.qpA()
                        .maskedFetchAdd(
                                i, pair.a().buffer(), RESULT, pair.b().remote(), CELL, operand, mask, SIGNALED));
                pair.a().inbox().takeOk(i);
                assertThat(pair.a().getLong(RESULT)).isEqualTo(model);
                model = MaskedAtomics.fetchAdd(model, operand, mask);
            } else {
                long compare = random.oneIn(2) ? model : random.nextLong();
                long swapMask = random.nextLong();
                accepted(pair.qpA()
                        .maskedCmpSwap(
                                i,
                                pair.a().buffer(),
                                RESULT,
                                pair.b().remote(),
                                CELL,
                                compare,
                                operand,
                                mask,
                                swapMask,
                                SIGNALED));
                pair.a().inbox().takeOk(i);
                assertThat(pair.a().getLong(RESULT)).isEqualTo(model);
                model = MaskedAtomics.matches(model, compare, mask)
                        ? MaskedAtomics.swap(model, operand, swapMask)
                        : model;
            }
            assertThat(pair.b().getLong(CELL)).isEqualTo(model);
        }
    }

    @Test
    @Requirement({
        "EXT-5.2-01",
        "EXT-5.2.1-6-01",
        "EXT-5.2.1-7-01",
        "EXT-5.2.2-5-01",
        "DRAFT01-5.2.2-01",
        "EXT-5.2.2-8-01",
        "EXT-5.4-8-01",
        "EXT-7-05"
    })
    void manyMoreAtomicsThanMayBeOutstandingAreDoneInOrder() {
        ConnectedPair pair = pair(
                PairConfig.defaults()
                        .withConnections(config -> config.withDepths(2, 2), config -> config.withDepths(2, 2)),
                Feature.ATOMICS);
        for (int i = 0; i < 64; i++) {
            accepted(pair.qpA()
                    .fetchAdd(i, pair.a().buffer(), i * 8L, pair.b().remote(), CELL, 1, i % 2 == 1 ? SIGNALED : NONE));
        }
        for (int i = 1; i < 64; i += 2) {
            pair.a().inbox().takeOk(i);
        }
        for (int i = 0; i < 64; i++) {
            assertThat(pair.a().getLong(i * 8L)).isEqualTo(i);
        }
        assertThat(pair.b().getLong(CELL)).isEqualTo(64);
    }

    @Test
    @Requirement({"EXT-5.2.2-4-01", "EXT-7-03", "EXT-7-04", "EXT-5.2-01", "DRAFT01-5.2.2-01"})
    void readsAndAtomicsShareTheirOrder() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        for (int i = 0; i < 60; i += 3) {
            accepted(pair.qpA().fetchAdd(i, pair.a().buffer(), 8L * i, pair.b().remote(), CELL, 1, SIGNALED));
            accepted(pair.qpA()
                    .read(i + 1, pair.a().buffer(), 8L * (i + 1), 8, pair.b().remote(), CELL, SIGNALED));
            accepted(pair.qpA()
                    .fetchAdd(i + 2, pair.a().buffer(), 8L * (i + 2), pair.b().remote(), CELL, 1, SIGNALED));
        }
        long value = 0;
        for (int i = 0; i < 60; i += 3) {
            pair.a().inbox().takeAllOk(i, i + 1, i + 2);
            assertThat(pair.a().getLong(8L * i)).isEqualTo(value);
            // The Read may be answered before or after the next atomic is done, but not before the last one was.
            assertThat(pair.a().getLong(8L * (i + 1))).isGreaterThanOrEqualTo(value + 1);
            assertThat(pair.a().getLong(8L * (i + 2))).isEqualTo(value + 1);
            value += 2;
        }
    }

    @Test
    @Requirement({"EXT-5.4-3-01", "EXT-5.4-5-01"})
    void atomicSeesEarlierWriteOfTheSameQueue() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        for (int round = 1; round <= 30; round++) {
            pair.a().putLong(0, round * 1000L);
            accepted(pair.qpA().write(1, pair.a().buffer(), 0, 8, pair.b().remote(), CELL, NONE));
            accepted(pair.qpA().fetchAdd(2, pair.a().buffer(), RESULT, pair.b().remote(), CELL, 1, SIGNALED));
            pair.a().inbox().takeOk(2);
            assertThat(pair.a().getLong(RESULT)).isEqualTo(round * 1000L);
        }
    }

    @Test
    @Requirement({"EXT-5.2.1-3-01", "EXT-5.2.1-3-02"})
    void atomicIsInvisibleToTheTargetsApplication() {
        ConnectedPair pair = pair(Feature.ATOMICS);
        accepted(pair.qpB().recv(1, pair.b().buffer(), 0, 8));
        accepted(pair.qpA().fetchAdd(2, pair.a().buffer(), RESULT, pair.b().remote(), CELL, 1, SIGNALED));
        pair.a().inbox().takeOk(2);
        pair.b().inbox().expectNothing();
    }

    private static void expectNeighboursUntouched(ConnectedPair pair) {
        assertThat(pair.b().get(CELL - 8, 8)).containsOnly(0);
        assertThat(pair.b().get(CELL + 8, 8)).containsOnly(0);
        assertThat(pair.a().get(RESULT - 8, 8)).containsOnly(0);
        assertThat(pair.a().get(RESULT + 8, 8)).containsOnly(0);
    }
}
