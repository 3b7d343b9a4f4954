package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lends {@link ByteBuffer} views of registered memory, which socket channels and CRC want, without making one for each
 * operation. Memory beyond 2 GiB is seen through windows of 1 GiB. Not thread-safe.
 */
final class ViewPool {
    private static final int CHUNK_SHIFT = 30;
    private static final long CHUNK = 1L << CHUNK_SHIFT;
    // A view begins in its chunk and may reach beyond it by the longest FPDU.
    private static final long OVERLAP = 1L << 17;
    private static final int WAYS = 256;
    private static final int WAY_SHIFT = Long.SIZE - 8;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
    private static final int FEW_IDLE = 4;
    private static final int MAX_IDLE = 256;

    /** The views of one chunk of one segment. */
    private static final class Shelf {
        private final MemorySegment segment;
        private final long chunk;
        private final ByteBuffer origin;
        private ByteBuffer[] idle = new ByteBuffer[FEW_IDLE];
        private int idleCount;

        Shelf(MemorySegment segment, long chunk) {
            this.segment = segment;
            this.chunk = chunk;
            long start = chunk << CHUNK_SHIFT;
            origin = segment.asSlice(start, Math.min(CHUNK + OVERLAP, segment.byteSize() - start))
                    .asByteBuffer();
        }

        void keep(ByteBuffer view) {
            if (idleCount == idle.length) {
                idle = Arrays.copyOf(idle, 2 * idleCount);
            }
            idle[idleCount++] = view;
        }

        boolean holds(MemorySegment other, long otherChunk) {
            // Equal segments begin at one address; they may still differ in length, owner and rights.
            return chunk == otherChunk
                    && segment.equals(other)
                    && segment.byteSize() == other.byteSize()
                    && segment.isReadOnly() == other.isReadOnly()
                    && segment.scope().equals(other.scope());
        }
    }

    private final @Nullable Shelf[] shelves = new Shelf[WAYS];

    /** Lends a view of {@code length} octets, at most 128 KiB, of {@code segment} from {@code offset}. */
    ByteBuffer lend(MemorySegment segment, long offset, int length) {
        long chunk = offset >>> CHUNK_SHIFT;
        Shelf shelf = shelf(segment, chunk);
        ByteBuffer view = shelf.idleCount > 0 ? shelf.idle[--shelf.idleCount] : shelf.origin.duplicate();
        int start = (int) (offset - (chunk << CHUNK_SHIFT));
        view.limit(start + length).position(start);
        return view;
    }

    /** Returns where index 0 of a view of {@code segment} from {@code offset} lies. */
    static long base(MemorySegment segment, long offset) {
        return segment.address() + (offset >>> CHUNK_SHIFT << CHUNK_SHIFT);
    }

    /** Takes a view back. */
    void giveBack(ByteBuffer view, MemorySegment segment, long offset) {
        Shelf shelf = shelves[way(segment, offset >>> CHUNK_SHIFT)];
        if (shelf != null && shelf.holds(segment, offset >>> CHUNK_SHIFT) && shelf.idleCount < MAX_IDLE) {
            shelf.keep(view);
        }
    }

    private Shelf shelf(MemorySegment segment, long chunk) {
        int way = way(segment, chunk);
        Shelf shelf = shelves[way];
        if (shelf == null || !shelf.holds(segment, chunk)) {
            shelf = new Shelf(segment, chunk);
            shelves[way] = shelf;
        }
        return shelf;
    }

    private static int way(MemorySegment segment, long chunk) {
        return (int) (((segment.address() + chunk) * GOLDEN_RATIO) >>> WAY_SHIFT);
    }
}
