package org.panamaverbs.iwarp.core;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.iwarp.core.memory.AccessCheck;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.ViewPool;
import org.panamaverbs.iwarp.wire.FpduCrc;
import org.panamaverbs.memory.Access;

/** Memory of one test under an STag of its own, all zeros, into which a peer writes all ones. */
final class Target {
    static final int BYTES = 128;
    /** What {@link #look} sees before anything is written. */
    static final int ZEROS = 0;
    /** What it sees when all is written. */
    static final int ONES = 1;
    /** What it sees in between. */
    static final int MIXED = 2;

    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final int COUNT = 1 << 18;
    private static final MemorySegment MEMORY = Arena.global().allocate((long) BYTES * COUNT, BYTES);
    private static final AtomicInteger NEXT = new AtomicInteger();

    final MemorySegment segment;
    final Region region;

    Target() {
        segment = MEMORY.asSlice((long) (NEXT.getAndIncrement() & COUNT - 1) * BYTES, BYTES);
        segment.fill((byte) 0);
        int rights = Cells.ALL | Access.mask(Access.MEMORY_WINDOW_BIND);
        region = Objects.requireNonNull(
                Cells.STAGS.enable(segment, segment.address(), rights, Cells.DOMAIN), "the table of STags is full");
    }

    long address() {
        return segment.address();
    }

    int look() {
        long all = -1;
        long any = 0;
        for (int i = 0; i < BYTES / Long.BYTES; i++) {
            long eight = segment.getAtIndex(JAVA_LONG, i);
            all &= eight;
            any |= eight;
        }
        return all == -1 ? ONES : any == 0 ? ZEROS : MIXED;
    }

    /** Takes all access away as deregistration does: it has when this returns. */
    static void revoke(Region region) {
        region.revoke();
        long start = System.nanoTime();
        while (!region.quiescent()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException("somebody is inside for ever, or the revocation was lost");
            }
            Thread.yield();
        }
    }

    /** Returns what the stream of queue pair {@code number} binds and invalidates with; for one thread. */
    static LocalOperations stream(int number) {
        return local(number, new Protection(Cells.STAGS, Cells.DOMAIN, number, ~0));
    }

    private static LocalOperations local(int number, Protection protection) {
        return new LocalOperations(
                Cells.STAGS,
                protection,
                StreamConfig.builder()
                        .qpNumber(number)
                        .domainId(Cells.DOMAIN)
                        .maxSendWr(1)
                        .build());
    }

    /** Has {@code stream} bind {@code window} to it, of type 2 if {@code scoped}. */
    LocalOperations.Outcome bind(LocalOperations stream, Region window, int newStag, boolean scoped) {
        int rights = Access.mask(Access.REMOTE_WRITE);
        return stream.bind(window, newStag, region.stag(), address(), BYTES, rights, scoped);
    }

    /** Returns what of a stream has accessed {@code target} once: it announces the next access. */
    static Protection announcing(Target target) {
        Protection stream = new Protection(Cells.STAGS, Cells.DOMAIN, 1, ~0);
        stream.announce(target.region.stag(), target.address(), BYTES, Access.REMOTE_WRITE);
        stream.leave();
        return stream;
    }

    /** Ends the test. */
    void remove() {
        revoke(region);
        Cells.STAGS.remove(region);
    }

    /** What one thread places and binds with: what a stream has of its own. */
    static final class Hand {
        private static final AtomicInteger NUMBERS = new AtomicInteger();
        private static final ThreadLocal<Hand> OF_THREAD = ThreadLocal.withInitial(Hand::new);

        private final int number = NUMBERS.incrementAndGet();
        private final Protection protection = new Protection(Cells.STAGS, Cells.DOMAIN, number, ~0);
        private final Placement placement = new Placement(protection, new ViewPool());
        private final LocalOperations local = local(number, protection);
        private final FpduCrc crc = new FpduCrc();
        private final MemorySegment ones =
                Arena.ofAuto().allocate(BYTES, Long.BYTES).fill((byte) -1);
        private final ByteBuffer onesView = ones.asByteBuffer();

        static Hand ofThread() {
            return OF_THREAD.get();
        }

        /** Places all ones as the small payload of a Write is; false if it was refused. */
        boolean copy(int stag, long to) {
            placement.tagged(stag, to, true);
            return placement.copy(ones, 0, BYTES);
        }

        /** Writes all ones as an access by {@code stream} that is announced; false if it was refused. */
        boolean announce(Protection stream, Target to) {
            AccessCheck check = stream.announce(to.region.stag(), to.address(), BYTES, Access.REMOTE_WRITE);
            VarHandle.fullFence();
            boolean copied = check == AccessCheck.OK && stream.isStillOpen() && stream.copyIn(ones, 0, BYTES);
            stream.leave();
            return copied;
        }

        /** Places all ones as the large payload of a Write is, which the socket writes into the memory itself. */
        boolean lend(int stag, long to) {
            placement.tagged(stag, to, true);
            ByteBuffer view = placement.lend(BYTES);
            if (view == null) {
                return false;
            }
            view.put(onesView.clear());
            return placement.landed(crc, 0, BYTES);
        }

        /** Binds as a stream does that finds somebody in the window: again. */
        void bindAtLast(Region window, int newStag, Target target) {
            LocalOperations.Outcome outcome;
            do {
                Thread.onSpinWait();
                outcome = target.bind(local, window, newStag, false);
            } while (outcome == LocalOperations.Outcome.BUSY);
            if (outcome != LocalOperations.Outcome.DONE) {
                throw new IllegalStateException("the bind was refused");
            }
        }
    }
}
