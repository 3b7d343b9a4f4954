package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.Exposure;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.SharedMemory;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.MemorySlab.Sharing;
import org.panamaverbs.spi.support.DeferredLog;

/**
 * What of a protection domain's memory peers may reach, and who they are: registrations in slabs that can be shared and
 * windows on them, in a table that its peers map and read. Any thread.
 */
public final class DirectDomain implements AutoCloseable {
    private static final int WRITES = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    private static final int REMOTE = WRITES | Access.mask(Access.REMOTE_READ);

    /** How long an access may outlast its connection before the memory of the connection is unmapped. */
    static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Asked of the system where there are slabs. */
    private static final class Most {
        // Each has a descriptor.
        static final long SLABS = SharedMemory.mostDescriptors() / 4;
    }

    /** A slab that something is registered in. */
    private static final class Slab {
        final MemorySlab memory;
        final long number;
        final int place;
        int registrations;
        /** Whether the table has it: from the first entry in it on, as long as something is registered there. */
        boolean shown;

        Slab(MemorySlab memory, long number, int place) {
            this.memory = memory;
            this.number = number;
            this.place = place;
        }
    }

    /** A registration, or a window, as peers reach it. */
    private final class Exposed implements Exposure {
        private final TableEntry entry;
        /** The slab of a registration, and where in that it begins; null for a window. */
        private final @Nullable Slab slab;

        private final long offset;
        /** Nobody is let in again. */
        private boolean retired;

        Exposed(@Nullable Slab slab, long offset) {
            entry = new TableEntry(slab == null);
            this.slab = slab;
            this.offset = offset;
        }

        @Override
        public void expose(
                @Nullable Exposure memory, int stag, long base, long length, long skipped, int rights, int qpNumber) {
            if (memory instanceof Exposed its) {
                synchronized (DirectDomain.this) {
                    entry.stag = stag;
                    entry.base = base;
                    entry.length = length;
                    entry.offset = its.offset + skipped;
                    entry.rights = rights;
                    entry.scope = qpNumber;
                    lend(this, its);
                }
            }
        }

        @Override
        public void revoke() {
            DirectDomain.this.revoke(this, slab != null);
        }

        @Override
        public boolean isEntered() {
            return DirectDomain.this.isEntered(entry);
        }
    }

    // Made once: to be removed by it needs no memory.
    private final Integer number;
    // Null until the first peer wants it.
    private @Nullable SealedFile file;
    private final AccessTable table = new AccessTable();
    private final AtomicInteger allSlabs;
    // Of no length as long as nothing is registered that peers may reach.
    private @Nullable Slab[] slabs = new Slab[0];
    private final List<Claims> peers = new ArrayList<>();
    private int used;
    private long slabNumbers;
    // A thread waits until what was abandoned is over.
    private boolean waiting;
    private boolean closed;
    // The log has that there can be no table now.
    private boolean told;

    /** Makes the domain with {@code number}, of nothing so far; {@code allSlabs} counts those of all domains. */
    DirectDomain(int number, AtomicInteger allSlabs) {
        this.number = number;
        this.allSlabs = allSlabs;
    }

    Integer number() {
        return number;
    }

    // ---- memory ---------------------------------------------------------------------------------------------------

    /** Returns how memory is to be shared that is registered with {@code rights}. */
    public static Sharing sharing(int rights) {
        if ((rights & WRITES) != 0) {
            return Sharing.WRITE;
        }
        if ((rights & REMOTE) != 0) {
            return Sharing.READ;
        }
        if (!Access.MEMORY_WINDOW_BIND.in(rights)) {
            return Sharing.NONE;
        }
        // Peers reach it through windows alone, which let them write what is written here.
        return Access.LOCAL_WRITE.in(rights) ? Sharing.WRITE : Sharing.READ;
    }

    /** Tells whether another slab would be of use, and leaves enough descriptors to others. */
    public synchronized boolean hasRoom() {
        return used < TableLayout.SLABS && allSlabs.get() < Most.SLABS;
    }

    /**
     * Lets peers reach {@code segment}, which was registered as {@code region} with {@code rights}, and what windows
     * are bound to there, if it lies in a slab that can be shared and there is a place for it.
     */
    public synchronized void enable(Region region, MemorySegment segment, int rights) {
        MemorySlab memory = MemorySlab.containing(segment);
        if (memory == null || memory.sharing() == Sharing.NONE) {
            return;
        }
        int granted = granted(memory.sharing(), rights, false);
        Slab slab = granted == 0 && !Access.MEMORY_WINDOW_BIND.in(rights) ? null : slab(memory);
        if (slab == null) {
            return;
        }
        long offset = segment.address() - memory.segment().address();
        Exposed exposed = new Exposed(slab, offset);
        region.expose(exposed);
        if (slab.registrations++ == 0) {
            slabs[slab.place] = slab;
            used++;
            allSlabs.incrementAndGet();
        }
        TableEntry entry = exposed.entry;
        entry.stag = region.stag();
        entry.base = region.base();
        entry.length = segment.byteSize();
        entry.offset = offset;
        entry.rights = granted;
        if (granted != 0 && table.place(entry)) {
            show(entry, slab);
        }
    }

