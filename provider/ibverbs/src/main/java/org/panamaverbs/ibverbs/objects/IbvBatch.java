package org.panamaverbs.ibverbs.objects;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * Posts sends that wait for {@link #submit()}, a chain of slots posted by one call. Belongs to one thread. Where the
 * queue does not take all of them, those it took are counted and the rest stays: submit again after polling, or
 * discard.
 */
final class IbvBatch extends SendPoster implements Batch {
    private final IbvSendQueue queue;
    private final Gate gate;
    private final List<ManagedResource> bound = new ArrayList<>();
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
    void bindAccepted(IbvMemoryWindow window, RegisteredBuffer buffer) {
        bound.add(window);
        bound.add(buffer);
    }

    @Override
    public int submit() {
        if (bound.isEmpty()) {
            return handOver();
        }
        // Neither the windows nor the registrations may be destroyed while the driver looks at them.
        synchronized (queuePair().domain().registrations()) {
            bound.forEach(ManagedResource::requireOpen);
            return handOver();
        }
    }

    private int handOver() {
        int count = end - first;
        if (count == 0) {
            return 0;
        }
        if (!gate.enter()) {
            queuePair().requireOpen();
        }
        try {
            int status = queue.ring(requests().slots(), first);
            if (status == PostStatus.ACCEPTED) {
                clear();
                return count;
            }
            int refused = queue.firstRefused(requests().slots());
            int taken = refused - first;
            first = refused;
            return taken > 0 ? taken : status;
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
