package org.panamaverbs.api;

import java.util.Objects;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A reusable list of receives for {@link ReceiveQueue#postRecv(ReceiveList, int, int)}: a chain of {@code struct
 * ibv_recv_wr}. A post copies what it takes: the same list may be posted again, in parts, and to other queues.
 *
 * <p>The list stores addresses and keys, not buffers, and keeps no memory alive: a receive posted after its buffer was
 * closed completes with an error when a message takes it. Filling and posting allocate nothing. Not thread-safe: a post
 * reads the list, so no other thread may change it meanwhile.
 */
public final class ReceiveList {
    private static final int MAX_CAPACITY = 1 << 16;
    private static final int MAX_SGE = 256;
    private static final int MAX_PIECES = 1 << 20;

    private final int maxSge;
    private final long[] wrIds;
    private final int[] pieceCounts;
    private final long[] totals;
    // The pieces of a receive lie side by side, from its index times maxSge on.
    private final long[] addresses;
    private final long[] lengths;
    private final int[] lkeys;
    private int count;

    private ReceiveList(int capacity, int maxSge) {
        this.maxSge = maxSge;
        wrIds = new long[capacity];
        pieceCounts = new int[capacity];
        totals = new long[capacity];
        addresses = new long[capacity * maxSge];
        lengths = new long[capacity * maxSge];
        lkeys = new int[capacity * maxSge];
    }

    /**
     * Creates an empty list for receives of one scatter/gather entry (SGE) each.
     *
     * @param capacity receives, from 1 to 65,536
     * @throws IllegalArgumentException if {@code capacity} is out of range
     */
    public static ReceiveList ofCapacity(int capacity) {
        return ofCapacity(capacity, 1);
    }

