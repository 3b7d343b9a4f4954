package org.panamaverbs.iwarp.core.send;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.RegionViews;
import org.panamaverbs.iwarp.io.IoVector;

/**
 * What one system call is to write: buffers, and for those of registered memory what to pin while it reads them. The
 * memory of the others belongs to who adds them. It is lent to the stream whose batch it is, and empty between two.
 */
public final class GatherList {
    /** The entries of a list. */
    static final int MAX_ENTRIES = 384;

    /** That of a stream that has no batch; nothing is added to it, and nobody changes it. */
    static final GatherList NONE = new GatherList(0);

    private final IoVector vector;
    // For entries of registered memory: what to pin while they are written, and where the view belongs.
    private final @Nullable Region[] regions;
    private final int[] stags;
    private final @Nullable RegionViews[] views;
    // What is pinned: regions of these entries; from the pin before a write to its end.
    private int pinnedFrom;
    private int pinnedTo;

    GatherList(int most) {
        vector = new IoVector(most);
        regions = new Region[most];
        stags = new int[most];
        views = new RegionViews[most];
    }

    /** Adds {@code buffer}, whose index 0 lies at {@code start}, a segment of no length. */
    void add(ByteBuffer buffer, MemorySegment start) {
        regions[vector.end()] = null;
        vector.add(buffer, start);
    }

    /** Adds {@code length} octets from {@code offset} of the memory of {@code region}, lent by it, and returns them. */
    ByteBuffer addView(RegionViews lender, Region region, int stag, long offset, int length) {
        ByteBuffer view = lender.lend(offset, length);
        int entry = vector.end();
        regions[entry] = region;
        stags[entry] = stag;
        views[entry] = lender;
        vector.add(view, lender.memory());
        return view;
    }

    /** Forgets all entries but the first {@code kept}. */
    void truncate(int kept) {
        for (int i = kept; i < vector.end(); i++) {
            giveBack(i);
        }
        vector.truncate(kept);
    }

    // What is given back is not kept: it would keep the memory.
    private void giveBack(int entry) {
        RegionViews lender = views[entry];
        if (lender != null) {
            lender.giveBack(vector.buffer(entry));
            views[entry] = null;
            regions[entry] = null;
            vector.forget(entry);
        }
    }

    /** Pins the regions that the rest lies in; false if some of it was revoked or closed. */
    boolean pinRest() {
        unpin();
        pinnedFrom = vector.first();
        pinnedTo = pinnedFrom;
        for (int i = pinnedFrom; i < vector.end(); i++) {
            Region region = regions[i];
            if (region != null && !region.pin(stags[i])) {
                unpin();
                return false;
            }
            pinnedTo = i + 1;
            if (region != null && !region.isAlive()) {
                unpin();
                return false;
            }
        }
        return true;
    }

    /** Unpins the regions that {@link #pinRest} pinned, and leaves out what was written; tells whether that is all. */
    boolean written() {
        unpin();
        while (!vector.isEmpty() && !vector.buffer(vector.first()).hasRemaining()) {
            giveBack(vector.first());
            vector.skip();
        }
        if (!vector.isEmpty()) {
            return false;
        }
        clear();
        return true;
    }

    private void unpin() {
        while (pinnedTo > pinnedFrom) {
            Region region = regions[pinnedTo - 1];
            if (region != null) {
                region.unpin();
            }
            // Behind it: what fails is done by who ends the stream.
            pinnedTo--;
        }
    }

    /**
     * Copies what is left of registered memory, so that its owner may reuse it while the FPDU under way is finished;
     * false if some of it was revoked.
     */
    public boolean detach() {
        for (int i = vector.first(); i < vector.end(); i++) {
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
            ByteBuffer source = vector.buffer(entry);
            ByteBuffer copy = ByteBuffer.allocateDirect(source.remaining());
            copy.put(source.duplicate()).flip();
            giveBack(entry);
            vector.set(
                    entry,
                    copy,
                    MemorySegment.ofAddress(MemorySegment.ofBuffer(copy).address()));
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

    /** Forgets the rest of the list. */
    void clear() {
        unpin();
        for (int i = vector.first(); i < vector.end(); i++) {
            giveBack(i);
        }
        vector.clear();
    }

    /** Tells whether a part of it lies in a memory window. */
    boolean holdsWindow() {
        for (int i = vector.first(); i < vector.end(); i++) {
            Region region = regions[i];
            if (region != null && region.isWindow()) {
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return vector.isEmpty();
    }

    /** Returns what is left to be written. */
    IoVector vector() {
        return vector;
    }

    /** Returns how many entries there are, written ones included. */
    int count() {
        return vector.end();
    }
}
