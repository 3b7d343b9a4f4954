package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one system call is to write: buffers, and for those of registered memory what to pin while it reads them. The
 * memory of the others belongs to who adds them.
 */
final class GatherList {
    private final ViewPool views;
    private final ByteBuffer[] entries;
    // Where index 0 of each entry lies, 0 where that is not known.
    private final long[] bases;
    // For entries of registered memory: what to pin while they are written, and where the view belongs.
    private final @Nullable Region[] regions;
    private final int[] stags;
    private final long[] viewOffsets;
    private final MemorySegment[] viewSegments;
    private int count;
    private int first;
    private int pinnedFrom;
    private boolean pinned;

    GatherList(int most, ViewPool views) {
        this.views = views;
        entries = new ByteBuffer[most];
        bases = new long[most];
        regions = new Region[most];
        stags = new int[most];
        viewOffsets = new long[most];
        viewSegments = new MemorySegment[most];
        Arrays.fill(viewSegments, MemorySegment.NULL);
    }

    /** Adds {@code buffer}, whose index 0 lies at {@code base}. */
    void add(ByteBuffer buffer, long base) {
        regions[count] = null;
        bases[count] = base;
        entries[count++] = buffer;
    }

    /** Adds {@code length} octets of {@code segment} and returns them; {@code region} is null if nothing is pinned. */
    ByteBuffer addView(@Nullable Region region, int stag, MemorySegment segment, long offset, int length) {
        ByteBuffer view = views.lend(segment, offset, length);
        regions[count] = region;
        stags[count] = stag;
        viewSegments[count] = segment;
        viewOffsets[count] = offset;
        bases[count] = ViewPool.base(segment, offset);
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

    private void giveBack(int entry) {
        if (viewSegments[entry].address() != 0) {
            views.giveBack(entries[entry], viewSegments[entry], viewOffsets[entry]);
            regions[entry] = null;
            viewSegments[entry] = MemorySegment.NULL;
        }
    }

    /** Pins what the rest lies in; false if some of it was revoked. */
    boolean pinRest() {
        pinnedFrom = first;
        pinned = false;
        for (int i = first; i < count; i++) {
            Region region = regions[i];
            if (region != null && !region.pin(stags[i])) {
                unpin(first, i);
                return false;
            }
        }
        pinned = true;
        return true;
    }

    /** Unpins what {@link #pinRest} pinned, and moves on over what was written; tells whether that is all. */
    boolean written() {
        if (pinned) {
            pinned = false;
            unpin(pinnedFrom, count);
        }
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

    private void unpin(int from, int to) {
        for (int i = from; i < to; i++) {
            Region region = regions[i];
            if (region != null) {
                region.unpin();
            }
        }
    }

    /**
     * Copies what is left of registered memory, so that its owner may reuse it while the FPDU under way is finished;
     * false if some of it was revoked.
     */
    boolean detach() {
        for (int i = first; i < count; i++) {
            Region region = regions[i];
            if (region != null) {
                if (!region.pin(stags[i])) {
                    return false;
                }
                try {
                    ByteBuffer copy = ByteBuffer.allocateDirect(entries[i].remaining());
                    copy.put(entries[i].duplicate()).flip();
                    giveBack(i);
                    entries[i] = copy;
                    bases[i] = 0;
                } finally {
                    region.unpin();
                }
            }
        }
        return true;
    }

    /** Forgets what is left. */
    void clear() {
        for (int i = first; i < count; i++) {
            giveBack(i);
        }
        first = 0;
        count = 0;
    }

    boolean isEmpty() {
        return first == count;
    }

    ByteBuffer[] entries() {
        return entries;
    }

    long[] bases() {
        return bases;
    }

    /** Returns the index of the first entry that is not written. */
    int first() {
        return first;
    }

    /** Returns how many entries there are, written ones included. */
    int count() {
        return count;
    }

    int remaining() {
        return count - first;
    }
}
