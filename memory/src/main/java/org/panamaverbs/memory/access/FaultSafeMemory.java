package org.panamaverbs.memory.access;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Access to memory that may end meanwhile: a file that another process truncates, an arena that its owner closes.
 *
 * <p>The JVM survives the signal only in its own accesses to off-heap memory, and reports an {@link InternalError} at
 * some later point of the thread; the CRC intrinsic does not survive it. Therefore memory that may vanish is only ever
 * copied.
 */
public final class FaultSafeMemory {
    private FaultSafeMemory() {}

    /**
     * Copies {@code length} bytes.
     *
     * @param mayVanish whether another process may truncate the memory of either side
     * @return false if it is gone; the bytes of the target are then indeterminate
     */
    public static boolean copy(
            boolean mayVanish, MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        try {
            MemorySegment.copy(PlainMemory.known(from), fromOffset, PlainMemory.known(to), toOffset, length);
            return !mayVanish || isThere();
        } catch (InternalError e) {
            return gone(mayVanish, e);
        } catch (IllegalStateException e) {
            return closed(e, from, to);
        }
    }

    /** Stores {@code value} at {@code offset}; {@code mayVanish} and the result are those of {@link #copy}. */
    public static boolean store(boolean mayVanish, MemorySegment to, long offset, long value) {
        try {
            PlainMemory.known(to).set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
            return !mayVanish || isThere();
        } catch (InternalError e) {
            return gone(mayVanish, e);
        } catch (IllegalStateException e) {
            return closed(e, to);
        }
    }

    // False if its owner has closed one of them.
    private static boolean closed(IllegalStateException thrown, MemorySegment... memory) {
        for (MemorySegment segment : memory) {
            if (!segment.scope().isAlive()) {
                return false;
            }
        }
        throw thrown;
    }

    /**
     * Returns true after a successful access; throws the {@link InternalError} of a failed one here, inside the
     * caller's try.
     */
    public static boolean isThere() {
        // Compiled code delivers the error on the thread's next way back from the virtual machine: this is one.
        return Runtime.getRuntime().totalMemory() > 0;
    }

    /** Returns false for the error of an access to memory that {@code mayVanish}; rethrows it for other memory. */
    public static boolean gone(boolean mayVanish, InternalError error) {
        if (!mayVanish) {
            throw error;
        }
        return false;
    }
}
