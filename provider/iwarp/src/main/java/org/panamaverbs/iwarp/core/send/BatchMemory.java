package org.panamaverbs.iwarp.core.send;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.core.send.BufferPool.Slab;
import org.panamaverbs.iwarp.core.send.BufferPool.Snapshot;

/**
 * What a batch needs beside registered memory: its gather list, a slab for headers, trailers and small payload, and a
 * snapshot for larger payload that may change while it is sent. All are lent from the pool while the batch has
 * something: a stream that has nothing to send holds no memory for it.
 */
final class BatchMemory {
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);
    private static final ByteBuffer[] NO_VIEWS = {};

    private final BufferPool pool;

    // The slab with its parts, so that each is one step away; empty without a batch.
    private @Nullable Slab lent;
    private MemorySegment slab = MemorySegment.NULL;
    private MemorySegment slabStart = MemorySegment.NULL;
    private ByteBuffer slabWhole = NOTHING;
    private ByteBuffer[] slabViews = NO_VIEWS;
    private GatherList list = GatherList.NONE;
    // So many octets of the slab are taken. Grows within a batch; goes back with an FPDU that is abandoned.
    private int used;
    // From here on they are in no entry of the gather list yet; follows `used` with each entry.
    private int entryStart;

    // Null until the batch needs one.
    private @Nullable Snapshot snapshot;
    // So many octets of the snapshot are taken; like `used`.
    private int snapshotUsed;

    BatchMemory(BufferPool pool) {
        this.pool = pool;
    }

    /** Where both stood when an FPDU was begun. */
    static final class Mark {
        private int used;
        private int entryStart;
        private int snapshotUsed;
    }

    /** Borrows a slab and its gather list, from now until {@link #clear}. */
    void borrow() {
        if (lent == null) {
            Slab taken = pool.takeSlab();
            lent = taken;
            slab = taken.memory;
            slabStart = taken.start;
            slabViews = taken.views;
            slabWhole = taken.whole;
            list = taken.list;
        }
    }

    /** Tells whether there is a batch, be it empty. */
    boolean isLent() {
        return lent != null;
    }

    /** Notes in {@code mark} how much is taken. */
    void mark(Mark mark) {
        mark.used = used;
        mark.entryStart = entryStart;
        mark.snapshotUsed = snapshotUsed;
    }

    /** Goes back to {@code mark}. */
    void rollBack(Mark mark) {
        used = mark.used;
        entryStart = mark.entryStart;
        snapshotUsed = mark.snapshotUsed;
    }

    /** Returns the gather list; without a batch one without entries, which nothing may be added to. */
    GatherList list() {
        return list;
    }

    MemorySegment slab() {
        return slab;
    }

    /** Returns the slab as a buffer, for the CRC: position and limit mean nothing. */
    ByteBuffer slabWhole() {
        return slabWhole;
    }

    /** Returns how many octets of the slab are taken: the next ones go there. */
    int used() {
        return used;
    }

    int room() {
        return BufferPool.SLAB_BYTES - used;
    }

    /** Takes {@code octets} more of the slab. */
    void grew(int octets) {
        used += octets;
    }

    /** Makes an entry of the list of what was taken since the last one. */
    void closeEntry() {
        if (used > entryStart) {
            ByteBuffer view = slabViews[list.count()];
            list.add(view.limit(used).position(entryStart), slabStart);
            entryStart = used;
        }
    }

    /** Returns the snapshot, null if there is none and none can be had. */
    @Nullable
    Snapshot snapshot() {
        if (snapshot == null) {
            snapshot = pool.takeSnapshot();
        }
        return snapshot;
    }

    /** Returns how many octets of the snapshot are taken: the next ones go there. */
    int snapshotUsed() {
        return snapshotUsed;
    }

    int snapshotRoom() {
        return BufferPool.SNAPSHOT_BYTES - snapshotUsed;
    }

    /** Takes {@code octets} more of the snapshot. */
    void snapshotGrew(int octets) {
        snapshotUsed += octets;
    }

    /** Gives slab, list and snapshot back: the batch is over, and the list empty. */
    void clear() {
        used = 0;
        entryStart = 0;
        snapshotUsed = 0;
        Snapshot copies = snapshot;
        if (copies != null) {
            pool.giveBack(copies);
            snapshot = null;
        }
        giveSlabBack();
    }

    private void giveSlabBack() {
        Slab taken = lent;
        if (taken != null) {
            pool.giveBack(taken);
            lent = null;
            slab = MemorySegment.NULL;
            slabStart = MemorySegment.NULL;
            slabViews = NO_VIEWS;
            slabWhole = NOTHING;
            list = GatherList.NONE;
        }
    }
}
