package org.panamaverbs.ibverbs.post;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.ibverbs.call.Gate;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.IbvMemoryWindow;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.spi.support.WindowBinding;

/**
 * Posts sends that wait for {@link #submit()}, a chain of slots posted by one call. Belongs to one thread. Where the
 * queue does not take all of them, those it took are counted and the rest stays: submit again after polling, or
 * discard.
 */
public final class IbvBatch extends PostTarget implements SendPoster, Batch {
    /** What the bind collected in {@code slot} names by address, and the key that the window has from then on. */
    private record Bound(int slot, IbvMemoryWindow window, MemorySegment handle, int rkey, RegisteredBuffer buffer) {
        void require() {
            window.requireOpen();
            buffer.requireOpen();
            if (!window.handle().equals(handle)) {
                throw new IllegalStateException(window.resourceName()
                        + " was revoked with its registration; remedy: discard the batch and bind the window again");
            }
        }
    }

    private final IbvSendQueue queue;
    private final Gate gate;
    private final ArrayDeque<Bound> bound = new ArrayDeque<>();
    // Of datagrams.
    private final WaitingDatagrams waiting;
    private int first;
    private int end;

    public IbvBatch(NativeQueuePair queuePair, SendRequests requests, IbvSendQueue queue, Gate gate) {
        super(queuePair, requests, new Gate()); // collecting passes no gate of the queue pair
        this.queue = queue;
        this.gate = gate;
        waiting = new WaitingDatagrams(sendsDatagrams() ? requests.slots().count() : 0);
    }

    @Override
    public PostTarget target() {
        return this;
    }

    @Override
    public SendQueue toSharedReceiveQueue(int number) {
        return XrcSends.of(this, number);
    }

    @Override
    int enter() {
        queuePair.requireOpen();
        if (!queuePair.isSendable()) {
            return queuePair.refusal();
        }
        return end < requests.slots().count() ? end : PostStatus.QUEUE_FULL;
    }

    @Override
    int accepted(int slot) {
        if (slot == 0) {
            queue.batchOpen(true);
        } else {
            requests.slots().link(slot - 1, slot);
        }
        end = slot + 1;
        return PostStatus.ACCEPTED;
    }

    @Override
    int acceptedTo(NativeAddressHandle handle, int slot) {
        waiting.add(slot, queue.useOf(handle));
        return accepted(slot);
    }

    @Override
    void requireBindable(MemoryWindow.Type type) {
        if (type == MemoryWindow.Type.TYPE_1) {
            throw postsAtOnce();
        }
    }

    @Override
    int bindType1(long wrId, IbvMemoryWindow window, Region region, WindowBinding asked, int flags) {
        throw postsAtOnce();
    }

    private UnsupportedOperationException postsAtOnce() {
        return new UnsupportedOperationException(
                "binding a window of type 1 posts at once; remedy: bind it on " + queuePair.resourceName() + " itself");
    }

    @Override
    void bindAccepted(IbvMemoryWindow window, int rkey, RegisteredBuffer buffer) {
        int slot = end - 1;
        if (slot > first && bound.stream().anyMatch(bind -> bind.window() == window)) {
            // Its driver is to see the key of the bind before, which it does not until that one is handed over.
            requests.slots().unlink(slot - 1);
        }
        bound.add(new Bound(slot, window, window.handle(), rkey, buffer));
    }

    @Override
    public int pending() {
        return end - first;
    }

    @Override
    public int submit() {
        if (bound.isEmpty()) {
            return handOver();
        }
        // Neither the windows nor the registrations may be destroyed while the driver looks at them.
        synchronized (queuePair.domain().registrations()) {
            bound.forEach(Bound::require);
            return handOver();
        }
    }

    private int handOver() {
        int count = end - first;
        if (count == 0) {
            clear();
            queuePair.requireOpen();
            return 0;
        }
        if (!queuePair.isSendable()) {
            queuePair.requireOpen();
            return queuePair.refusal();
        }
        if (!gate.enter()) {
            queuePair.requireOpen();
        }
        try {
            int taken = sendsDatagrams() ? handDatagrams() : handChains();
            int answer = taken > 0 ? taken : queue.status();
            if (taken == count) {
                clear();
            }
            return answer;
        } finally {
            gate.leave();
        }
    }

    /** Hands chain after chain over until one is not taken whole; returns how many requests were taken. */
    private int handChains() {
        int before = first;
        boolean whole = true;
        while (whole && first < end) {
            int until = bound.isEmpty() ? end : requests.slots().chainEnd(first, end);
            int taken = queue.hand(requests.slots(), first, until);
            first += taken;
            whole = first == until;
            takeBinds();
        }
        return first - before;
    }

    /** Hands all over, which are datagrams; returns how many were taken. */
    private int handDatagrams() {
        waiting.number(first, end, queue.posted());
        int taken = queue.hand(requests.slots(), first, end);
        first += taken;
        waiting.keep(first, end);
        return taken;
    }

    /** Tells the windows whose binds were taken. */
    private void takeBinds() {
        while (!bound.isEmpty() && bound.getFirst().slot() < first) {
            Bound taken = bound.removeFirst();
            taken.window().window().posted(taken.rkey());
        }
    }

    @Override
    public void discard() {
        if (sendsDatagrams() && first < end && gate.enter()) {
            try {
                waiting.discard(first, end, queue.posted());
            } finally {
                gate.leave();
            }
        }
        clear();
    }

    private void clear() {
        first = 0;
        end = 0;
        bound.clear();
        queue.batchOpen(false);
    }
}
