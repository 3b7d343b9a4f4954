package org.panamaverbs.ibverbs.memory;

import org.jspecify.annotations.Nullable;

/**
 * The address handles of a domain that the application has closed while requests under way named them: the device may
 * read them until those are done. They are looked at when a handle is made or closed, or a queue pair closed, and
 * destroyed if they are idle. Keeping one needs no memory. All methods may be called by any thread.
 */
public final class ClosedHandles {
    // In no order; guarded by this.
    private @Nullable ClosedHandle first;

    ClosedHandles() {}

    /** What is left of a closed address handle. */
    public abstract static class ClosedHandle {
        private @Nullable ClosedHandle next;

        /** For subclasses. */
        protected ClosedHandle() {}

        /** Tells whether no request under way names it; true for ever once it is, as no new one can. */
        protected abstract boolean isIdle();

        /**
         * Destroys the handle.
         *
         * @throws org.panamaverbs.api.ResourceException if that fails; it can be tried again
         */
        protected abstract void destroy();

        /** Destroys the handle as {@link #destroy} does, and returns whether that went well. */
        protected abstract boolean tryDestroy();
    }

    /**
     * Destroys {@code handle} if it is idle, and else keeps it until it is.
     *
     * @throws org.panamaverbs.api.ResourceException if destroying it fails; it is not kept then
     */
    public synchronized void add(ClosedHandle handle) {
        if (handle.isIdle()) {
            handle.destroy();
        } else {
            handle.next = first;
            first = handle;
        }
    }

    /** Destroys the handles that are idle by now; what cannot be destroyed is tried again later. */
    public synchronized void sweep() {
        ClosedHandle before = null;
        for (ClosedHandle each = first; each != null; each = each.next) {
            if (each.isIdle() && each.tryDestroy()) {
                unlink(before, each);
            } else {
                before = each;
            }
        }
    }

    private void unlink(@Nullable ClosedHandle before, ClosedHandle gone) {
        if (before == null) {
            first = gone.next;
        } else {
            before.next = gone.next;
        }
    }

    /**
     * Destroys all handles: no queue pair of the domain is left.
     *
     * @throws org.panamaverbs.api.ResourceException if that fails; it can be tried again
     */
    synchronized void destroyAll() {
        for (ClosedHandle each = first; each != null; each = first) {
            each.destroy();
            first = each.next;
        }
    }
}