    /** Lets peers reach what {@code region}, a window, is bound to from now on. */
    public synchronized void reserve(Region region) {
        region.expose(new Exposed(null, 0));
    }

    // Needs no memory: it is called in the middle of a bind.
    private void lend(Exposed window, Exposed memory) {
        TableEntry entry = window.entry;
        Slab slab = memory.slab;
        if (slab == null || window.retired || memory.retired) {
            return;
        }
        // Peers that may write to all of the registration have the slab.
        entry.rights = granted(slab.memory.sharing(), entry.rights, memory.entry.index != TableEntry.NONE);
        entry.beneath = memory.entry;
        if (entry.rights != 0 && (entry.index != TableEntry.NONE || table.place(entry))) {
            show(entry, slab);
        }
    }

    private void show(TableEntry entry, Slab slab) {
        entry.place = slab.place;
        entry.slab = slab.number;
        if (!slab.shown) {
            slab.shown = true;
            table.slab(slab.place, slab.number);
        }
        table.enable(entry);
    }

    /** A peer that gets the descriptor of a slab gets all that the kernel lets it do with that, if it has not. */
    private static int granted(Sharing sharing, int rights, boolean has) {
        return switch (sharing) {
            case NONE -> 0;
            case READ -> rights & REMOTE & ~WRITES;
            case WRITE -> has || (rights & WRITES) != 0 ? rights & REMOTE : 0;
        };
    }

    /** Returns what is at the place of {@code memory}, or something for a free one; null if there is none. */
    private @Nullable Slab slab(MemorySlab memory) {
        table.prepare();
        if (slabs.length == 0) {
            slabs = new Slab[TableLayout.SLABS];
        }
        int free = -1;
        for (int place = 0; place < slabs.length; place++) {
            Slab slab = slabs[place];
            if (slab == null) {
                free = free < 0 ? place : free;
            } else if (slab.memory.equals(memory)) {
                return slab;
            }
        }
        return free < 0 ? null : new Slab(memory, ++slabNumbers, free);
    }

    private synchronized void revoke(Exposed exposed, boolean forGood) {
        exposed.retired |= forGood;
        table.revoke(exposed.entry);
    }

    /** Lets nobody reach {@code region} any more, and no bind changes that. Can be repeated. */
    public void retire(Region region) {
        if (region.exposure() instanceof Exposed exposed) {
            revoke(exposed, true);
        }
    }

    private synchronized boolean isEntered(TableEntry entry) {
        for (int i = peers.size() - 1; i >= 0; i--) {
            Claims its = peers.get(i);
            long name = its.current();
            TableEntry in = name == 0 ? null : table.find(name);
            if (isOver(its, in)) {
                peers.remove(i);
                its.close();
            } else if (in != null && (in == entry || in.beneath == entry) && !its.isGone()) {
                return true;
            }
        }
        return false;
    }

    /** Returns which access {@code peer} is in although the memory was taken away, by a name; 0 for none. */
    synchronized long overdue(Claims peer) {
        long name = peer.current();
        TableEntry in = name == 0 ? null : table.find(name);
        return in == null || in.enabled ? 0 : name;
    }

    /** Forgets {@code region}, which was retired and nobody is in. Needs no memory. */
    public synchronized void forget(Region region) {
        if (!(region.exposure() instanceof Exposed exposed)) {
            return;
        }
        table.release(exposed.entry);
        Slab slab = exposed.slab;
        if (slab != null && --slab.registrations == 0) {
            slabs[slab.place] = null;
            used--;
            allSlabs.decrementAndGet();
            if (slab.shown) {
                table.slab(slab.place, 0);
            }
        }
    }

    // ---- peers ----------------------------------------------------------------------------------------------------

    /** Counts on the claims of another peer from now on, before it gets the table. */
    synchronized void join(Claims peer) {
        peers.add(peer);
    }

