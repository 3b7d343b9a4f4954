package org.panamaverbs.iwarp.engine;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is driven by every thread that waits: in an array that they go through without a lock, and without an iterator,
 * which would be garbage wherever the compiler leaves it. Adding can fail for lack of memory, removing one cannot.
 */
final class Drives {
    private static final int FEW = 4;

    // Behind the count there is nothing. Changed with the lock of this object, the count last.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private volatile @Nullable WeakReference<Runnable>[] all = new WeakReference[FEW];

    private volatile int count;

    /**
     * Runs each that is there, unless it is gone. One whose place another thread changes meanwhile may be left out: it
     * is run by the next call.
     */
    void run() {
        // In this order: the array may be longer than was counted, never shorter.
        int known = count;
        @Nullable WeakReference<Runnable>[] drives = all;
        // Backwards: the last takes the place of one that is removed.
        for (int i = known - 1; i >= 0; i--) {
            WeakReference<Runnable> drive = drives[i];
            if (drive != null) {
                run(drive);
            }
        }
    }

    private void run(WeakReference<Runnable> drive) {
        Runnable ofQueue = drive.get();
        if (ofQueue == null) {
            remove(drive);
        } else {
            ofQueue.run();
        }
    }

    /** Adds {@code drive}, which is not there. */
    synchronized void add(WeakReference<Runnable> drive) {
        int known = count;
        @Nullable WeakReference<Runnable>[] drives = all;
        if (known == drives.length) {
            drives = Arrays.copyOf(drives, 2 * known);
            all = drives;
        }
        drives[known] = drive;
        count = known + 1;
    }

    /** Removes {@code drive} if it is there. */
    synchronized void remove(WeakReference<Runnable> drive) {
        @Nullable WeakReference<Runnable>[] drives = all;
        int last = count - 1;
        for (int i = last; i >= 0; i--) {
            if (drive.equals(drives[i])) {
                drives[i] = drives[last];
                drives[last] = null;
                count = last;
                return;
            }
        }
    }
}
