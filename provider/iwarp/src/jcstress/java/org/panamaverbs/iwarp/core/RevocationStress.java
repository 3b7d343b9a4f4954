package org.panamaverbs.iwarp.core;

import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.panamaverbs.iwarp.core.Target.Hand;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;

/**
 * Memory whose access is taken away while a peer writes there: from then on not an octet changes (RFC 5040 §8.1.1:
 * RDMAP-8.1.1). Of the three results the first tells whether the peer's write was let in, the second what the memory
 * held when the access was taken, the third what it holds in the end.
 */
public final class RevocationStress {
    private RevocationStress() {}

    /** A registration, and payload that is copied. */
    @JCStressTest
    @Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "Written before.")
    @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "Refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written after the access was taken, or in part.")
    @State
    public static class CopyAgainstRevoke {
        private final Target target = new Target();

        @Actor
        public void peer(ZII_Result r) {
            r.r1 = Hand.ofThread().copy(target.region.stag(), target.address());
        }

        @Actor
        public void owner(ZII_Result r) {
            Target.revoke(target.region);
            r.r2 = target.look();
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = target.look();
            target.remove();
        }
    }

    /** A registration that is written to by an access that is announced, and not pinned. */
    @JCStressTest
    @Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "Written before.")
    @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "Refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written after the access was taken, or in part.")
    @State
    public static class AnnouncedAgainstRevoke {
        private final Target target = new Target();
        private final Protection stream = Target.announcing(target);

        @Actor
        public void peer(ZII_Result r) {
            r.r1 = Hand.ofThread().announce(stream, target);
        }

        @Actor
        public void owner(ZII_Result r) {
            Target.revoke(target.region);
            r.r2 = target.look();
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = target.look();
            stream.end();
            target.remove();
        }
    }

    /** A registration, and payload that the socket writes. */
    @JCStressTest
    @Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "Written before.")
    @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "Refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written after the access was taken, or in part.")
    @State
    public static class ReceiveAgainstRevoke {
        private final Target target = new Target();

        @Actor
        public void peer(ZII_Result r) {
            r.r1 = Hand.ofThread().lend(target.region.stag(), target.address());
        }

        @Actor
        public void owner(ZII_Result r) {
            Target.revoke(target.region);
            r.r2 = target.look();
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = target.look();
            target.remove();
        }
    }

    /** A registration that is taken away from under a window, through which the peer writes. */
    @JCStressTest
    @Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "Written before.")
    @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "Refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written after the access was taken, or in part.")
    @State
    public static class WindowAgainstRevokeBeneath {
        private final Target target = new Target();
        private final Region window = window();
        private final int stag = window.nextStag(1);

        /** Binds the window. */
        public WindowAgainstRevokeBeneath() {
            Hand.ofThread().bindAtLast(window, stag, target);
        }

        @Actor
        public void peer(ZII_Result r) {
            r.r1 = Hand.ofThread().copy(stag, target.address());
        }

        @Actor
        public void owner(ZII_Result r) {
            Target.revoke(target.region);
            r.r2 = target.look();
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = target.look();
            target.remove();
            remove(window);
        }
    }

    /** A window that is bound elsewhere while the peer writes through it under its old STag. */
    @JCStressTest
    @Outcome(id = "true, 1, 1", expect = Expect.ACCEPTABLE, desc = "Written before.")
    @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "Refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Written after the access was taken, or in part.")
    @State
    public static class WindowAgainstRebind {
        private final Target target = new Target();
        private final Target elsewhere = new Target();
        private final Region window = window();
        private final int stag = window.nextStag(1);

        /** Binds the window. */
        public WindowAgainstRebind() {
            Hand.ofThread().bindAtLast(window, stag, target);
        }

        @Actor
        public void peer(ZII_Result r) {
            r.r1 = Hand.ofThread().copy(stag, target.address());
        }

        @Actor
        public void owner(ZII_Result r) {
            Hand.ofThread().bindAtLast(window, window.nextStag(stag + 1), elsewhere);
            r.r2 = target.look();
        }

        @Arbiter
        public void end(ZII_Result r) {
            r.r3 = target.look() | elsewhere.look();
            target.remove();
            elsewhere.remove();
            remove(window);
        }
    }

    /** Two revoke: one of them did it. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true"},
            expect = Expect.ACCEPTABLE,
            desc = "One of the two.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both or none.")
    @State
    public static class RevokeAgainstRevoke {
        private final Region region = Objects.requireNonNull(Cells.STAGS.reserve(Cells.DOMAIN), "full");

        /** Lets peers in, as a bind does. */
        public RevokeAgainstRevoke() {
            Target target = new Target();
            Hand.ofThread().bindAtLast(region, region.nextStag(1), target);
            target.remove();
        }

        @Actor
        public void one(ZZ_Result r) {
            r.r1 = region.revoke();
        }

        @Actor
        public void other(ZZ_Result r) {
            r.r2 = region.revoke();
        }

        @Arbiter
        public void end(ZZ_Result r) {
            remove(region);
        }
    }

    /** Two streams bind one window of type 2: it becomes that of one of them, and stays it. */
    @JCStressTest
    @Outcome(
            id = {"DONE, REFUSED", "REFUSED, DONE", "DONE, BUSY", "BUSY, DONE"},
            expect = Expect.ACCEPTABLE,
            desc = "One of the two has it; the other one is refused, now or when it tries again.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both were told that they have it, or none.")
    @State
    public static class BindAgainstBind {
        private final Target target = new Target();
        private final Region window = window();

        @Actor
        public void one(LL_Result r) {
            r.r1 = target.bind(Target.stream(1), window, window.nextStag(1), true);
        }

        @Actor
        public void other(LL_Result r) {
            r.r2 = target.bind(Target.stream(2), window, window.nextStag(2), true);
        }

        @Arbiter
        public void end(LL_Result r) {
            target.remove();
            remove(window);
        }
    }

    /**
     * The peer of one stream invalidates the STag of a window once more, while another stream binds the window anew:
     * the binding is none of its business.
     */
    @JCStressTest
    @Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "The new binding holds.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The peer of another stream has ended it.")
    @State
    public static class InvalidateAgainstBind {
        private final Target target = new Target();
        private final Region window = window();
        private final int stag = window.nextStag(1);
        private final int next = (stag & ~0xFF) | (stag + 1 & 0xFF);

        /** Binds the window for the first stream and invalidates it. */
        public InvalidateAgainstBind() {
            LocalOperations first = Target.stream(1);
            if (target.bind(first, window, stag, true) != LocalOperations.Outcome.DONE || !first.invalidate(stag)) {
                throw new IllegalStateException("the window cannot be bound and invalidated");
            }
        }

        @Actor
        public void peer(ZZZ_Result r) {
            r.r1 = Target.stream(1).invalidate(stag);
        }

        @Actor
        public void other(ZZZ_Result r) {
            r.r2 = target.bind(Target.stream(2), window, next, true) == LocalOperations.Outcome.DONE;
        }

        @Arbiter
        public void end(ZZZ_Result r) {
            r.r3 = window.pin(next);
            if (r.r3) {
                window.unpin();
            }
            target.remove();
            remove(window);
        }
    }

    private static Region window() {
        return Objects.requireNonNull(Cells.STAGS.reserve(Cells.DOMAIN), "the table of STags is full");
    }

    private static void remove(Region window) {
        Target.revoke(window);
        Cells.STAGS.remove(window);
    }
}
