package org.panamaverbs.bench.machine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory that is held, every page of it touched, so that those that are left are used again and again. */
public final class HeldMemory implements AutoCloseable {
    private static final long PIECE = 1L << 30;

    private final Arena arena = Arena.ofConfined();
    private long bytes;

    private HeldMemory() {}

    /** Holds {@code bytes} bytes; none if that is not more than 0. */
    public static HeldMemory of(long bytes) {
        HeldMemory held = new HeldMemory();
        while (held.bytes < bytes) {
            MemorySegment piece = held.arena.allocate(Math.min(PIECE, bytes - held.bytes));
            piece.fill((byte) 1);
            held.bytes += piece.byteSize();
        }
        return held;
    }

    public String text() {
        return bytes == 0 ? "none" : (bytes >> 20) + " MiB (--hold-memory)";
    }

    @Override
    public void close() {
        arena.close();
    }
}
