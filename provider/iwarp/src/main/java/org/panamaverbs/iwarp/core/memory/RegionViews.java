package org.panamaverbs.iwarp.core.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The {@link ByteBuffer} views that one stream has of one region, which socket channels and CRC want; of memory beyond
 * 2 GiB those of one chunk of 1 GiB. The region keeps them, and lets them go when it is removed: streams hold them only
 * while they use them. Not thread-safe.
 */
public final class RegionViews {
    static final int CHUNK_SHIFT = 30;
    private static final long CHUNK = 1L << CHUNK_SHIFT;
    // A view begins in its chunk and may reach beyond it by the longest FPDU.
    private static final long OVERLAP = 1L << 17;
    private static final int FEW_IDLE = 4;
    private static final int MAX_IDLE = 256;

    private final Region region;
    private final long start;
    private final MemorySegment memory;
    private final ByteBuffer origin;
    private ByteBuffer[] idle = new ByteBuffer[FEW_IDLE];
    private int idleCount;

    /** Makes views of chunk {@code chunk} of {@code region}, which the caller has pinned. */
    RegionViews(Region region, long chunk) {
        this.region = region;
        start = chunk << CHUNK_SHIFT;
        MemorySegment segment = region.segment();
        MemorySegment whole = segment.asSlice(start, Math.min(CHUNK + OVERLAP, segment.byteSize() - start));
        origin = whole.asByteBuffer();
        memory = region.mayClose() ? whole : MemorySegment.ofAddress(whole.address());
    }

    /** Tells whether these are of {@code other} from {@code offset}. */
    boolean are(Region other, long offset) {
        return region == other && start == offset >>> CHUNK_SHIFT << CHUNK_SHIFT;
    }

    /** Has the region let them go, which {@code user} needs no longer. */
    void forget(Object user) {
        region.letGo(user, this);
    }

    /** Lends a view of {@code length} octets, at most 128 KiB, from {@code offset} in the region's memory. */
    public ByteBuffer lend(long offset, int length) {
        ByteBuffer view = idleCount > 0 ? idle[--idleCount] : origin.duplicate();
        int first = (int) (offset - start);
        return view.limit(first + length).position(first);
    }

    /** Takes a view back. */
    public void giveBack(ByteBuffer view) {
        if (idleCount == MAX_IDLE) {
            return;
        }
        if (idleCount == idle.length) {
            idle = Arrays.copyOf(idle, 2 * idleCount);
        }
        idle[idleCount++] = view;
    }

    /**
     * Returns where index 0 of the views lies: memory to be held during a call if its owner may close it meanwhile,
     * else a segment of no length.
     */
    public MemorySegment memory() {
        return memory;
    }
}
