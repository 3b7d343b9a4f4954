package org.panamaverbs.ibverbs.cm;

import org.jspecify.annotations.Nullable;

/** Tasks that wait for a thread, in order. Needs no memory. Any thread. */
final class DeferredTasks {
    // Guarded by this.
    private @Nullable CmTask first;
    private @Nullable CmTask last;

    synchronized boolean isEmpty() {
        return first == null;
    }

    /** Adds {@code task} unless it waits already. */
    synchronized void add(CmTask task) {
        if (task.waiting) {
            return;
        }
        task.waiting = true;
        CmTask before = last;
        if (before == null) {
            first = task;
        } else {
            before.next = task;
        }
        last = task;
    }

    /** Adds {@code task}, which was the first, as the first again, unless it waits already. */
    synchronized void putBack(CmTask task) {
        if (task.waiting) {
            return;
        }
        task.waiting = true;
        task.next = first;
        first = task;
        if (last == null) {
            last = task;
        }
    }

    /** Removes the first task and returns it, null if there is none. */
    @Nullable
    synchronized CmTask poll() {
        CmTask removed = first;
        if (removed != null) {
            first = removed.next;
            if (first == null) {
                last = null;
            }
            removed.next = null;
            removed.waiting = false;
        }
        return removed;
    }
}
