package org.panamaverbs.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MaskedAtomicsTest {
    private static final int INPUTS = 1_000_000;
    private static final long SEED = 7306;

    /** The pseudocode of RFC 7306 section 5.1.1, statement by statement. */
    private static long rfcFetchAdd(long original, long addData, long addMask) {
        long bitLocation = 1;
        long carry = 0;
        long result = 0;
        for (int bit = 0; bit <= 63; bit++) {
            if (bit != 0) {
                bitLocation = bitLocation << 1;
            }
            long val1 = (original & bitLocation) >>> bit;
            long val2 = (addData & bitLocation) >>> bit;
            long sum = carry + val1 + val2;
            carry = (sum & 2) >> 1;
            sum = sum & 1;
            if (sum != 0) {
                result |= bitLocation;
            }
            carry = carry != 0 && (addMask & bitLocation) == 0 ? 1 : 0;
        }
        return result;
    }

    /** The pseudocode of RFC 7306 section 5.1.2, bit by bit so that it shares no expression with the code. */
    private static long rfcCmpSwap(long original, long compare, long compareMask, long swap, long swapMask) {
        for (int bit = 0; bit <= 63; bit++) {
            if (bit(compareMask, bit) && bit(compare, bit) != bit(original, bit)) {
                return original;
            }
        }
        long result = 0;
        for (int bit = 0; bit <= 63; bit++) {
            if (bit(swapMask, bit) ? bit(swap, bit) : bit(original, bit)) {
                result |= 1L << bit;
            }
        }
        return result;
    }

    private static boolean bit(long value, int bit) {
        return ((value >>> bit) & 1) != 0;
    }

    private static long cmpSwap(long original, long compare, long compareMask, long swap, long swapMask) {
        return MaskedAtomics.matches(original, compare, compareMask)
                ? MaskedAtomics.swap(original, swap, swapMask)
                : original;
    }

    private static List<Long> edgeMasks() {
        List<Long> masks = new ArrayList<>(List.of(
                0L,
                -1L,
                0x5555555555555555L,
                0xAAAAAAAAAAAAAAAAL,
                0x8080808080808080L,
                0x8000800080008000L,
                0x8000000080000000L));
        for (int bit = 0; bit < Long.SIZE; bit++) {
            masks.add(1L << bit);
            masks.add(~(1L << bit));
            masks.add(-1L << bit);
            masks.add(-1L >>> bit);
        }
        return masks;
    }

    /** Random, and half of the time with few or many bits set. */
    private static long mixed(SplittableRandom random) {
        long first = random.nextLong();
        long second = random.nextLong();
        long third = random.nextLong();
        return switch (random.nextInt(4)) {
            case 0 -> first & second & third;
            case 1 -> first | second | third;
            default -> first;
        };
    }

    @Test
    void fetchAddEqualsTheRfcOnRandomInputs() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < INPUTS; i++) {
            long original = mixed(random);
            long add = mixed(random);
            long mask = mixed(random);
            long expected = rfcFetchAdd(original, add, mask);
            if (MaskedAtomics.fetchAdd(original, add, mask) != expected) {
                assertThat(MaskedAtomics.fetchAdd(original, add, mask))
                        .as("input %d: original %x, add %x, mask %x", i, original, add, mask)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void fetchAddEqualsTheRfcOnAllEdgeMasks() {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        List<Long> values = edgeMasks();
        for (long mask : values) {
            for (long original : values) {
                for (long add : List.of(0L, 1L, -1L, Long.MIN_VALUE, original, ~original, random.nextLong())) {
                    assertThat(MaskedAtomics.fetchAdd(original, add, mask) == rfcFetchAdd(original, add, mask))
                            .as("original %x, add %x, mask %x", original, add, mask)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void fetchAddDropsTheCarryOfEachField() {
        assertThat(MaskedAtomics.fetchAdd(0x00FF_00FF_FFFF_7FFFL, 0x0001_0001_0001_0001L, 0x8080_8000_8000_8000L))
                .isEqualTo(0x0000_0100_0000_8000L);
        assertThat(MaskedAtomics.fetchAdd(-1L, 1L, 0)).isZero();
        assertThat(MaskedAtomics.fetchAdd(0b1100, 0b1010, -1L))
                .as("all fields one bit: exclusive or")
                .isEqualTo(0b0110);
    }

    @Test
    void cmpSwapEqualsTheRfcOnRandomInputs() {
        SplittableRandom random = new SplittableRandom(SEED + 2);
        int swapped = 0;
        for (int i = 0; i < INPUTS; i++) {
            long original = mixed(random);
            long compareMask = mixed(random);
            long compare = random.nextBoolean() ? original ^ (random.nextLong() & ~compareMask) : mixed(random);
            long swap = mixed(random);
            long swapMask = mixed(random);
            long expected = rfcCmpSwap(original, compare, compareMask, swap, swapMask);
            swapped += expected == original ? 0 : 1;
            if (cmpSwap(original, compare, compareMask, swap, swapMask) != expected) {
                assertThat(cmpSwap(original, compare, compareMask, swap, swapMask))
                        .as(
                                "input %d: %x, compare %x/%x, swap %x/%x",
                                i, original, compare, compareMask, swap, swapMask)
                        .isEqualTo(expected);
            }
        }
        assertThat(swapped).as("inputs that swap").isBetween(INPUTS / 3, INPUTS * 2 / 3);
    }

    @Test
    void cmpSwapEqualsTheRfcOnAllEdgeMasks() {
        SplittableRandom random = new SplittableRandom(SEED + 3);
        List<Long> masks = edgeMasks();
        for (long compareMask : masks) {
            for (long swapMask : masks) {
                long original = random.nextLong();
                long swap = random.nextLong();
                long differing = original ^ Long.lowestOneBit(compareMask);
                for (long compare : List.of(original, ~original, original ^ ~compareMask, differing)) {
                    assertThat(cmpSwap(original, compare, compareMask, swap, swapMask)
                                    == rfcCmpSwap(original, compare, compareMask, swap, swapMask))
                            .as("%x, compare %x/%x, swap %x/%x", original, compare, compareMask, swap, swapMask)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void updatesACellAsTheFormulasSay() {
        SplittableRandom random = new SplittableRandom(SEED + 4);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16, 8);
            for (int i = 0; i < 10_000; i++) {
                long before = segment.get(ValueLayout.JAVA_LONG, 8);
                long data = mixed(random);
                long mask = random.nextInt(3) == 0 ? 0 : mixed(random);
                assertThat(MaskedAtomics.fetchAdd(segment, 8, data, mask)).isEqualTo(before);
                long added = segment.get(ValueLayout.JAVA_LONG, 8);
                assertThat(added).isEqualTo(rfcFetchAdd(before, data, mask));

                long compare = random.nextBoolean() ? added : mixed(random);
                long swap = mixed(random);
                assertThat(MaskedAtomics.cmpSwap(segment, 8, compare, mask, swap, data))
                        .isEqualTo(added);
                assertThat(segment.get(ValueLayout.JAVA_LONG, 8))
                        .isEqualTo(rfcCmpSwap(added, compare, mask, swap, data));
            }
            assertThat(segment.get(ValueLayout.JAVA_LONG, 0))
                    .as("the cell beside")
                    .isZero();
        }
    }
}
