package org.panamaverbs.spi.software;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.SgList;

/** Receives in the order of their posting, of a queue pair or shared. Used with the lock of the device held. */
final class ReceiveRing {
    private final ReceiveRequest[] places;
    private final int maxSge;
    private int first;
    private int count;

    ReceiveRing(int capacity, int maxSge) {
        this.maxSge = maxSge;
        places = new ReceiveRequest[capacity];
        for (int i = 0; i < capacity; i++) {
            places[i] = new ReceiveRequest(maxSge);
        }
    }

    int post(long wrId, long address, long length, int lkey) {
        if (length < 0) {
            return PostStatus.INVALID;
        }
        if (length > SgList.MAX_LENGTH) {
            return PostStatus.MESSAGE_TOO_LONG;
        }
        if (count == places.length) {
            return PostStatus.QUEUE_FULL;
        }
        next(wrId).into.setOne(address, length, lkey);
        return PostStatus.ACCEPTED;
    }

    int post(long wrId, SgList list) {
        if (list.count() > maxSge) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        if (list.totalBytes() > SgList.MAX_LENGTH) {
            return PostStatus.MESSAGE_TOO_LONG;
        }
        if (count == places.length) {
            return PostStatus.QUEUE_FULL;
        }
        next(wrId).into.setAll(list);
        return PostStatus.ACCEPTED;
    }

    /**
     * Posts {@code many} receives of {@code list} from {@code start} on; answers how many were taken, or the status of
     * the first if that was refused.
     */
    int post(ReceiveList list, int start, int many) {
        for (int taken = 0; taken < many; taken++) {
            int status = post(list, start + taken);
            if (status != PostStatus.ACCEPTED) {
                return taken > 0 ? taken : status;
            }
        }
        return many;
    }

    private int post(ReceiveList list, int index) {
        if (list.sgeCount(index) > maxSge) {
            return PostStatus.TOO_MANY_SEGMENTS;
        }
        if (list.totalBytes(index) > SgList.MAX_LENGTH) {
            return PostStatus.MESSAGE_TOO_LONG;
        }
        if (count == places.length) {
            return PostStatus.QUEUE_FULL;
        }
        next(list.wrId(index)).into.setAll(list, index);
        return PostStatus.ACCEPTED;
    }

    private ReceiveRequest next(long wrId) {
        ReceiveRequest place = places[(first + count++) % places.length];
        place.wrId = wrId;
        return place;
    }

    /** Takes the oldest, which stays valid until the next post; null if there is none. */
    @Nullable
    ReceiveRequest take() {
        if (count == 0) {
            return null;
        }
        ReceiveRequest oldest = places[first];
        first = (first + 1) % places.length;
        count--;
        return oldest;
    }

    int count() {
        return count;
    }

    void clear() {
        count = 0;
    }
}
