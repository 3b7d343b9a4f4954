package org.panamaverbs.iwarp.engine.direct;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.net.unix.UnixSocket;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.MemorySlab.Sharing;
import org.panamaverbs.memory.Resources;

/**
 * What of a protection domain's memory peers may reach, and who they are: registrations in slabs that can be shared, in
 * a table that its peers map and read. Memory is taken away from all of them at once ({@link #revoke}), and is theirs
 * no longer when nobody claims it ({@link #isClaimed}). Any thread.
 */
public final class DirectDomain implements AutoCloseable {
    private static final int WRITES = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    private static final int REMOTE = WRITES | Access.mask(Access.REMOTE_READ);

    /** A registration in the table: the number of its entry, what claims call that, and the place of its slab. */
    private record Entry(int index, long name, int place) {}

    /** A slab in the table. */
    private static final class Slab {
        final MemorySlab memory;
        final long number;
        int entries;

        Slab(MemorySlab memory, long number) {
            this.memory = memory;
            this.number = number;
        }
    }

    // Made once: to be removed by it needs no memory.
    private final Integer number;
    private final SealedFile file;
    private final AccessTable table;
    private final Map<Region, Entry> entries = new HashMap<>();
    private final @Nullable Slab[] slabs = new Slab[TableLayout.SLABS];
    private final List<Claims> peers = new ArrayList<>();
    private long slabNumbers;
    private boolean closed;

    private DirectDomain(int number, SealedFile file) {
        this.number = number;
        this.file = file;
        table = new AccessTable(file.memory());
    }

    /** Makes the domain with {@code number}, of nothing so far. */
    static DirectDomain create(int number) throws IOException {
        SealedFile file = SealedFile.create("panama-verbs table", TableLayout.BYTES);
        boolean made = false;
        try {
            DirectDomain domain = new DirectDomain(number, file);
            made = true;
            return domain;
        } finally {
            if (!made) {
                file.close();
            }
        }
    }

    Integer number() {
        return number;
    }

    // ---- memory ---------------------------------------------------------------------------------------------------

    /** Returns what remote rights of a mask let a peer do by itself. */
    public static int remote(int rights) {
        return rights & REMOTE;
    }

    /** Tells whether remote rights of a mask change memory. */
    public static boolean writes(int rights) {
        return (rights & WRITES) != 0;
    }

    /**
     * Lets peers reach {@code segment}, which was registered as {@code region} with {@code rights}, if it lies in a
     * slab that can be shared and there is a place for it.
     */
    public synchronized void enable(Region region, MemorySegment segment, int rights) {
        MemorySlab memory = MemorySlab.containing(segment);
        int granted = memory == null ? 0 : granted(memory.sharing(), rights);
        if (memory == null || granted == 0) {
            return;
        }
        int index = table.free(region.stag());
        int place = place(memory);
        if (index == AccessTable.NONE || place < 0) {
            return;
        }
        Slab known = slabs[place];
        Slab slab = known == null ? new Slab(memory, ++slabNumbers) : known;
        long offset = segment.address() - memory.segment().address();
        // Before the table knows it: the map may have no memory for it.
        entries.put(region, new Entry(index, table.nextName(region.stag()), place));
        slabs[place] = slab;
        if (slab.entries++ == 0) {
            table.slab(place, slab.number);
        }
        table.enable(index, region.stag(), granted, region.base(), segment.byteSize(), place, slab.number, offset);
    }

    // A peer that gets the descriptor of a slab gets all that the kernel lets it do with that.
    private static int granted(Sharing sharing, int rights) {
        return switch (sharing) {
            case NONE -> 0;
            case READ -> rights & REMOTE & ~WRITES;
            case WRITE -> writes(rights) ? rights & REMOTE : 0;
        };
    }

    /** Returns the place of {@code memory}, or a free one; negative if there is none. */
    private int place(MemorySlab memory) {
        int free = -1;
        for (int place = 0; place < slabs.length; place++) {
            Slab slab = slabs[place];
            if (slab == null) {
                free = free < 0 ? place : free;
            } else if (slab.memory.equals(memory)) {
                return place;
            }
        }
        return free;
    }

    /**
     * Lets nobody reach {@code region} any more, and returns what claims of those call it who do so now, 0 if nobody
     * could. Can be repeated until {@link #forget}.
     */
    public synchronized long revoke(Region region) {
        Entry entry = entries.get(region);
        if (entry == null) {
            return 0;
        }
        table.revoke(entry.index);
        return entry.name;
    }

    /**
     * Tells whether a peer that lives accesses what claims call {@code name}, and was revoked before; not if that is 0.
     */
    public synchronized boolean isClaimed(long name) {
        if (name == 0) {
            return false;
        }
        for (int i = peers.size() - 1; i >= 0; i--) {
            Claims its = peers.get(i);
            if (its.isOver()) {
                peers.remove(i);
                its.close();
            } else if (its.isOf(name)) {
                return true;
            }
        }
        return false;
    }

    /** Forgets {@code region}, which was revoked and nobody claims. Needs no memory. */
    public synchronized void forget(Region region) {
        Entry entry = entries.remove(region);
        if (entry == null) {
            return;
        }
        table.release(entry.index);
        Slab slab = slabs[entry.place];
        if (slab != null && --slab.entries == 0) {
            slabs[entry.place] = null;
            table.slab(entry.place, 0);
        }
    }

    // ---- peers ----------------------------------------------------------------------------------------------------

    /** Counts on the claims of another peer from now on, before it gets the table. */
    synchronized void join(Claims peer) {
        peers.add(peer);
    }

    /**
     * Counts no longer on the claims of {@code peer}, which begins nothing new; false if there is one of which nobody
     * knows when it ends: then they are closed here when it has. Needs no memory.
     */
    synchronized boolean leave(Claims peer) {
        if (closed || peer.isIdle()) {
            peers.remove(peer);
            return true;
        }
        peer.abandon();
        return false;
    }

    /** Sends the table; false if it cannot be sent. */
    synchronized boolean sendTable(UnixSocket line) throws IOException {
        Grant grant = new Grant(Grant.TABLE, false, 0, TableLayout.BYTES);
        return line.send(grant.encode(), file) == Grant.BYTES;
    }

    /** Sends the slab at {@code place}, if there is one and {@code line} has room. */
    synchronized void sendSlab(int place, UnixSocket line) throws IOException {
        Slab slab = slabs[place];
        if (slab != null) {
            Grant grant = new Grant(place, slab.memory.sharing() == Sharing.WRITE, slab.number, slab.memory.bytes());
            // As long as it is here it is not closed, nor is its descriptor another's.
            line.send(grant.encode(), slab.memory.fileDescriptor());
        }
    }

    /** Closes the table, and what peers have left that are gone; nothing of the domain is registered any more. */
    @Override
    public synchronized void close() {
        closed = true;
        Throwable ofPeers = null;
        for (int i = peers.size() - 1; i >= 0; i--) {
            try {
                peers.remove(i).close();
            } catch (RuntimeException | Error e) {
                ofPeers = e;
            }
        }
        Throwable ofFile = null;
        try {
            file.close();
        } catch (RuntimeException | Error e) {
            ofFile = e;
        }
        Resources.throwFirst(ofPeers, ofFile);
    }
}
