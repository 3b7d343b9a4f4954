package org.panamaverbs.bench.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import org.panamaverbs.memory.MemorySlab;

/**
 * Copies 64 bytes from random places of a slab in base pages and of one in huge pages, in turns, each place known by
 * what was copied before, as in a table that peers ask for. Prints the time of a copy.
 */
public final class PagesRun {
    private static final int CELL = 64;
    private static final int COPIES = 4_000_000;
    private static final int TURNS = 7;

    private PagesRun() {}

    /**
     * Runs.
     *
     * @param args MiB of the slab, at most 1024
     */
    public static void main(String[] args) {
        long bytes = Math.multiplyExact(Long.parseLong(args[0]), 1L << 20);
        try (MemorySlab base = MemorySlab.allocate(bytes);
                MemorySlab huge = MemorySlab.allocateHuge(bytes)) {
            double[] ofBase = new double[TURNS];
            double[] ofHuge = new double[TURNS];
            for (int turn = -2; turn < TURNS; turn++) {
                double first = nanosOfCopy(base.segment(), turn);
                double second = nanosOfCopy(huge.segment(), turn);
                if (turn >= 0) {
                    ofBase[turn] = first;
                    ofHuge[turn] = second;
                }
            }
            Arrays.sort(ofBase);
            Arrays.sort(ofHuge);
            String pages = huge.isHuge()
                    ? ""
                    : ", which are base pages: " + huge.fallbackReason().orElse("");
            System.out.printf(
                    Locale.ROOT,
                    "%s MiB: %.1f ns a copy from base pages, %.1f from huge pages%s%n",
                    args[0],
                    ofBase[TURNS / 2],
                    ofHuge[TURNS / 2],
                    pages);
        }
    }

    private static double nanosOfCopy(MemorySegment memory, int seed) {
        MemorySegment to = MemorySegment.ofArray(new long[CELL / Long.BYTES]);
        long cells = memory.byteSize() / CELL;
        long state = seed * 0x9E37_79B9_7F4A_7C15L + 1;
        long begin = System.nanoTime();
        for (int i = 0; i < COPIES; i++) {
            state = state * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            long cell = (state >>> 33) % cells;
            MemorySegment.copy(memory, cell * CELL, to, 0, CELL);
            state += to.get(JAVA_LONG, 0);
        }
        return (System.nanoTime() - begin) / (double) COPIES;
    }
}
