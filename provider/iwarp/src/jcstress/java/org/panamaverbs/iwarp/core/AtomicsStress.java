package org.panamaverbs.iwarp.core;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JZJ_Result;
import org.panamaverbs.memory.AtomicTarget;

/**
 * Atomics of peers on one cell, of several streams and against the application's own access: each is atomic with all
 * others (RFC 7306 §5: RDMAP-7306-5).
 */
public final class AtomicsStress {
    private static final long ONES = -1L;
    private static final long LOW = 0xFFFF_FFFFL;
    private static final long HIGH_ONE = 1L << Integer.SIZE;
    // The top bits of two fields of 32 bits.
    private static final long TWO_FIELDS = 0x8000_0000_8000_0000L;

    private AtomicsStress() {}

    /** Two streams add. */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 2", "1, 0, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "One after the other.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "An addition was lost or seen twice.")
    @State
    public static class FetchAddOfTwoStreams {
        private final AtomicTarget cell = Cells.take(0);

        @Actor
        public void one(JJJ_Result r) {
            r.r1 = Requester.ofThread().fetchAdd(cell, 1, 0);
        }

        @Actor
        public void other(JJJ_Result r) {
            r.r2 = Requester.ofThread().fetchAdd(cell, 1, 0);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = cell.getVolatile();
        }
    }

    /** A stream and the application add. */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 2", "1, 0, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "One after the other.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "An addition was lost or seen twice.")
    @State
    public static class FetchAddAgainstGetAndAdd {
        private final AtomicTarget cell = Cells.take(0);

        @Actor
        public void stream(JJJ_Result r) {
            r.r1 = Requester.ofThread().fetchAdd(cell, 1, 0);
        }

        @Actor
        public void application(JJJ_Result r) {
            r.r2 = cell.getAndAdd(1);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = cell.getVolatile();
        }
    }

    /** A stream adds to the lower of two fields, which runs over; the application to the upper one. */
    @JCStressTest
    @Outcome(
            id = {"4294967295, 0, 4294967296", "8589934591, 4294967295, 4294967296"},
            expect = Expect.ACCEPTABLE,
            desc = "One after the other, and no carry between the fields.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "An addition was lost.")
    @State
    public static class MaskedFetchAddAgainstGetAndAdd {
        private final AtomicTarget cell = Cells.take(LOW);

        @Actor
        public void stream(JJJ_Result r) {
            r.r1 = Requester.ofThread().fetchAdd(cell, 1, TWO_FIELDS);
        }

        @Actor
        public void application(JJJ_Result r) {
            r.r2 = cell.getAndAdd(HIGH_ONE);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = cell.getVolatile();
        }
    }

    /** A stream and the application want to be the one that changes the cell. */
    @JCStressTest
    @Outcome(
            id = {"0, false, 1", "2, true, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "One of the two did.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both or none did.")
    @State
    public static class CmpSwapAgainstCompareAndSet {
        private final AtomicTarget cell = Cells.take(0);

        @Actor
        public void stream(JZJ_Result r) {
            r.r1 = Requester.ofThread().cmpSwap(cell, 0, ONES, 1, ONES);
        }

        @Actor
        public void application(JZJ_Result r) {
            r.r2 = cell.compareAndSet(0, 2);
        }

        @Arbiter
        public void end(JZJ_Result r) {
            r.r3 = cell.getVolatile();
        }
    }

    /** Two streams want to be the one that changes the cell. */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 1", "2, 0, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "One of the two did.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both or none did.")
    @State
    public static class CmpSwapOfTwoStreams {
        private final AtomicTarget cell = Cells.take(0);

        @Actor
        public void one(JJJ_Result r) {
            r.r1 = Requester.ofThread().cmpSwap(cell, 0, ONES, 1, ONES);
        }

        @Actor
        public void other(JJJ_Result r) {
            r.r2 = Requester.ofThread().cmpSwap(cell, 0, ONES, 2, ONES);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = cell.getVolatile();
        }
    }

    /** A stream swaps the lower half if it is 0, the application adds to the upper one meanwhile. */
    @JCStressTest
    @Outcome(
            id = {"0, 7, 4294967303", "4294967296, 0, 4294967303"},
            expect = Expect.ACCEPTABLE,
            desc = "One after the other.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One of the two was lost.")
    @State
    public static class MaskedCmpSwapAgainstGetAndAdd {
        private final AtomicTarget cell = Cells.take(0);

        @Actor
        public void stream(JJJ_Result r) {
            r.r1 = Requester.ofThread().cmpSwap(cell, 0, LOW, 7, LOW);
        }

        @Actor
        public void application(JJJ_Result r) {
            r.r2 = cell.getAndAdd(HIGH_ONE);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = cell.getVolatile();
        }
    }

    /** A stream swaps, which is a CmpSwap that compares nothing; another one adds. */
    @JCStressTest
    @Outcome(
            id = {"0, 5, 6", "1, 0, 5"},
            expect = Expect.ACCEPTABLE,
            desc = "One after the other.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One of the two was lost.")
    @State
    public static class SwapAgainstFetchAdd {
        private final AtomicTarget cell = Cells.take(0);

        @Actor
        public void swap(JJJ_Result r) {
            r.r1 = Requester.ofThread().cmpSwap(cell, 0, 0, 5, ONES);
        }

        @Actor
        public void add(JJJ_Result r) {
            r.r2 = Requester.ofThread().fetchAdd(cell, 1, 0);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = cell.getVolatile();
        }
    }
}
