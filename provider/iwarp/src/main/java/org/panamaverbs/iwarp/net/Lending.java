package org.panamaverbs.iwarp.net;

import java.util.concurrent.atomic.AtomicInteger;
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
public final class Lending<T> {
    // So that threads that borrow at the same time write to different cache lines.
    private static final int STRIDE = 16;

    private final Supplier<? extends T> maker;
    private final int mask;
    private final AtomicReferenceArray<@Nullable T> idle;
    private final AtomicInteger made = new AtomicInteger();

    /** Makes one that lends at most {@code limit} things, rounded up to a power of two. */
    public Lending(int limit, Supplier<? extends T> maker) {
        int slots = limit <= 1 ? 1 : Integer.highestOneBit(limit - 1) * 2;
        this.maker = maker;
        mask = slots - 1;
        idle = new AtomicReferenceArray<>(slots * STRIDE);
    }

    /** Returns a limit that suits what is given back within microseconds: twice the processors, at least 8. */
    public static int forAMoment() {
        return Math.max(8, 2 * Runtime.getRuntime().availableProcessors());
    }

    /** Makes the first one now; what that throws is thrown. Later a borrower may have to wait, but not for memory. */
    public void prepare() {
        if (made.compareAndSet(0, 1)) {
            try {
                giveBack(maker.get());
            } catch (RuntimeException | Error e) {
                made.decrementAndGet();
                throw e;
            }
        }
    }

    /** Lends one; null if all are lent, or the one that is missing cannot be made for lack of memory. */
    public @Nullable T take() {
        int first = slotOfThread();
        for (int i = 0; i <= mask; i++) {
            int slot = ((first + i) & mask) * STRIDE;
            if (idle.getPlain(slot) != null) {
                T found = idle.getAndSet(slot, null);
                if (found != null) {
                    return found;
                }
            }
        }
        return made.get() <= mask ? make() : null;
    }

    private @Nullable T make() {
        if (made.incrementAndGet() > mask + 1) {
            made.decrementAndGet();
            return null;
        }
        T added = null;
        try {
            added = maker.get();
        } catch (OutOfMemoryError e) {
            // The next one who asks tries again.
            return null;
        } finally {
            if (added == null) {
                made.decrementAndGet();
            }
        }
        return added;
    }

    /** Takes back what was lent. */
    public void giveBack(T lent) {
        int first = slotOfThread();
        // There are as many slots as things: one is free.
        for (int i = 0; ; i++) {
            if (idle.compareAndSet(((first + i) & mask) * STRIDE, null, lent)) {
                return;
            }
        }
    }

    /** Returns how many there are. */
    public int made() {
        return made.get();
    }

    private int slotOfThread() {
        return (int) Thread.currentThread().threadId() & mask;
    }
}
