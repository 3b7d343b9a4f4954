package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.panamaverbs.iwarp.iovec.Pooled;

/**
 * Memory that octets of a peer are received into before it is known where they belong. A stream needs it only between
 * {@code Stream.receiveInto} and {@code Stream.received}, so that a thread has one for all its streams.
 */
public final class Staging extends Pooled {
    /** What is received into it behind payload that goes to its place: the trailer, and the next header. */
    public static final int BEHIND_BYTES = 64;

    /** The size that suits: several FPDUs of any kind. */
    public static final int BYTES = 64 * 1024;

    final MemorySegment memory;
    final MemorySegment start;
    public final ByteBuffer view;
    // For the CRC, which moves position and limit.
    final ByteBuffer checked;
    /** What has completed in a run. */
    final CompletionRun run = new CompletionRun();

    /** Makes a staging of {@code bytes} octets, at least 64. */
    public Staging(int bytes) {
        if (bytes < BEHIND_BYTES) {
            throw new IllegalArgumentException("staging must have at least " + BEHIND_BYTES + " bytes, got " + bytes);
        }
        view = ByteBuffer.allocateDirect(bytes);
        checked = view.duplicate();
        memory = MemorySegment.ofBuffer(view);
        start = MemorySegment.ofAddress(memory.address());
    }
}
