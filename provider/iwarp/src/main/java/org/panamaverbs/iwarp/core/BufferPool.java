package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The native memory that streams of one context build their batches in. A stream has some while a batch of its is not
 * written: thousands that are idle need none, and what streams leave that come and go need not wait for the garbage
 * collector, which has no reason to come. Never holds more than was in use at once. Thread-safe.
 */
public final class BufferPool {
    static final int SLAB_BYTES = 32 * 1024;
    // Two FPDUs of the longest kind.
    static final int SNAPSHOT_BYTES = 2 * 65_536;

    /** Memory for headers, trailers and small payload, with a view for each entry of a gather list. */
    static final class Slab {
        final MemorySegment memory;
        final ByteBuffer whole;
        final ByteBuffer[] views;

        private Slab(int entries) {
            // Direct buffers, not views of an arena: for these, socket channels allocate nothing.
            whole = ByteBuffer.allocateDirect(SLAB_BYTES);
            memory = MemorySegment.ofBuffer(whole);
            views = new ByteBuffer[entries];
            for (int i = 0; i < entries; i++) {
                views[i] = whole.duplicate();
            }
        }
    }

    // The one that was given back last: most often the next one is taken before another is given back.
    private final AtomicReference<@Nullable Slab> spare = new AtomicReference<>();
    private final ArrayDeque<Slab> slabs = new ArrayDeque<>();
    private final ArrayDeque<MemorySegment> snapshots = new ArrayDeque<>();

    /** Makes an empty one. */
    public BufferPool() {}

    /** Lends a slab for gather lists of {@link Gather#MAX_ENTRIES}. */
    Slab takeSlab() {
        Slab last = spare.getAndSet(null);
        return last != null ? last : takeIdle();
    }

    private synchronized Slab takeIdle() {
        Slab slab = slabs.pollFirst();
        return slab == null ? new Slab(Gather.MAX_ENTRIES) : slab;
    }

    void giveBack(Slab slab) {
        if (!spare.compareAndSet(null, slab)) {
            synchronized (this) {
                slabs.addFirst(slab);
            }
        }
    }

    /** Lends memory for copies of payload that may change while it is sent. */
    synchronized MemorySegment takeSnapshot() {
        MemorySegment snapshot = snapshots.pollFirst();
        return snapshot == null ? MemorySegment.ofBuffer(ByteBuffer.allocateDirect(SNAPSHOT_BYTES)) : snapshot;
    }

    synchronized void giveBack(MemorySegment snapshot) {
        snapshots.addFirst(snapshot);
    }

    /** Returns how many slabs nobody has. */
    synchronized int idleSlabs() {
        return slabs.size() + (spare.get() == null ? 0 : 1);
    }

    /** Returns how many snapshots nobody has. */
    synchronized int idleSnapshots() {
        return snapshots.size();
    }
}
