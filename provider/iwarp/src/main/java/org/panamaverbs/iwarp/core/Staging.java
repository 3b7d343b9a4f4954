package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory that octets of a peer are received into before it is known where they belong. A stream needs it only between
 * {@link Stream#receiveBuffers} and {@link Stream#received}, so that a thread has one for all its streams.
 */
public final class Staging {
    /** The size that suits: several FPDUs of any kind. */
    public static final int BYTES = 64 * 1024;

    final MemorySegment memory;
    final ByteBuffer view;
    // For the CRC, which moves position and limit.
    final ByteBuffer checked;

    /** Makes one of {@code bytes} octets, at least 64. */
    public Staging(int bytes) {
        if (bytes < FpduReceiver.BEHIND_BYTES) {
            throw new IllegalArgumentException(
                    "staging must have at least " + FpduReceiver.BEHIND_BYTES + " octets, got " + bytes);
        }
        view = ByteBuffer.allocateDirect(bytes);
        checked = view.duplicate();
        memory = MemorySegment.ofBuffer(view);
    }
}
