package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;
import org.openjdk.jcstress.infra.results.ZZJ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.memory.MaskedAtomics;

/**
 * One side's processor in memory that the other one takes away, or changes too; each has its own mapping. What is taken
 * away does not change from then on (RFC 5040 §8.1.1): of the three results the first tells whether the peer was let
 * in, the second what the memory held when it was taken away, the third what it holds in the end. Atomics of either
 * mapping are atomic with those of the other (RFC 7306 §5).
 */
public final class DirectStress {
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    // The peer waits longer than its owner takes for a cell or two.
    private static final int PATIENCE = 100_000;
    private static final int DELAYS = 255;

    private DirectStress() {}

    /** Memory that is lent for a moment, by what the test says. */
    abstract static class Pooled {
        final MemorySegment cell = Reach.cell();
        /** What it is lent under, 0 before. */
        volatile int stag;

        /** The peer writes if it is let in. */
        final boolean write() {
            int lent = 0;
            for (int i = 0; i < PATIENCE && lent == 0; i++) {
                lent = stag;
            }
            return lent != 0 && Reach.ofThread().write(lent, cell.address());
        }

        /** The owner waits for as long as it takes a peer to notice, more or less. */
        final void pause() {
            for (long i = cell.address() / Reach.CELL & DELAYS; i > 0; i--) {
                Thread.onSpinWait();
            }
        }
    }

    /** A registration that is deregistered. */
    @JCStressTest
    @Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "Written before.")
    @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "Refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written after the access was taken, or in part.")
    @State
    public static class AccessAgainstDeregister extends Pooled {
        @Actor
        public void peer(ZII_Result r) {
            r.r1 = write();
        }

        @Actor
        public void owner(ZII_Result r) {
            Region region = Reach.register(cell);
            stag = region.stag();
            pause();
            Reach.revoke(region);
            r.r2 = Reach.look(cell);
            Reach.forget(region);
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = Reach.look(cell);
        }
    }

    /** A window that is invalidated. */
    @JCStressTest
    @Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "Written before.")
    @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "Refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written after the access was taken, or in part.")
    @State
    public static class AccessAgainstInvalidate extends Pooled {
        @Actor
        public void peer(ZII_Result r) {
            r.r1 = write();
        }

        @Actor
        public void owner(ZII_Result r) {
            Region window = Reach.windowOfThread();
            int lent = Reach.bind(window, Reach.WHOLE, cell);
            stag = lent;
            pause();
            Reach.invalidate(lent);
            Reach.awaitQuiescent(window);
            r.r2 = Reach.look(cell);
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = Reach.look(cell);
        }
    }

    /** A window whose registration is deregistered. */
    @JCStressTest
    @Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "Written before.")
    @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "Refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written after the access was taken, or in part.")
    @State
    public static class WindowAgainstDeregisterBeneath extends Pooled {
        @Actor
        public void peer(ZII_Result r) {
            r.r1 = write();
        }

        @Actor
        public void owner(ZII_Result r) {
            Region window = Reach.windowOfThread();
            Region beneath = Reach.register(cell);
            stag = Reach.bind(window, beneath, cell);
            pause();
            Reach.revoke(beneath);
            r.r2 = Reach.look(cell);
            Reach.forget(beneath);
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = Reach.look(cell);
        }
    }

    /** Who claims an entry sees that it was revoked, or is seen by who revokes it. */
    @JCStressTest
    @Outcome(
            id = {"false, false", "false, true", "true, true"},
            expect = Expect.ACCEPTABLE,
            desc = "Not let in, or seen.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Let in and not seen.")
    @State
    public static class ClaimAgainstRevoke {
        private final Entries entries = Entries.next();
        private final MemorySegment claim = Reach.cell();

        @Actor
        public void peer(ZZ_Result r) {
            LONG.setRelease(claim, 0L, 1L);
            VarHandle.fullFence();
            r.r1 = entries.peer.isStill(entries.index);
        }

        @Actor
        public void owner(ZZ_Result r) {
            entries.owner.revoke(entries.entry);
            r.r2 = (long) LONG.getAcquire(claim, 0L) != 0;
        }
    }

    /** Both add. */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 11", "10, 0, 11"},
            expect = Expect.ACCEPTABLE,
            desc = "One behind the other.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One is lost.")
    @State
    public static class FetchAddAgainstGetAndAdd {
        private final MemorySegment cell = Reach.cell();

        @Actor
        public void peer(JJJ_Result r) {
            PeerMemory memory = Reach.ofThread().enter(cell);
            r.r1 = MaskedAtomics.fetchAdd(memory.segment(), memory.offset(), 1, 0);
            memory.leave();
        }

        @Actor
        public void owner(JJJ_Result r) {
            r.r2 = (long) LONG.getAndAdd(cell, 0L, 10L);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = (long) LONG.getVolatile(cell, 0L);
        }
    }

    /** One adds to the upper half, one to all. */
    @JCStressTest
    @Outcome(
            id = {"0, 4294967296, 4294967306", "10, 0, 4294967306"},
            expect = Expect.ACCEPTABLE,
            desc = "One behind the other.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One is lost.")
    @State
    public static class MaskedFetchAddAgainstGetAndAdd {
        private static final long HALVES = 1L << 31 | 1L << 63;
        private final MemorySegment cell = Reach.cell();

        @Actor
        public void peer(JJJ_Result r) {
            PeerMemory memory = Reach.ofThread().enter(cell);
            r.r1 = MaskedAtomics.fetchAdd(memory.segment(), memory.offset(), 1L << 32, HALVES);
            memory.leave();
        }

        @Actor
        public void owner(JJJ_Result r) {
            r.r2 = (long) LONG.getAndAdd(cell, 0L, 10L);
        }

        @Arbiter
        public void end(JJJ_Result r) {
            r.r3 = (long) LONG.getVolatile(cell, 0L);
        }
    }

    /** Both want to be the first. */
    @JCStressTest
    @Outcome(
            id = {"true, false, 1", "false, true, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "One is.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both are, or none.")
    @State
    public static class CmpSwapAgainstCompareAndSet {
        private final MemorySegment cell = Reach.cell();

        @Actor
        public void peer(ZZJ_Result r) {
            PeerMemory memory = Reach.ofThread().enter(cell);
            r.r1 = MaskedAtomics.cmpSwap(memory.segment(), memory.offset(), 0, -1L, 1, -1L) == 0;
            memory.leave();
        }

        @Actor
        public void owner(ZZJ_Result r) {
            r.r2 = LONG.compareAndSet(cell, 0L, 0L, 2L);
        }

        @Arbiter
        public void end(ZZJ_Result r) {
            r.r3 = (long) LONG.getVolatile(cell, 0L);
        }
    }
}
