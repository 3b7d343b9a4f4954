package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.RegisteredBuffer;

/** A registration, as the data path needs it. */
final class Region {
    private final int lkey;
    private final long taggedOffset;
    private final MemorySegment segment;
    private final MemorySegment handle;
    private final @Nullable Registrations owner;
    private final boolean hasMemory;

    /**
     * Describes the {@code struct ibv_mr} {@code handle} over {@code segment}, which this process can touch if
     * {@code hasMemory}.
     */
    Region(
            int lkey,
            long taggedOffset,
            MemorySegment segment,
            MemorySegment handle,
            @Nullable Registrations owner,
            boolean hasMemory) {
        this.owner = owner;
        this.hasMemory = hasMemory;
        this.lkey = lkey;
        this.taggedOffset = taggedOffset;
        this.segment = segment;
        this.handle = handle;
    }

    int lkey() {
        return lkey;
    }

    /** Returns the tagged offset of the first octet. */
    long taggedOffset() {
        return taggedOffset;
    }

    MemorySegment segment() {
        return segment;
    }

    /** Returns the {@code struct ibv_mr}. */
    MemorySegment handle() {
        return handle;
    }

    /** Tells whether it is of {@code registrations}. */
    boolean isOf(Registrations registrations) {
        return owner == registrations;
    }

    /** Tells whether it is {@code buffer}'s, of those that have its key. */
    boolean isBehind(RegisteredBuffer buffer) {
        return hasMemory ? buffer.hasSegment() && segment.equals(buffer.segment()) : !buffer.hasSegment();
    }

    /** Returns where {@code address} lies in memory of this process, or -1 if {@code length} octets there do not. */
    long offsetOf(long address, long length) {
        long offset = address - taggedOffset;
        return !hasMemory || (offset | length) < 0 || length > segment.byteSize() - offset ? -1 : offset;
    }
}
