package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.RegionViews;
import org.panamaverbs.iwarp.iovec.IoVector;

/**
 * What one system call is to write: a gather list of buffers, with a slab of native memory for those that hold headers,
 * trailers and small payload, and for those of registered memory what to pin while they are read. It is lent to the
 * stream whose batch it is ({@link BufferPool}), and empty between two.
 */
final class Batch {
    static final int SLAB_BYTES = 32 * 1024;
    /** The entries of a list. */
    static final int MAX_ENTRIES = 384;

    /** The batch of a stream that has none; nothing is added to it, and nobody changes it. */
    static final Batch NONE = new Batch(0, 0);

    final MemorySegment slab;
    /** Where the slab lies: a segment of no length. */
    final MemorySegment start;
    /** The slab as a buffer, for the CRC: its position and limit mean nothing. */
    final ByteBuffer whole;
    // A view of the slab for each entry.
    private final ByteBuffer[] slabViews;

    /** What is left to be written. */
    final IoVector vector;

    // For entries of registered memory: what to pin while they are written, and where the view belongs.
    private final @Nullable Region[] regions;
    private final int[] stags;
    private final @Nullable RegionViews[] lenders;
    // What is pinned: regions of these entries; from the pin before a write to its end.
    private int pinnedFrom;
    private int pinnedTo;
    /** The one below it in the pool, while nobody has it. */
    @Nullable
    Batch next;

    /** Creates an empty batch. */
    Batch() {
        this(SLAB_BYTES, MAX_ENTRIES);
    }

    private Batch(int bytes, int most) {
        // Direct buffers, not views of an arena: for these, socket channels allocate nothing.
        whole = ByteBuffer.allocateDirect(bytes);
        slab = MemorySegment.ofBuffer(whole);
        start = MemorySegment.ofAddress(slab.address());
        slabViews = new ByteBuffer[most];
        for (int i = 0; i < most; i++) {
            slabViews[i] = whole.duplicate();
        }
        vector = new IoVector(most);
        regions = new Region[most];
        stags = new int[most];
        lenders = new RegionViews[most];
    }

    /** Adds what lies from {@code from} to {@code to} in the slab. */
    void addSlab(int from, int to) {
        add(slabViews[vector.end()].limit(to).position(from), start);
    }

    /** Adds {@code buffer}, whose index 0 lies at {@code where}, a segment of no length; its memory is the caller's. */
    void add(ByteBuffer buffer, MemorySegment where) {
        regions[vector.end()] = null;
        vector.add(buffer, where);
    }

    /** Adds {@code length} octets from {@code offset} of the memory of {@code region}, lent by it, and returns them. */
    ByteBuffer addView(RegionViews lender, Region region, int stag, long offset, int length) {
        ByteBuffer view = lender.lend(offset, length);
        int entry = vector.end();
        regions[entry] = region;
        stags[entry] = stag;
        lenders[entry] = lender;
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
        RegionViews lender = lenders[entry];
        if (lender != null) {
            lender.giveBack(vector.buffer(entry));
            lenders[entry] = null;
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
        vector.clear();
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
    boolean detach() {
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
}
