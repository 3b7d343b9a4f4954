package org.panamaverbs.api;

import java.util.Objects;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A reusable scatter/gather list: up to {@link #capacity()} pieces of registered memory ({@code struct ibv_sge}).
 * Filled once or anew for each post; a post copies it, so it is free again when the post returns. Not thread-safe.
 */
public final class SgList {
    /** The longest piece, 2^32-1 bytes. */
    public static final long MAX_LENGTH = 0xFFFF_FFFFL;

    private final long[] addresses;
    private final long[] lengths;
    private final int[] lkeys;
    private int count;
    private long totalBytes;

    private SgList(int capacity) {
        addresses = new long[capacity];
        lengths = new long[capacity];
        lkeys = new int[capacity];
    }

    /**
     * Makes an empty list for up to {@code capacity} pieces.
     *
     * @throws IllegalArgumentException if {@code capacity} is not between 1 and 256
     */
    public static SgList ofCapacity(int capacity) {
        if (capacity < 1 || capacity > 256) {
            throw new IllegalArgumentException("capacity must be 1 to 256, got " + capacity);
        }
        return new SgList(capacity);
    }

    /** Empties the list and returns it. */
    public SgList clear() {
        count = 0;
        totalBytes = 0;
        return this;
    }

    /**
     * Appends {@code length} bytes of {@code buffer} from {@code offset} and returns the list.
     *
     * @throws IndexOutOfBoundsException if they are not within the buffer
     * @throws IllegalStateException if the buffer is closed or the list is full
     */
    public SgList add(RegisteredBuffer buffer, long offset, long length) {
        return add(buffer.checkedAddress(offset, length), length, buffer.lkey());
    }

    /**
     * Appends the raw piece ({@code ibv_sge.addr}, {@code length}, {@code lkey}) and returns the list. What it points
     * to is checked by the provider when it is used.
     *
     * @throws IllegalArgumentException if {@code length} is not between 0 and {@link #MAX_LENGTH}
     * @throws IllegalStateException if the list is full
     */
    public SgList add(long address, long length, int lkey) {
        if (count == addresses.length) {
            throw new IllegalStateException("the list is full: " + count + " pieces");
        }
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("length must be 0 to 2^32-1, got " + length);
        }
        addresses[count] = address;
        lengths[count] = length;
        lkeys[count] = lkey;
        count++;
        totalBytes += length;
        return this;
    }

    /** Returns how many pieces it can hold. */
    public int capacity() {
        return addresses.length;
    }

    /** Returns how many pieces it holds. */
    public int count() {
        return count;
    }

    /** Returns the sum of the lengths in bytes. */
    public long totalBytes() {
        return totalBytes;
    }

    /** Returns the address of piece {@code index}. */
    public long address(int index) {
        return addresses[Objects.checkIndex(index, count)];
    }

    /** Returns the length of piece {@code index} in bytes. */
    public long length(int index) {
        return lengths[Objects.checkIndex(index, count)];
    }

    /** Returns the lkey of piece {@code index}. */
    public int lkey(int index) {
        return lkeys[Objects.checkIndex(index, count)];
    }
}
