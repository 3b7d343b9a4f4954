package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The memory that streams of one context build their batches in. A stream has some while a batch of its is not written:
 * thousands that are idle need none, and what streams leave that come and go need not wait for the garbage collector,
 * which has no reason to come. Never holds more than was in use at once. Snapshots are limited: a peer that asks and
 * does not listen keeps the one that holds its answer. Thread-safe.
 */
public final class BufferPool {
    // Two FPDUs of the longest kind.
    static final int SNAPSHOT_BYTES = 2 * 65_536;

    /** Memory for copies of payload, with views that are made as they are needed. */
    static final class Snapshot {
        final MemorySegment memory;
        final MemorySegment start;
        private final ByteBuffer whole;
        private final @Nullable ByteBuffer[] views = new ByteBuffer[Batch.MAX_ENTRIES];
        // The one below it, while nobody has it.
        private @Nullable Snapshot next;

        private Snapshot(ByteBuffer whole) {
            this.whole = whole;
            memory = MemorySegment.ofBuffer(whole);
            start = MemorySegment.ofAddress(memory.address());
        }

        /** Returns view {@code number} of {@code length} octets from {@code start}. */
        ByteBuffer view(int number, int start, int length) {
            ByteBuffer view = views[number];
            if (view == null) {
                view = whole.duplicate();
                views[number] = view;
            }
            return view.limit(start + length).position(start);
        }
    }

    // After an attempt in vain so many are not made: each takes the time of a garbage collection.
    private static final int ATTEMPTS_LEFT_OUT = 1000;

    // The one that was given back last: most often the next one is taken before another is given back.
    private final AtomicReference<@Nullable Batch> spare = new AtomicReference<>();
    private final int maxSnapshots;
    private final IntFunction<ByteBuffer> memory;
    // Guarded by this, as what follows. Stacks, each with its size, that need no memory.
    private @Nullable Batch batches;
    private int idleBatches;
    private @Nullable Snapshot snapshots;
    private int idleSnapshots;
    private int snapshotsMade;
    private int attemptsLeftOut;

    /**
     * Makes an empty one.
     *
     * @param maxSnapshots how many snapshots of {@value #SNAPSHOT_BYTES} octets there are at most, from 0
     */
    public BufferPool(int maxSnapshots) {
        this(maxSnapshots, ByteBuffer::allocateDirect);
    }

    /** Makes a pool whose snapshots are made by {@code memory}. */
    public BufferPool(int maxSnapshots, IntFunction<ByteBuffer> memory) {
        this.maxSnapshots = maxSnapshots;
        this.memory = memory;
    }

    /** Lends an empty batch. */
    public Batch takeBatch() {
        Batch last = spare.getAndSet(null);
        return last != null ? last : takeIdle();
    }

    private synchronized Batch takeIdle() {
        Batch batch = batches;
        if (batch == null) {
            return new Batch();
        }
        batches = batch.next;
        batch.next = null;
        idleBatches--;
        return batch;
    }

    /** Takes back {@code batch}, which is empty again. */
    public void giveBack(Batch batch) {
        assert batch.vector.isEmpty() : "the next batch would send what is left of this one";
        if (!spare.compareAndSet(null, batch)) {
            synchronized (this) {
                batch.next = batches;
                batches = batch;
                idleBatches++;
            }
        }
    }

    /**
     * Lends memory for copies of payload that may change while it is sent; null if all that there may be are lent, or
     * there is no memory for another.
     */
    @Nullable
    synchronized Snapshot takeSnapshot() {
        Snapshot idle = snapshots;
        if (idle != null) {
            snapshots = idle.next;
            idle.next = null;
            idleSnapshots--;
            attemptsLeftOut = 0;
            return idle;
        }
        if (snapshotsMade == maxSnapshots || attemptsLeftOut > 0) {
            attemptsLeftOut = Math.max(0, attemptsLeftOut - 1);
            return null;
        }
        try {
            Snapshot made = new Snapshot(memory.apply(SNAPSHOT_BYTES));
            snapshotsMade++;
            return made;
        } catch (OutOfMemoryError e) {
            attemptsLeftOut = ATTEMPTS_LEFT_OUT;
            return null;
        }
    }

    public synchronized void giveBack(Snapshot snapshot) {
        snapshot.next = snapshots;
        snapshots = snapshot;
        idleSnapshots++;
    }

    /** Returns how many batches nobody has. */
    public synchronized int idleBatches() {
        return idleBatches + (spare.get() == null ? 0 : 1);
    }

    /** Returns how many snapshots there are. */
    public synchronized int snapshots() {
        return snapshotsMade;
    }

    /** Returns how many snapshots nobody has. */
    public synchronized int idleSnapshots() {
        return idleSnapshots;
    }
}
