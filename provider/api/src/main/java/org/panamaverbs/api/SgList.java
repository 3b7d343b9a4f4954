package org.panamaverbs.api;

import java.util.Objects;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A reusable list of scatter/gather entries (SGEs), {@code struct ibv_sge}: ranges of registered memory. A post copies
 * it: the list is free again when the post returns. It stores addresses and keys, not buffers. Not thread-safe.
 */
public final class SgList {
    /** Maximum length of an SGE, 2^32-1 bytes. */
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
     * Creates an empty list.
     *
     * @param capacity SGEs, from 1 to 256
     * @throws IllegalArgumentException if {@code capacity} is out of range
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
     * Appends a range of {@code buffer} and returns the list.
     *
     * @param buffer memory of the queue pair's protection domain
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0 to {@link #MAX_LENGTH}
     * @throws IndexOutOfBoundsException if the range is not within {@code buffer}
     * @throws IllegalArgumentException if {@code length} is too long
     * @throws IllegalStateException if the buffer is closed or the list is full
     */
    public SgList add(RegisteredBuffer buffer, long offset, long length) {
        return add(buffer.checkedAddress(offset, length), length, buffer.lkey());
    }

    /**
     * Appends a raw SGE and returns the list. The provider checks address and key when a request uses them.
     *
     * @param address the local address ({@code addr})
     * @param length bytes, from 0 to {@link #MAX_LENGTH} ({@code length})
     * @param lkey the local key ({@code lkey})
     * @throws IllegalArgumentException if {@code length} is out of range
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

    /** Returns the maximum number of SGEs. */
    public int capacity() {
        return addresses.length;
    }

    /** Returns the number of SGEs. */
    public int count() {
        return count;
    }

    /** Returns the total length in bytes. */
    public long totalBytes() {
        return totalBytes;
    }

    /** Returns the address of SGE {@code index}, from 0. */
    public long address(int index) {
        return addresses[Objects.checkIndex(index, count)];
    }

    /** Returns the length of SGE {@code index} in bytes. */
    public long length(int index) {
        return lengths[Objects.checkIndex(index, count)];
    }

    /** Returns the lkey of SGE {@code index}. */
    public int lkey(int index) {
        return lkeys[Objects.checkIndex(index, count)];
    }
}
