package org.panamaverbs.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.panamaverbs.memory.access.PlainMemory;

/**
 * The arithmetic of masked 64-bit atomics, as pure functions and as atomic updates of a cell in memory.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7306#section-5.1">RFC 7306, section 5.1</a>
 */
public final class MaskedAtomics {
    private static final VarHandle CELL = JAVA_LONG.varHandle();

    private MaskedAtomics() {}

    /**
     * Returns the value that a masked FetchAdd stores. Takes the same few instructions for every mask.
     *
     * @param original the previous value
     * @param add the addends, one in each field
     * @param mask the top bit of each field; 0 for one 64-bit addition
     */
    // RFC 7306 section 5.1.1: "a bit is set at the most significant bit position for each field, causing any carry out
    // of that bit position to be discarded". The top bits are left out of the sum, so that no carry leaves a field, and
    // added without carry afterwards.
    public static long fetchAdd(long original, long add, long mask) {
        return ((original & ~mask) + (add & ~mask)) ^ ((original ^ add) & mask);
    }

    /**
     * Returns whether a masked CmpSwap swaps: {@code original} and {@code compare} agree in the bits of
     * {@code compareMask}.
     */
    // RFC 7306 section 5.1.2: "if (!((Compare Data ^ Original Remote Data Value) & Compare Mask))".
    public static boolean matches(long original, long compare, long compareMask) {
        return ((compare ^ original) & compareMask) == 0;
    }

    /**
     * Returns the value that a matching masked CmpSwap stores: the bits of {@code swapMask} from {@code swap}, the
     * others from {@code original}.
     */
    // RFC 7306 section 5.1.2: "(Original Remote Data Value & ~(Swap Mask)) | (Swap Data & Swap Mask)".
    public static long swap(long original, long swap, long swapMask) {
        return (original & ~swapMask) | (swap & swapMask);
    }

    /**
     * Performs a masked FetchAdd on a cell in native byte order, atomic with every other atomic access, and returns the
     * previous value.
     *
     * @param segment the memory, accessible to this thread
     * @param offset of the cell in {@code segment}; its address must be a multiple of 8
     * @param add the addends, one in each field
     * @param mask the top bit of each field; 0 for one 64-bit addition
     * @throws IllegalArgumentException if the address is not aligned
     * @throws IndexOutOfBoundsException if the cell is not within the segment
     */
    public static long fetchAdd(MemorySegment segment, long offset, long add, long mask) {
        MemorySegment cells = PlainMemory.known(segment);
        if (mask == 0) {
            return (long) CELL.getAndAdd(cells, offset, add);
        }
        while (true) {
            long original = (long) CELL.getVolatile(cells, offset);
            if (CELL.compareAndSet(cells, offset, original, fetchAdd(original, add, mask))) {
                return original;
            }
        }
    }

    /**
     * Performs a masked CmpSwap on a cell in native byte order, atomic with every other atomic access, and returns the
     * previous value; {@link #matches} tells whether it swapped.
     *
     * @param segment the memory, accessible to this thread
     * @param offset of the cell in {@code segment}; its address must be a multiple of 8
     * @throws IllegalArgumentException if the address is not aligned
     * @throws IndexOutOfBoundsException if the cell is not within the segment
     */
    public static long cmpSwap(
            MemorySegment segment, long offset, long compare, long compareMask, long swap, long swapMask) {
        MemorySegment cells = PlainMemory.known(segment);
        while (true) {
            long original = (long) CELL.getVolatile(cells, offset);
            if (!matches(original, compare, compareMask)
                    || CELL.compareAndSet(cells, offset, original, swap(original, swap, swapMask))) {
                return original;
            }
        }
    }
}
