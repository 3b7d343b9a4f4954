package com.ibm.disni.util;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.NullMarked;

/**
 * Tells where direct buffers are: stands in for DiSNI's class of this name, which needs {@code --add-exports} for the
 * JDK's own classes since Java 16.
 */
@NullMarked
public class MemoryUtils {
    /** For whoever made one of DiSNI's. */
    public MemoryUtils() {}

    /**
     * Returns the address of the first byte of {@code buffer}, whatever its position.
     *
     * @throws IllegalArgumentException if the buffer is on the heap, where it has no address
     */
    public static long getAddress(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException(
                    "a buffer on the heap has no address: make it with ByteBuffer.allocateDirect");
        }
        return MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
    }
}
