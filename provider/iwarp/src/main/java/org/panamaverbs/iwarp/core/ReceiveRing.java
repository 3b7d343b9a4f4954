package org.panamaverbs.iwarp.core;

import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;

/** Posted receives in order, in a ring made once. Not thread-safe: whoever owns it serialises. */
public final class ReceiveRing implements ReceiveSource {
    /** No slot. */
    static final int NONE = -1;

    private final int capacity;
    private final int maxSge;
    private final int mask;
    private final long[] wrId;
    private final byte[] count;
    private final long[] address;
    private final long[] length;
    private final int[] lkey;
    // The number of the oldest; who flushes it adds to it.
    long head;
    long tail;

    /** Makes a ring for {@code capacity} receives, from 0, of up to {@code maxSge} pieces, 1 to 127. */
    public ReceiveRing(int capacity, int maxSge) {
        if (capacity < 0 || maxSge < 1 || maxSge > Byte.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a receive ring cannot have " + capacity + " receives of " + maxSge + " pieces");
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

    /**
     * Posts {@code many} receives of {@code list} from {@code first} on; answers how many were taken, or the
     * {@link PostStatus} of the first if that was refused. None is posted before all that are taken are written.
     */
    public int post(ReceiveList list, int first, int many) {
        int room = capacity - available();
        int begin = (int) tail;
        int status = PostStatus.ACCEPTED;
        int taken = 0;
        while (taken < many) {
            int index = first + taken;
            status = check(list, index, taken < room);
            if (status != PostStatus.ACCEPTED) {
                break;
            }
            int slot = begin + taken & mask;
            wrId[slot] = list.wrId(index);
            count[slot] = (byte) list.copySges(index, address, length, lkey, slot * maxSge);
            taken++;
        }
        tail += taken;
        return taken > 0 ? taken : status;
    }

    private int check(ReceiveList list, int index, boolean hasRoom) {
        int pieces = list.sgeCount(index);
        if (pieces > maxSge) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        // One piece is never too long for a message.
        if (pieces > 1 && list.totalBytes(index) > SgList.MAX_LENGTH) {
            return PostStatus.MESSAGE_TOO_LONG;
        }
        return hasRoom ? PostStatus.ACCEPTED : PostStatus.QUEUE_FULL;
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

    /** Moves all receives to {@code other}, which is empty, has room and takes as many pieces, and counts on there. */
    public void moveTo(ReceiveRing other) {
        for (long at = head; at != tail; at++) {
            int from = (int) at & mask;
            int to = (int) at & other.mask;
            other.wrId[to] = wrId[from];
            other.count[to] = count[from];
            System.arraycopy(address, from * maxSge, other.address, to * maxSge, maxSge);
            System.arraycopy(length, from * maxSge, other.length, to * maxSge, maxSge);
            System.arraycopy(lkey, from * maxSge, other.lkey, to * maxSge, maxSge);
        }
        other.head = head;
        other.tail = tail;
    }

    /**
     * Returns the slot of the oldest behind {@code taken} others if it has one piece, of at least {@code octets}; else
     * {@link #NONE}.
     */
    int single(int taken, int octets) {
        long sequence = head + taken;
        int slot = (int) sequence & mask;
        return sequence != tail && count[slot] == 1 && length[slot * maxSge] >= octets ? slot : NONE;
    }

    /** Returns the {@code wr_id} of the receive at {@code slot}. */
    long wrId(int slot) {
        return wrId[slot];
    }

    /** Returns where its first piece begins. */
    long address(int slot) {
        return address[slot * maxSge];
    }

    /** Returns the key of its first piece. */
    int lkey(int slot) {
        return lkey[slot * maxSge];
    }

    /** Returns the {@code wr_id} of the oldest; there is one. */
    long oldest() {
        return wrId[(int) head & mask];
    }

    /** Returns how many receives are posted. */
    public int available() {
        return (int) (tail - head);
    }

    /** Returns how many receives were taken so far. */
    public long taken() {
        return head;
    }

    /** Returns how many receives were posted so far. */
    public long posted() {
        return tail;
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
