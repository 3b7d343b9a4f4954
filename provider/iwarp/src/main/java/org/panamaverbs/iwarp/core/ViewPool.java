package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
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
    private static final int WAYS = 32;
    private static final int MAX_IDLE = 256;

    /** The views of one chunk of one segment. */
    private static final class Shelf {
        private final MemorySegment segment;
        private final long chunk;
        private final ByteBuffer origin;
        private final ByteBuffer[] idle = new ByteBuffer[MAX_IDLE];
        private int idleCount;

        Shelf(MemorySegment segment, long chunk) {
            this.segment = segment;
            this.chunk = chunk;
            long start = chunk << CHUNK_SHIFT;
            origin = segment.asSlice(start, Math.min(CHUNK + OVERLAP, segment.byteSize() - start))
                    .asByteBuffer();
        }

        boolean holds(MemorySegment other, long otherChunk) {
            return chunk == otherChunk && segment.equals(other);
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

    /** Takes a view back. */
    void giveBack(ByteBuffer view, MemorySegment segment, long offset) {
        Shelf shelf = shelves[way(segment, offset >>> CHUNK_SHIFT)];
        if (shelf != null && shelf.holds(segment, offset >>> CHUNK_SHIFT) && shelf.idleCount < MAX_IDLE) {
            shelf.idle[shelf.idleCount++] = view;
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
        return (int) (segment.address() >>> 12 ^ segment.address() >>> 20 ^ chunk) & WAYS - 1;
    }
}
