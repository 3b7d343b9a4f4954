package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.panamaverbs.iwarp.iovec.IoVector;

/** Each pair of words of two sides that share memory: who sees one of them sees the other. */
public final class RingStress {
    private static final int RING = 64;
    private static final int ALL = -1;
    private static final int OTHERS = -2;

    private RingStress() {}

    /** Two sides of a stream, with rings of few bytes. */
    private static final class Sides {
        private final RingPair left;
        private final RingPair right;
        private final ByteBuffer out = ByteBuffer.allocateDirect(2 * RING);
        private final ByteBuffer in = ByteBuffer.allocateDirect(2 * RING);

        Sides() {
            MemorySegment leftFile = Arena.ofAuto().allocate(RingLayout.HEADER_BYTES + RING, Long.BYTES);
            MemorySegment rightFile = Arena.ofAuto().allocate(RingLayout.HEADER_BYTES + RING, Long.BYTES);
            left = RingPair.ofAnySize(leftFile, rightFile);
            right = RingPair.ofAnySize(rightFile, leftFile);
        }

        /** The left side writes {@code count} times the byte {@code value}. */
        Sides write(int count, int value) {
            out.clear();
            for (int i = 0; i < count; i++) {
                out.put((byte) value);
            }
            try {
                left.write(IoVector.of(out.flip()));
                return this;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** The right side reads; answers what came and whether all of it is {@code value}. */
        int read(int most, int value) {
            in.clear().limit(most);
            long octets;
            try {
                octets = right.read(IoVector.of(in));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            for (int i = 0; i < octets; i++) {
                if (in.get(i) != value) {
                    return OTHERS;
                }
            }
            return octets == most ? ALL : (int) octets;
        }
    }

    /** Who sees the tail sees the bytes before it. */
    @JCStressTest
    @Outcome(
            id = {"0", "-1"},
            expect = Expect.ACCEPTABLE,
            desc = "Before or behind it.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A tail without its bytes.")
    @State
    public static class TailAgainstOctets {
        private final Sides sides = new Sides();

        @Actor
        public void writer() {
            sides.write(12, 7);
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = sides.read(12, 7);
        }
    }

    /** Bytes are overwritten only when they were taken. */
    @JCStressTest
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "As they were written.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Bytes of the next round.")
    @State
    public static class HeadAgainstOctets {
        private final Sides sides = new Sides().write(RING, 7);

        @Actor
        public void writer() {
            sides.write(RING, 8);
        }

        @Actor
        public void reader(I_Result r) {
            r.r1 = sides.read(RING, 7);
        }
    }

    /** Who reaches into memory sees that it may no longer, or is seen by who takes that away. */
    @JCStressTest
    @Outcome(
            id = {"false, false", "false, true", "true, true"},
            expect = Expect.ACCEPTABLE,
            desc = "Not let in, or seen.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Let in and not seen.")
    @State
    public static class ClaimAgainstDismissal {
        private final ReachWords owner;
        private final ReachWords peer;

        /** Lets the peer in. */
        public ClaimAgainstDismissal() {
            Sides sides = new Sides();
            owner = sides.left.reach();
            peer = sides.right.reach();
            owner.admit(1, 1);
        }

        @Actor
        public void peer(ZZ_Result r) {
            peer.claim(1);
            r.r1 = RingLayout.admits(peer.admission()) != 0;
        }

        @Actor
        public void owner(ZZ_Result r) {
            owner.dismiss();
            r.r2 = owner.claimed() != 0;
        }
    }

    /** The end is seen behind all bytes. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 12", "12, 0", "12, -1"},
            expect = Expect.ACCEPTABLE,
            desc = "Bytes, then the end.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The end before the bytes.")
    @State
    public static class EndAgainstTail {
        private final Sides sides = new Sides();

        @Actor
        public void writer() {
            sides.write(12, 7).left.end();
        }

        @Actor
        public void reader(II_Result r) {
            r.r1 = sides.read(50, 7);
            r.r2 = sides.read(50, 7);
        }
    }

    /** Who goes to sleep sees the bytes, or their writer sees the sleep. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, true", "false, false"},
            expect = Expect.ACCEPTABLE,
            desc = "Awake or woken.")
    @Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "It sleeps on bytes.")
    @State
    public static class SleepAgainstTail {
        private final Sides sides = new Sides();

        @Actor
        public void reader(ZZ_Result r) {
            r.r1 = sides.right.sleep(true, false);
        }

        @Actor
        public void writer(ZZ_Result r) {
            // So many that a long batch would be published in their midst.
            r.r2 = sides.write(RING / 4, 7).left.mustRing();
        }
    }

    /** Who goes to sleep sees the end, or who ends sees the sleep. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, true", "false, false"},
            expect = Expect.ACCEPTABLE,
            desc = "Awake or woken.")
    @Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "It sleeps on an end.")
    @State
    public static class SleepAgainstEnd {
        private final Sides sides = new Sides();

        @Actor
        public void reader(ZZ_Result r) {
            r.r1 = sides.right.sleep(true, false);
        }

        @Actor
        public void writer(ZZ_Result r) {
            sides.left.end();
            r.r2 = sides.left.mustRing();
        }
    }

    /** Who goes to sleep with a full ring sees the room, or its reader sees the sleep. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "false, true", "false, false"},
            expect = Expect.ACCEPTABLE,
            desc = "Awake or woken.")
    @Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "It sleeps on room.")
    @State
    public static class SleepAgainstHead {
        private final Sides sides = new Sides().write(17, 7);

        public SleepAgainstHead() {
            sides.read(17, 7);
            sides.write(RING + 1, 7);
        }

        @Actor
        public void writer(ZZ_Result r) {
            r.r1 = sides.left.sleep(false, true);
        }

        @Actor
        public void reader(ZZ_Result r) {
            // In small steps: not each of them looks for a sleeper.
            boolean rings = false;
            for (int i = 0; i < RING; i += 8) {
                sides.read(8, 7);
                rings |= sides.right.mustRing();
            }
            r.r2 = rings;
        }
    }
}
