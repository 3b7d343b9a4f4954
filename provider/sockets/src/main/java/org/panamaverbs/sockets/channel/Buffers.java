package org.panamaverbs.sockets.channel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** What is asked of buffers before bytes move, so that none is lost if one buffer cannot be used. */
final class Buffers {
    private Buffers() {}

    static boolean haveRemaining(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** Throws an exception if {@code target} is read-only. */
    static void requireWritable(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    /** Throws an exception if a buffer is read-only, or cannot be accessed. */
    static void requireWritable(ByteBuffer[] targets, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            requireWritable(targets[i]);
            requireAccessible(targets[i]);
        }
    }

    /**
     * Throws an exception if a buffer's arena is closed, or another thread's.
     *
     * @throws IllegalStateException if an arena is closed
     * @throws WrongThreadException if an arena is another thread's
     */
    static void requireAccessible(ByteBuffer[] sources, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            requireAccessible(sources[i]);
        }
    }

    /** Throws an exception if the buffer's arena is closed, or another thread's. */
    static void requireAccessible(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            return;
        }
        if (buffer.hasRemaining()) {
            buffer.get(buffer.position());
        } else if (!MemorySegment.ofBuffer(buffer).scope().isAlive()) {
            throw new IllegalStateException("Already closed");
        }
    }
}
