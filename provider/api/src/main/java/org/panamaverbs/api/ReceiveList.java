package org.panamaverbs.api;

import java.util.Objects;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A reusable list of receives for {@link ReceiveQueue#postRecv(ReceiveList, int, int)}: the chain of {@code struct
 * ibv_recv_wr} that {@code ibv_post_recv(3)} takes. Filled once or anew for each post. A post copies what it takes, so
 * that the list is free again when it returns: the same list may be posted again, in parts, and to other queues.
 *
 * <p>The list keeps addresses and keys, not buffers: it keeps no memory alive. What is posted after its buffer was
 * closed completes with an error when a message takes it, as one by one. Filling and posting allocate nothing. Not
 * thread-safe: who posts it reads it, so that nobody may change it meanwhile.
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
     * Makes an empty list for up to {@code capacity} receives of one piece each.
     *
     * @throws IllegalArgumentException if {@code capacity} is not between 1 and 65,536
     */
    public static ReceiveList ofCapacity(int capacity) {
        return ofCapacity(capacity, 1);
    }

    /**
     * Makes an empty list for up to {@code capacity} receives of up to {@code maxSge} pieces each.
     *
     * @throws IllegalArgumentException if {@code capacity} is not between 1 and 65,536, {@code maxSge} not between 1
     *     and 256, or their product above 1,048,576
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

    /** Empties the list and returns it; what was posted of it stays posted. */
    public ReceiveList clear() {
        count = 0;
        return this;
    }

    /**
     * Appends a receive into {@code length} bytes of {@code buffer} from {@code offset} and returns the list.
     *
     * @throws IndexOutOfBoundsException if they are not within the buffer
     * @throws IllegalStateException if the buffer is closed or the list is full
     */
    public ReceiveList add(long wrId, RegisteredBuffer buffer, long offset, long length) {
        return add(wrId, buffer.checkedAddress(offset, length), length, buffer.lkey());
    }

    /**
     * Appends a receive into the raw piece ({@code ibv_sge.addr}, {@code length}, {@code lkey}) and returns the list.
     * What it points to is checked by the provider when it is used.
     *
     * @throws IllegalArgumentException if {@code length} is not between 0 and {@link SgList#MAX_LENGTH}
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
     * Appends a receive that scatters into {@code pieces}, which are copied and may be none, and returns the list.
     *
     * @throws IllegalArgumentException if there are more of them than {@link #maxSge()}
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

    /** Returns how many receives the list can hold. */
    public int capacity() {
        return wrIds.length;
    }

    /** Returns how many pieces each of its receives can have. */
    public int maxSge() {
        return maxSge;
    }

    /** Returns how many receives the list holds. */
    public int count() {
        return count;
    }

    /** Returns the {@code wr_id} of receive {@code index}, from 0. */
    public long wrId(int index) {
        return wrIds[Objects.checkIndex(index, count)];
    }

    /** Returns how many pieces receive {@code index} has. */
    public int pieceCount(int index) {
        return pieceCounts[Objects.checkIndex(index, count)];
    }

    /** Returns the sum of the lengths of the pieces of receive {@code index}, in bytes. */
    public long totalBytes(int index) {
        return totals[Objects.checkIndex(index, count)];
    }

    /** Returns the address of piece {@code piece} of receive {@code index}, both from 0. */
    public long address(int index, int piece) {
        return addresses[at(index, piece)];
    }

    /** Returns the length of piece {@code piece} of receive {@code index}, in bytes. */
    public long length(int index, int piece) {
        return lengths[at(index, piece)];
    }

    /** Returns the lkey of piece {@code piece} of receive {@code index}. */
    public int lkey(int index, int piece) {
        return lkeys[at(index, piece)];
    }

    /**
     * Copies the pieces of receive {@code index} into arrays, side by side from {@code to} on; for providers, which
     * then check an index once for all.
     *
     * @return how many pieces it has
     * @throws IndexOutOfBoundsException if there is no such receive, or an array ends before them
     */
    public int copyPieces(int index, long[] toAddresses, long[] toLengths, int[] toLkeys, int to) {
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
