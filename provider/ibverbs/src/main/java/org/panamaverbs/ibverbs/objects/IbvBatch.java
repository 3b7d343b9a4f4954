package org.panamaverbs.ibverbs.objects;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Posts sends that wait for {@link #submit()}, a chain of slots posted by one call. Belongs to one thread. Where the
 * queue does not take all of them, those it took are counted and the rest stays: submit again after polling, or
 * discard.
 */
final class IbvBatch extends SendPoster implements Batch {
    /** What a collected bind names by address. */
    private record Bound(IbvMemoryWindow window, MemorySegment handle, RegisteredBuffer buffer) {
        void require() {
            window.requireOpen();
            buffer.requireOpen();
            if (!window.handle().equals(handle)) {
                throw new IllegalStateException(window.resourceName()
                        + " was revoked with what it was bound to: discard the batch and bind it again");
            }
        }
    }

    private final IbvSendQueue queue;
    private final Gate gate;
    private final List<Bound> bound = new ArrayList<>();
    private int first;
    private int end;

    IbvBatch(IbvQueuePair queuePair, SendRequests requests, IbvSendQueue queue, Gate gate) {
        super(queuePair, requests);
        this.queue = queue;
        this.gate = gate;
    }

    @Override
    int enter() {
        queuePair().requireOpen();
        if (!queuePair().isSendable()) {
            return PostStatus.NOT_CONNECTED;
        }
        return end < requests().slots().count() ? end : PostStatus.QUEUE_FULL;
    }

    @Override
    int accepted(int slot) {
        if (slot == 0) {
            queue.batchOpen(true);
        } else {
            requests().slots().link(slot - 1, slot);
        }
        end = slot + 1;
        return PostStatus.ACCEPTED;
    }

    @Override
    void leave() {
        // Nothing was entered.
    }

    @Override
    void requireDirect() {
        throw new UnsupportedOperationException("binding a window of type 1 posts at once: bind it on "
                + queuePair().resourceName() + " itself");
    }

    @Override
    void bindAccepted(IbvMemoryWindow window, RegisteredBuffer buffer) {
        bound.add(new Bound(window, window.handle(), buffer));
    }

    @Override
    public int submit() {
        if (bound.isEmpty()) {
            return handOver();
        }
        // Neither the windows nor the registrations may be destroyed while the driver looks at them.
        synchronized (queuePair().domain().registrations()) {
            bound.forEach(Bound::require);
            return handOver();
        }
    }

    private int handOver() {
        int count = end - first;
        if (count == 0) {
            return 0;
        }
        if (!queuePair().isSendable()) {
            queuePair().requireOpen();
            return PostStatus.NOT_CONNECTED;
        }
        if (!gate.enter()) {
            queuePair().requireOpen();
        }
        try {
            int taken = queue.hand(requests().slots(), first, end);
            if (taken == count) {
                clear();
                return count;
            }
            first += taken;
            return taken > 0 ? taken : queue.status();
        } finally {
            gate.leave();
        }
    }

    @Override
    public void discard() {
        clear();
    }

    private void clear() {
        first = 0;
        end = 0;
        bound.clear();
        queue.batchOpen(false);
    }
}
