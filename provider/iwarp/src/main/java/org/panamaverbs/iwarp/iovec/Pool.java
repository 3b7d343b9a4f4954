package org.panamaverbs.iwarp.iovec;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Things of one kind that threads borrow for a moment: as many as were in use at once, and never more than a limit,
 * however many threads come by. A thread finds what it gave back the last time, unless others need it. Borrowing and
 * giving back allocate nothing once there are enough. Any thread.
 *
 * @param <T> what is lent
 */
public final class Pool<T extends Pooled> {
    // So that what threads look at that borrow at the same time lies in different cache lines.
    private static final int STRIDE = 16;

    private final Supplier<? extends T> maker;
    private final int mask;
    // What was made stays in its place, lent or not.
    private final AtomicReferenceArray<@Nullable T> places;

    /** Makes a lending of at most {@code limit} things, rounded up to a power of two. */
    public Pool(int limit, Supplier<? extends T> maker) {
        int most = limit <= 1 ? 1 : Integer.highestOneBit(limit - 1) * 2;
        this.maker = maker;
        mask = most - 1;
        places = new AtomicReferenceArray<>(most * STRIDE);
    }

    /** Returns a limit that suits what is given back within microseconds: twice the processors, at least 8. */
    public static int forAMoment() {
        return Math.max(8, 2 * Runtime.getRuntime().availableProcessors());
    }

    /** Makes the first one now; what that throws is thrown. Later a borrower may have to wait, but not for memory. */
    public void prepare() {
        if (made() == 0) {
            places.compareAndSet(place(0), null, maker.get());
        }
    }

    /**
     * Lends a thing, to be given back by {@link Pooled#giveBack}; null if all are lent, or the one that is missing
     * cannot be made for lack of memory.
     */
    public @Nullable T take() {
        boolean full = true;
        for (int i = 0; i <= mask; i++) {
            T found = places.getAcquire(place(i));
            if (found == null) {
                full = false;
            } else if (found.tryTake()) {
                return found;
            }
        }
        return full ? null : make();
    }

    private @Nullable T make() {
        T added;
        try {
            added = maker.get();
        } catch (OutOfMemoryError e) {
            // The next one who asks tries again.
            return null;
        }
        added.tryTake();
        for (int i = 0; i <= mask; i++) {
            if (places.compareAndSet(place(i), null, added)) {
                return added;
            }
        }
        // Others were faster, and there may be no more.
        return null;
    }

    /** Returns how many there are. */
    public int made() {
        int count = 0;
        for (int i = 0; i <= mask; i++) {
            count += places.getAcquire(i * STRIDE) == null ? 0 : 1;
        }
        return count;
    }

    /** Returns the place that the calling thread looks into as number {@code i}. */
    private int place(int i) {
        return (((int) Thread.currentThread().threadId() + i) & mask) * STRIDE;
    }
}
