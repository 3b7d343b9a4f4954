package org.panamaverbs.iwarp.core.work;

import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SgList;

/** Posted receives in order, in a ring made once. Not thread-safe: whoever owns it serialises. */
public final class ReceiveRing implements ReceiveSource {
    private final int capacity;
    private final int maxSge;
    private final int mask;
    private final long[] wrId;
    private final byte[] count;
    private final long[] address;
    private final long[] length;
    private final int[] lkey;
    // The number of the oldest; who flushes it adds to it, by a store.
    long head;
    long tail;

    /** Makes a ring for {@code capacity} receives, from 0, of up to {@code maxSge} pieces, 1 to 127. */
    public ReceiveRing(int capacity, int maxSge) {
        if (capacity < 0 || maxSge < 1 || maxSge > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("receive ring of " + capacity + " with " + maxSge + " pieces");
        }
        int size = Integer.highestOneBit(Math.max(1, capacity) * 2 - 1);
        this.capacity = capacity;
        this.maxSge = maxSge;
        mask = size - 1;
        wrId = new long[size];
        count = new byte[size];
        address = new long[size * maxSge];
        length = new long[size * maxSge];
        lkey = new int[size * maxSge];
    }

    /** Posts a receive with one piece; answers a {@link PostStatus}. */
    public int post(long id, long pieceAddress, long pieceLength, int pieceLkey) {
        if (pieceLength < 0) {
            return PostStatus.INVALID;
        }
        if (pieceLength > SgList.MAX_LENGTH) {
            return PostStatus.MESSAGE_TOO_LONG;
        }
        if (available() == capacity) {
            return PostStatus.QUEUE_FULL;
        }
        int slot = (int) tail & mask;
        wrId[slot] = id;
        count[slot] = 1;
        address[slot * maxSge] = pieceAddress;
        length[slot * maxSge] = pieceLength;
        lkey[slot * maxSge] = pieceLkey;
        tail++;
        return PostStatus.ACCEPTED;
    }

    /** Posts a receive that scatters into {@code list}; answers a {@link PostStatus}. */
    public int post(long id, SgList list) {
        if (list.count() > maxSge) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        if (list.totalBytes() > SgList.MAX_LENGTH) {
            return PostStatus.MESSAGE_TOO_LONG;
        }
        if (available() == capacity) {
            return PostStatus.QUEUE_FULL;
        }
        int slot = (int) tail & mask;
        wrId[slot] = id;
        count[slot] = (byte) list.count();
        for (int i = 0, at = slot * maxSge; i < list.count(); i++, at++) {
            address[at] = list.address(i);
            length[at] = list.length(i);
            lkey[at] = list.lkey(i);
        }
        tail++;
        return PostStatus.ACCEPTED;
    }

    @Override
    public boolean take(ReceiveSlot slot) {
        if (head == tail) {
            return false;
        }
        int from = (int) head & mask;
        slot.wrId = wrId[from];
        slot.count = count[from];
        slot.totalBytes = 0;
        for (int i = 0, at = from * maxSge; i < slot.count; i++, at++) {
            slot.address[i] = address[at];
            slot.length[i] = length[at];
            slot.lkey[i] = lkey[at];
            slot.totalBytes += length[at];
        }
        head++;
        return true;
    }

    /** Returns the {@code wr_id} of the oldest; there is one. */
    long oldest() {
        return wrId[(int) head & mask];
    }

    /** Returns how many receives are posted. */
    public int available() {
        return (int) (tail - head);
    }

    /** Returns how many receives it holds at most. */
    public int capacity() {
        return capacity;
    }

    /** Returns how many pieces a receive has at most. */
    public int maxSge() {
        return maxSge;
    }
}
