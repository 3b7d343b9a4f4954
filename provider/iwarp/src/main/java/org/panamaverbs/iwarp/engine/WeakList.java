package org.panamaverbs.iwarp.engine;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Objects that others own: in an array that is gone through without a lock, and without an iterator, which would be
 * garbage wherever the compiler leaves it. Adding can fail for lack of memory, removing one cannot. Any thread.
 *
 * @param <T> what is in it
 */
final class WeakList<T> {
    private static final int FEW = 4;

    // Behind the count there is nothing. Changed with the lock of this object, the count last.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private volatile @Nullable WeakReference<T>[] all = new WeakReference[FEW];

    private volatile int count;

    /**
     * Passes on each that is there, unless it is gone, until {@code visitor} answers false; returns its last answer.
     * One whose place another thread changes meanwhile may be left out: it comes the next time.
     */
    boolean all(Predicate<? super T> visitor) {
        // In this order: the array may be longer than was counted, never shorter.
        int known = count;
        @Nullable WeakReference<T>[] each = all;
        // Backwards: the last takes the place of one that is removed.
        for (int i = known - 1; i >= 0; i--) {
            WeakReference<T> reference = each[i];
            if (reference != null && !visit(reference, visitor)) {
                return false;
            }
        }
        return true;
    }

    private boolean visit(WeakReference<T> reference, Predicate<? super T> visitor) {
        T there = reference.get();
        if (there == null) {
            remove(reference);
            return true;
        }
        return visitor.test(there);
    }

    /** Adds {@code reference}, which is not there. */
    synchronized void add(WeakReference<T> reference) {
        int known = count;
        @Nullable WeakReference<T>[] each = all;
        if (known == each.length) {
            each = Arrays.copyOf(each, 2 * known);
            all = each;
        }
        each[known] = reference;
        count = known + 1;
    }

    /** Removes {@code reference} if it is there. */
    synchronized void remove(WeakReference<T> reference) {
        @Nullable WeakReference<T>[] each = all;
        int last = count - 1;
        for (int i = last; i >= 0; i--) {
            if (reference.equals(each[i])) {
                each[i] = each[last];
                each[last] = null;
                count = last;
                return;
            }
        }
    }
}
