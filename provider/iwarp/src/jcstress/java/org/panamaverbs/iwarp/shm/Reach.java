package org.panamaverbs.iwarp.shm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.iwarp.core.PeerMemory;
import org.panamaverbs.iwarp.core.memory.Protection;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixName;
import org.panamaverbs.iwarp.net.unix.UnixServer;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;

/**
 * A slab as its owner has it mapped, which all tests share, and as one thread reaches it over a connection of its own:
 * table and slab are mapped twice, as in two processes.
 */
final class Reach {
    static final int DOMAIN = 1;
    static final int NUMBER = 17;
    /** Bytes of a cell, which one meeting is about. */
    static final int CELL = 128;

    private static final int CELLS = 1 << 16;
    private static final int MOST_ACCESSES = 100;
    private static final Access[] ALL = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC, Access.MEMORY_WINDOW_BIND
    };
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final AtomicInteger SEED = new AtomicInteger();
    private static final DirectDomains DOMAINS = new DirectDomains(() -> "");
    private static final DirectDomain OWNER = Objects.requireNonNull(DOMAINS.open(DOMAIN));
    private static final StagTable STAGS =
            new StagTable(1 << 16, () -> new SplittableRandom(SEED.incrementAndGet()).nextInt());
    private static final MemorySlab SLAB = MemorySlab.shared("panama-verbs stress", (long) CELL * CELLS);

    /** All of the slab, for as long as the tests run. */
    static final Region WHOLE = register(SLAB.segment());

    private static final ThreadLocal<Reach> OF_THREAD = ThreadLocal.withInitial(Reach::connect);
    private static final ThreadLocal<Region> WINDOW_OF_THREAD = ThreadLocal.withInitial(Reach::window);

    private final PeerMemory memory;
    private final MemorySegment ones = Arena.ofAuto().allocate(CELL, Long.BYTES).fill((byte) -1);

    private Reach(PeerMemory memory) {
        this.memory = memory;
    }

    // ---- the owner ------------------------------------------------------------------------------------------------

    /** Returns a cell of zeros, as its owner has it mapped. */
    static MemorySegment cell() {
        long index = NEXT.getAndIncrement() & CELLS - 1;
        return SLAB.segment().asSlice(index * CELL, CELL).fill((byte) 0);
    }

    static Region register(MemorySegment segment) {
        Region region = Objects.requireNonNull(
                STAGS.enable(segment, segment.address(), Access.mask(ALL), DOMAIN), "the table of STags is full");
        OWNER.enable(region, segment, Access.mask(ALL));
        return region;
    }

    private static Region window() {
        Region window = Objects.requireNonNull(STAGS.reserve(DOMAIN), "the table of STags is full");
        OWNER.reserve(window);
        return window;
    }

    /** Returns this thread's window. */
    static Region windowOfThread() {
        return WINDOW_OF_THREAD.get();
    }

    /** Binds {@code window} to {@code cell} of {@code beneath} for the one queue pair; returns its STag. */
    static int bind(Region window, Region beneath, MemorySegment cell) {
        int stag = window.nextStag(7);
        window.revoke();
        long start = System.nanoTime();
        // A peer may look whether it still may.
        while (!window.bind(stag, beneath, cell.address(), CELL, Access.mask(Access.REMOTE_WRITE), NUMBER)) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException("somebody is in a window that was taken back");
            }
            Thread.onSpinWait();
        }
        return stag;
    }

    /** Invalidates the window under {@code stag}, as the queue pair does that it is bound on. */
    static void invalidate(int stag) {
        new Protection(STAGS, DOMAIN, NUMBER, ~0).invalidate(stag);
    }

    /** Waits until nobody is in {@code region}, which was revoked. */
    static void awaitQuiescent(Region region) {
        long start = System.nanoTime();
        while (!region.quiescent()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException("somebody is inside for ever, or the revocation was lost");
            }
            Thread.onSpinWait();
        }
    }

    /** Deregisters {@code region}: nobody gets in any more when this returns. */
    static void revoke(Region region) {
        OWNER.retire(region);
        region.revoke();
        awaitQuiescent(region);
    }

    static void forget(Region region) {
        OWNER.forget(region);
        STAGS.remove(region);
    }

    /** Returns 0 for a cell of zeros, 1 for one of ones, 2 for one that was written in part. */
    static int look(MemorySegment cell) {
        long all = -1;
        long any = 0;
        for (int i = 0; i < CELL / Long.BYTES; i++) {
            long eight = cell.getAtIndex(JAVA_LONG, i);
            all &= eight;
            any |= eight;
        }
        return all == -1 ? 1 : any == 0 ? 0 : 2;
    }

    // ---- who reaches ----------------------------------------------------------------------------------------------

    /** Returns what this thread reaches with. */
    static Reach ofThread() {
        return OF_THREAD.get();
    }

    /** Writes ones over the cell at {@code to}; false if nobody lets it. */
    boolean write(int stag, long to) {
        if (!memory.enter(stag, to, CELL, Access.REMOTE_WRITE)) {
            return false;
        }
        MemorySegment.copy(ones, 0, memory.segment(), memory.offset(), CELL);
        memory.leave();
        return true;
    }

    /** Begins an Atomic at the beginning of {@code cell}, which everybody may reach. */
    PeerMemory enter(MemorySegment cell) {
        if (!memory.enter(WHOLE.stag(), cell.address(), Long.BYTES, Access.REMOTE_ATOMIC)) {
            throw new IllegalStateException("not reached");
        }
        return memory;
    }

    private static Reach connect() {
        try {
            SealedFile ownersRings = rings();
            SealedFile initiatorsRings = rings();
            UnixName name = UnixName.ofAbstract(
                    "panama-verbs/stress/" + ProcessHandle.current().pid() + "/" + SEED.incrementAndGet());
            UnixServer server = UnixServer.listen(name, 1);
            UnixSocket initiatorsLine = UnixSocket.connect(name);
            UnixSocket ownersLine = Objects.requireNonNull(server.accept());
            server.close();
            initiatorsLine.takeFiles();
            ownersLine.takeFiles();
            DirectLink owner = new DirectLink(
                    DOMAINS,
                    new RingPair(ownersRings.memory(), initiatorsRings.memory()).reach(),
                    initiatorsRings,
                    ownersLine,
                    () -> {});
            DirectLink initiator = new DirectLink(
                    DOMAINS,
                    new RingPair(initiatorsRings.memory(), ownersRings.memory()).reach(),
                    ownersRings,
                    initiatorsLine,
                    () -> {});
            Objects.requireNonNull(owner.reach(DOMAIN, NUMBER, Access.mask(ALL)));
            PeerMemory memory = Objects.requireNonNull(initiator.reach(DOMAIN, NUMBER, Access.mask(ALL)));
            Reach reach = new Reach(memory);
            // The first access asks for the table, a later one for the slab.
            for (int i = 0; !memory.enter(WHOLE.stag(), WHOLE.base(), Long.BYTES, Access.REMOTE_ATOMIC); i++) {
                if (i == MOST_ACCESSES) {
                    throw new IllegalStateException("not reached");
                }
                owner.serve();
            }
            memory.leave();
            return reach;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SealedFile rings() throws IOException {
        int bytes = RingLayout.MIN_RING_BYTES;
        SealedFile file = SealedFile.create("panama-verbs stress", RingLayout.fileBytes(bytes));
        RingLayout.format(file.memory(), bytes);
        return file;
    }
}
