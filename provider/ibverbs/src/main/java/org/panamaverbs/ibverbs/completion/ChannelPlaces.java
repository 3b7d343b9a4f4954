package org.panamaverbs.ibverbs.completion;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;

/**
 * The queues of one channel, by the cookies that their events bring back ({@code cq_context} of
 * {@code ibv_create_cq(3)}). A cookie is a place in an array: to find a queue by it takes no lock and allocates
 * nothing. It is given back after the native queue was destroyed, of which {@code ibv_destroy_cq(3)} leaves no event,
 * or left to its owner. What was lost is not kept reachable.
 */
final class ChannelPlaces {
    private static final int FIRST = 4;

    /** A queue that raises events. */
    interface Occupant extends CompletionQueue {
        /** Returns what hands its events out. */
        Optional<CompletionQueue> handed();

        /** Returns the address of the native queue. */
        long address();
    }

    /** The place of one queue. */
    static final class Place {
        private final int index;
        private volatile @Nullable WeakReference<Occupant> queue;

        private Place(int index) {
            this.index = index;
        }

        /** Returns what events of the queue are to bring back: never 0, which events without a queue would. */
        long cookie() {
            return index + 1L;
        }

        /** Has events with the cookie found to be of {@code its}. */
        void take(Occupant its) {
            queue = new WeakReference<>(its);
        }
    }

    // Grown by replacing it; guarded by this for writers.
    private volatile @Nullable Place[] places = new Place[FIRST];

    /** Takes a place for a queue that is about to be made. */
    synchronized Place take() {
        @Nullable Place[] taken = places;
        int index = 0;
        while (index < taken.length && taken[index] != null) {
            index++;
        }
        @Nullable Place[] changed = Arrays.copyOf(taken, index < taken.length ? taken.length : 2 * taken.length);
        Place place = new Place(index);
        changed[index] = place;
        places = changed;
        return place;
    }

    /** Takes {@code place} back, of a queue that was destroyed or not made. */
    synchronized void giveBack(Place place) {
        @Nullable Place[] changed = places.clone();
        changed[place.index] = null;
        places = changed;
    }

    /**
     * Returns the queue of an event of the native queue at {@code address} with {@code cookie}; null if it was lost, or
     * is another: a native queue that stays its owner's raises events also once its place is another's.
     */
    @Nullable
    Occupant at(long cookie, long address) {
        @Nullable Place[] taken = places;
        Place place = cookie > 0 && cookie <= taken.length ? taken[(int) cookie - 1] : null;
        WeakReference<Occupant> its = place == null ? null : place.queue;
        Occupant found = its == null ? null : its.get();
        return found == null || found.address() != address ? null : found;
    }
}
