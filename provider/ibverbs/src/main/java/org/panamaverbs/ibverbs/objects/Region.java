package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.MemorySegment;

/** A registration, as the data path needs it. */
final class Region {
    private final int lkey;
    private final long taggedOffset;
    private final MemorySegment segment;
    private final MemorySegment handle;

    /** Describes the {@code struct ibv_mr} {@code handle} over {@code segment}. */
    Region(int lkey, long taggedOffset, MemorySegment segment, MemorySegment handle) {
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

    /** Returns where {@code address} lies in the segment, or -1 if {@code length} octets from there do not. */
    long offsetOf(long address, long length) {
        long offset = address - taggedOffset;
        return (offset | length) < 0 || length > segment.byteSize() - offset ? -1 : offset;
    }
}
