package org.panamaverbs.iwarp.core.send;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.RegionViews;
import org.panamaverbs.iwarp.core.memory.ViewPool;

/**
 * What one system call is to write: buffers, and for those of registered memory what to pin while it reads them. The
 * memory of the others belongs to who adds them.
 */
public final class GatherList {
    /** The entries of a list. */
    static final int MAX_ENTRIES = 384;

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final ViewPool pool;
    private final ByteBuffer[] entries;
    // Where index 0 of each entry lies: see memory().
    private final MemorySegment[] memory;
    // For entries of registered memory: what to pin while they are written, and where the view belongs.
    private final @Nullable Region[] regions;
    private final int[] stags;
    private final @Nullable RegionViews[] views;
    private int count;
    private int first;
    // What is pinned: regions of these entries.
    private int pinnedFrom;
    private int pinnedTo;

    GatherList(int most, ViewPool pool) {
        this.pool = pool;
        entries = new ByteBuffer[most];
        memory = new MemorySegment[most];
        regions = new Region[most];
        stags = new int[most];
        views = new RegionViews[most];
        Arrays.fill(entries, NOTHING);
        Arrays.fill(memory, MemorySegment.NULL);
    }

    /** Adds {@code buffer}, whose index 0 lies at {@code start}, a segment of no length. */
    void add(ByteBuffer buffer, MemorySegment start) {
        regions[count] = null;
        memory[count] = start;
        entries[count++] = buffer;
    }

    /** Adds {@code length} octets from {@code offset} of the memory of {@code region} and returns them. */
    ByteBuffer addView(Region region, int stag, long offset, int length) {
        RegionViews lender = pool.of(region, offset);
        ByteBuffer view = lender.lend(offset, length);
        regions[count] = region;
        stags[count] = stag;
        views[count] = lender;
        memory[count] = lender.memory();
        entries[count++] = view;
        return view;
    }

    /** Forgets all entries but the first {@code kept}. */
    void truncate(int kept) {
        for (int i = kept; i < count; i++) {
            giveBack(i);
        }
        count = kept;
    }

    // What is given back is not kept: it would keep the memory.
    private void giveBack(int entry) {
        RegionViews lender = views[entry];
        if (lender != null) {
            lender.giveBack(entries[entry]);
            views[entry] = null;
            regions[entry] = null;
            entries[entry] = NOTHING;
            memory[entry] = MemorySegment.NULL;
        }
    }

    /** Pins what the rest lies in; false if some of it was revoked or closed. */
    public boolean pinRest() {
        unpin();
        pinnedFrom = first;
        pinnedTo = first;
        for (int i = first; i < count; i++) {
            Region region = regions[i];
            if (region != null && !region.pinAlive(stags[i])) {
                unpin();
                return false;
            }
            pinnedTo = i + 1;
        }
        return true;
    }

    /** Unpins what {@link #pinRest} pinned, and moves on over what was written; tells whether that is all. */
    boolean written() {
        unpin();
        while (first < count && !entries[first].hasRemaining()) {
            giveBack(first);
            first++;
        }
        if (first < count) {
            return false;
        }
        clear();
        return true;
    }

    private void unpin() {
        while (pinnedTo > pinnedFrom) {
            Region region = regions[--pinnedTo];
            if (region != null) {
                region.unpin();
            }
        }
    }

    /**
     * Copies what is left of registered memory, so that its owner may reuse it while the FPDU under way is finished;
     * false if some of it was revoked.
     */
    public boolean detach() {
        for (int i = first; i < count; i++) {
            Region region = regions[i];
            if (region != null && !detach(i, region)) {
                return false;
            }
        }
        return true;
    }

    private boolean detach(int entry, Region region) {
        if (!region.pinAlive(stags[entry])) {
            return false;
        }
        try {
            ByteBuffer copy = ByteBuffer.allocateDirect(entries[entry].remaining());
            copy.put(entries[entry].duplicate()).flip();
            giveBack(entry);
            entries[entry] = copy;
            memory[entry] = MemorySegment.ofAddress(MemorySegment.ofBuffer(copy).address());
            return true;
        } catch (IllegalStateException e) {
            if (region.isAlive()) {
                throw e;
            }
            return false;
        } finally {
            region.unpin();
        }
    }

    /** Forgets what is left. */
    void clear() {
        unpin();
        for (int i = first; i < count; i++) {
            giveBack(i);
        }
        first = 0;
        count = 0;
    }

    boolean isEmpty() {
        return first == count;
    }

    public ByteBuffer[] entries() {
        return entries;
    }

    /**
     * Returns where index 0 of each entry lies: a segment of no length, or one that has to be held while its octets are
     * read, because its owner may close it.
     */
    public MemorySegment[] memory() {
        return memory;
    }

    /** Returns the index of the first entry that is not written. */
    public int first() {
        return first;
    }

    /** Returns how many entries there are, written ones included. */
    int count() {
        return count;
    }

    public int remaining() {
        return count - first;
    }
}