    /**
     * Creates an empty list for receives of up to {@code maxSge} SGEs each.
     *
     * @param capacity receives, from 1 to 65,536
     * @param maxSge SGEs per receive, from 1 to 256
     * @throws IllegalArgumentException if a number is out of range, or their product exceeds 1,048,576
     */
    public static ReceiveList ofCapacity(int capacity, int maxSge) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("capacity must be 1 to " + MAX_CAPACITY + ", got " + capacity);
        }
        if (maxSge < 1 || maxSge > MAX_SGE) {
            throw new IllegalArgumentException("maxSge must be 1 to " + MAX_SGE + ", got " + maxSge);
        }
        if (capacity * maxSge > MAX_PIECES) {
            throw new IllegalArgumentException(
                    "a list has at most " + MAX_PIECES + " pieces, got " + capacity + " receives of " + maxSge);
        }
        return new ReceiveList(capacity, maxSge);
    }

    /** Empties the list and returns it; posted receives stay posted. */
    public ReceiveList clear() {
        count = 0;
        return this;
    }

    /**
     * Appends a receive into a range of {@code buffer} and returns the list.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param buffer memory of the queue's protection domain, with {@code LOCAL_WRITE}
     * @param offset first byte in {@code buffer}
     * @param length bytes, from 0 to 2^32-1
     * @throws IndexOutOfBoundsException if the range is not within {@code buffer}
     * @throws IllegalArgumentException if {@code length} exceeds {@link SgList#MAX_LENGTH}
     * @throws IllegalStateException if the buffer is closed or the list is full
     */
    public ReceiveList add(long wrId, RegisteredBuffer buffer, long offset, long length) {
        return add(wrId, buffer.checkedAddress(offset, length), length, buffer.lkey());
    }

    /**
     * Appends a receive into a raw SGE and returns the list. The provider checks address and key when a message uses
     * them.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()} ({@code wr_id})
     * @param address the local address ({@code sg_list->addr})
     * @param length bytes, from 0 to {@link SgList#MAX_LENGTH} ({@code sg_list->length})
     * @param lkey the local key ({@code sg_list->lkey})
     * @throws IllegalArgumentException if {@code length} is out of range
     * @throws IllegalStateException if the list is full
     */
    public ReceiveList add(long wrId, long address, long length, int lkey) {
        requireRoom();
        if (length < 0 || length > SgList.MAX_LENGTH) {
            throw wrong(length);
        }
        int at = count * maxSge;
        addresses[at] = address;
        lengths[at] = length;
        lkeys[at] = lkey;
        append(wrId, 1, length);
        return this;
    }

    /**
     * Appends a receive that scatters into {@code pieces} and returns the list.
     *
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param pieces the SGEs, from none up to {@link #maxSge()}; copied
     * @throws IllegalArgumentException if there are too many
     * @throws IllegalStateException if the list is full
     */
    public ReceiveList add(long wrId, SgList pieces) {
        requireRoom();
        int itsPieces = pieces.count();
        if (itsPieces > maxSge) {
            throw tooMany(itsPieces);
        }
        for (int i = 0, at = count * maxSge; i < itsPieces; i++, at++) {
            addresses[at] = pieces.address(i);
            lengths[at] = pieces.length(i);
            lkeys[at] = pieces.lkey(i);
        }
        append(wrId, itsPieces, pieces.totalBytes());
        return this;
    }

    private void requireRoom() {
        if (count == wrIds.length) {
            throw full();
        }
    }

    // Messages are made here, so that what is called for each receive stays small.
    private IllegalStateException full() {
        return new IllegalStateException("the list is full: " + count + " receives");
    }

    private IllegalArgumentException tooMany(int pieces) {
        return new IllegalArgumentException("a receive of this list has at most " + maxSge + " pieces, got " + pieces);
    }

    private static IllegalArgumentException wrong(long length) {
        return new IllegalArgumentException("length must be 0 to 2^32-1, got " + length);
    }

    private void append(long wrId, int itsPieces, long totalBytes) {
        wrIds[count] = wrId;
        pieceCounts[count] = itsPieces;
        totals[count] = totalBytes;
        count++;
    }

    /** Returns the maximum number of receives. */
    public int capacity() {
        return wrIds.length;
    }

    /** Returns the maximum number of SGEs per receive. */
    public int maxSge() {
        return maxSge;
    }

    /** Returns the number of receives. */
    public int count() {
        return count;
    }

    /** Returns the id of receive {@code index}, from 0. */
    public long wrId(int index) {
        return wrIds[Objects.checkIndex(index, count)];
    }

    /** Returns the number of SGEs of receive {@code index}. */
    public int sgeCount(int index) {
        return pieceCounts[Objects.checkIndex(index, count)];
    }

    /** Returns the total length of receive {@code index} in bytes. */
    public long totalBytes(int index) {
        return totals[Objects.checkIndex(index, count)];
    }

    /** Returns the address of SGE {@code piece} of receive {@code index}, both from 0. */
    public long address(int index, int piece) {
        return addresses[at(index, piece)];
    }

    /** Returns the length of SGE {@code piece} of receive {@code index}, in bytes. */
    public long length(int index, int piece) {
        return lengths[at(index, piece)];
    }

    /** Returns the lkey of SGE {@code piece} of receive {@code index}. */
    public int lkey(int index, int piece) {
        return lkeys[at(index, piece)];
    }

    /**
     * For providers: copies the SGEs of receive {@code index} into arrays from {@code to} on, with one index check for
     * all.
     *
     * @return the number of SGEs
     * @throws IndexOutOfBoundsException if there is no such receive, or an array is too short
     */
    public int copySges(int index, long[] toAddresses, long[] toLengths, int[] toLkeys, int to) {
        int itsPieces = pieceCounts[Objects.checkIndex(index, count)];
        int from = index * maxSge;
        if (itsPieces == 1) { // nearly all are, and a loop would cost as much again
            toAddresses[to] = addresses[from];
            toLengths[to] = lengths[from];
            toLkeys[to] = lkeys[from];
            return 1;
        }
        for (int i = 0; i < itsPieces; i++) {
            toAddresses[to + i] = addresses[from + i];
            toLengths[to + i] = lengths[from + i];
            toLkeys[to + i] = lkeys[from + i];
        }
        return itsPieces;
    }

    private int at(int index, int piece) {
        return Objects.checkIndex(index, count) * maxSge + Objects.checkIndex(piece, pieceCounts[index]);
    }
}
