package org.panamaverbs.ibverbs.completion;

import org.panamaverbs.ibverbs.call.Ops;

/** Polls an ordinary completion queue: ibv_poll_cq(3). Under the queue's gate. */
final class OrdinaryPoll extends EntryPoll {
    private final Ops ops;
    private final long queue;

    /** Creates what polls the queue at {@code queue}, a {@code struct ibv_cq}. */
    OrdinaryPoll(Ops ops, long queue) {
        this.ops = ops;
        this.queue = queue;
    }

    @Override
    int poll(WcArray into, int most) {
        counted = 0;
        int count = ops.pollCq(queue, most, into.address(0));
        filled = Math.max(count, 0);
        return count;
    }
}
