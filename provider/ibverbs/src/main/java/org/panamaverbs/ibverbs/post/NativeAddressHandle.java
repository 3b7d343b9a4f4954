package org.panamaverbs.ibverbs.post;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.memory.ClosedHandles.ClosedHandle;

/**
 * A {@code struct ibv_ah}, and which requests name it that may be under way: of each send queue the last one. Under the
 * gate of its owner until that has shut it, and under the lock of the domain's closed handles after that.
 */
final class NativeAddressHandle extends ClosedHandle {
    private final IbvContext context;
    private final String name;
    private final MemorySegment handle;
    private final long address;
    private @Nullable Use first;

    /** The last request of one queue that names the handle. */
    static final class Use {
        private SendCounts queue;
        private @Nullable Use next;
        /** Which one of all that were posted there, from 1. */
        long last;

        private Use(SendCounts queue, @Nullable Use next) {
            this.queue = queue;
            this.next = next;
        }
    }

    /** Takes over {@code handle}, of {@code context}; {@code name} is for people. */
    NativeAddressHandle(IbvContext context, String name, MemorySegment handle) {
        this.context = context;
        this.name = name;
        this.handle = handle;
        address = handle.address();
    }

    long address() {
        return address;
    }

    /** Returns the use by {@code queue}, to be brought up to date before a request is handed over. */
    Use useBy(SendCounts queue) {
        for (Use use = first; use != null; use = use.next) {
            if (use.queue == queue) {
                return use;
            }
        }
        return firstUseBy(queue);
    }

    private Use firstUseBy(SendCounts queue) {
        for (Use use = first; use != null; use = use.next) {
            if (use.queue.hasEnded()) {
                use.queue = queue;
                use.last = 0;
                return use;
            }
        }
        Use made = new Use(queue, first);
        first = made;
        return made;
    }

    @Override
    protected boolean isIdle() {
        for (Use use = first; use != null; use = use.next) {
            if (!use.queue.isDone(use.last)) {
                return false;
            }
        }
        return true;
    }

    @Override
    protected void destroy() {
        context.destroy(IbvCalls.DESTROY_AH, name, handle);
    }

    @Override
    protected boolean tryDestroy() {
        int errno = IbvCalls.DESTROY_AH.status(handle);
        return errno == 0 || context.isGone(errno);
    }
}
