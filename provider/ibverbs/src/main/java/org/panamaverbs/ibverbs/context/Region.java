package org.panamaverbs.ibverbs.context;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.RegisteredBuffer;

/** A registration, as the data path needs it. */
public final class Region {
    private final int lkey;
    private final long taggedOffset;
    private final MemorySegment segment;
    private final MemorySegment handle;
    private final @Nullable Object owner;
    private final boolean hasMemory;
    // Whether the native registration is another region's by now.
    private volatile boolean superseded;

    /**
     * Describes the {@code struct ibv_mr} {@code handle} over {@code segment}, which this process can touch if
     * {@code hasMemory}.
     */
    public Region(
            int lkey,
            long taggedOffset,
            MemorySegment segment,
            MemorySegment handle,
            @Nullable Object owner,
            boolean hasMemory) {
        this.owner = owner;
        this.hasMemory = hasMemory;
        this.lkey = lkey;
        this.taggedOffset = taggedOffset;
        this.segment = segment;
        this.handle = handle;
    }

    public int lkey() {
        return lkey;
    }

    /** Returns the tagged offset of the first byte. */
    public long taggedOffset() {
        return taggedOffset;
    }

    public MemorySegment segment() {
        return segment;
    }

    /** Returns the {@code struct ibv_mr}. */
    public MemorySegment handle() {
        return handle;
    }

    /** Returns who has made the registration. */
    public @Nullable Object owner() {
        return owner;
    }

    /** Takes note that the native registration was changed, and is another region's from now on. */
    public void supersede() {
        superseded = true;
    }

    /** Tells whether the native registration is another region's. */
    public boolean isSuperseded() {
        return superseded;
    }

    /** Tells whether the registration was made by {@code maker}. */
    public boolean isOf(Object maker) {
        return maker.equals(owner);
    }

    /** Tells whether the registration is {@code buffer}'s, of those that have its key. */
    public boolean isBehind(RegisteredBuffer buffer) {
        return hasMemory ? buffer.hasSegment() && segment.equals(buffer.segment()) : !buffer.hasSegment();
    }

    /** Returns where {@code address} lies in memory of this process, or -1 if {@code length} bytes there do not. */
    public long offsetOf(long address, long length) {
        long offset = address - taggedOffset;
        return !hasMemory || (offset | length) < 0 || length > segment.byteSize() - offset ? -1 : offset;
    }
}