    /**
     * Counts no longer on the claims of {@code peer}, which begins nothing new; false if there is one of which nobody
     * knows when it ends: then they are closed here when it has, or has lasted too long. Needs no memory.
     */
    synchronized boolean leave(Claims peer) {
        long name = peer.current();
        // An entry that was forgotten is accessed by nobody.
        if (closed || table.find(name) == null || peer.isGone()) {
            peers.remove(peer);
            return true;
        }
        peer.abandon(name, System.nanoTime());
        waitForTheEnd();
        return false;
    }

    private void waitForTheEnd() {
        if (waiting) {
            return;
        }
        try {
            Thread.ofPlatform()
                    .daemon()
                    .name("iwarp-direct-" + number)
                    .inheritInheritableThreadLocals(false)
                    .start(this::closeWhatIsOver);
            waiting = true;
        } catch (OutOfMemoryError e) {
            // The next connection that ends in an access tries again, and each deregistration looks as well.
        }
    }

    private void closeWhatIsOver() {
        for (long pauseNanos = FIRST_PAUSE_NANOS;
                someAreLeft();
                pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS)) {
            LockSupport.parkNanos(pauseNanos);
        }
    }

    private boolean someAreLeft() {
        try {
            return closeAbandoned(System.nanoTime());
        } catch (RuntimeException | OutOfMemoryError e) {
            // What could not be closed, or looked at for want of memory, is tried again.
            return true;
        }
    }

    /**
     * Closes the claims that were abandoned and are over by {@code nowNanos}; of those that have lasted too long the
     * file, and all of a second one of the same process for the same access. Tells whether others are left.
     */
    synchronized boolean closeAbandoned(long nowNanos) {
        boolean left = false;
        for (int i = peers.size() - 1; i >= 0; i--) {
            Claims its = peers.get(i);
            if (isOver(its, table.find(its.current()))) {
                peers.remove(i);
                its.close();
            } else if (its.isWaiting() && its.waitedNanos(nowNanos) >= LONGEST_WAIT_NANOS) {
                its.letGo();
                if (isRepeated(its)) {
                    peers.remove(i);
                    its.close();
                }
            }
            left |= its.isWaiting();
        }
        waiting = left;
        return left;
    }

    private boolean isRepeated(Claims its) {
        for (int i = 0; i < peers.size(); i++) {
            if (peers.get(i) != its && its.repeats(peers.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether {@code its} were abandoned, and the access, which is to {@code in}, is over. */
    private static boolean isOver(Claims its, @Nullable TableEntry in) {
        return its.isAbandoned() && (in == null || its.isGone());
    }

    /** Sends the table; false if it cannot be sent. */
    synchronized boolean sendTable(UnixSocket line) throws IOException {
        Grant grant = new Grant(Grant.TABLE, false, 0, TableLayout.BYTES);
        return line.send(grant.encode(), openTable()) == Grant.BYTES;
    }

    private SealedFile openTable() throws IOException {
        SealedFile open = file;
        if (open == null) {
            if (closed) {
                throw new IOException("the protection domain is closed");
            }
            open = createTable();
            file = open;
            table.open(open.memory());
            for (Slab slab : slabs) {
                if (slab != null && slab.shown) {
                    table.slab(slab.place, slab.number);
                }
            }
        }
        return open;
    }

    private SealedFile createTable() throws IOException {
        try {
            return SealedFile.create("panama-verbs table", TableLayout.BYTES);
        } catch (IOException e) {
            if (!told) {
                told = true;
                DeferredLog.log(
                        DirectDomain.class,
                        System.Logger.Level.WARNING,
                        "peers on this host cannot access the memory of a protection domain directly",
                        e);
            }
            throw e;
        }
    }

    /**
     * Sends the slab at {@code place}, if the table has one there whose descriptor gives no more than {@code rights},
     * those of the queue pair; false if {@code line} has no room.
     */
    synchronized boolean sendSlab(int place, int rights, UnixSocket line) throws IOException {
        Slab slab = place < slabs.length ? slabs[place] : null;
        if (slab == null || !slab.shown || granted(slab.memory.sharing(), rights, false) == 0) {
            return true;
        }
        Grant grant = new Grant(place, slab.memory.sharing() == Sharing.WRITE, slab.number, slab.memory.bytes());
        // As long as it is here it is not closed, nor is its descriptor another's.
        return line.send(grant.encode(), slab.memory.fileDescriptor()) == Grant.BYTES;
    }

    /** Closes the table, and what peers have left that are gone; nothing of the domain is registered any more. */
    @Override
    public synchronized void close() {
        closed = true;
        SealedFile open = file;
        try {
            closePeers();
        } finally {
            if (open != null) {
                open.close();
            }
        }
    }

    private void closePeers() {
        if (!peers.isEmpty()) {
            try {
                peers.removeLast().close();
            } finally {
                closePeers();
            }
        }
    }
}
