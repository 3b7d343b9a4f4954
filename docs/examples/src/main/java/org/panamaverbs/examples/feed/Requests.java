package org.panamaverbs.examples.feed;

import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.RegisteredBuffer;

/** The receives into which all subscribers send, one for each: none asks again before it has its reply. */
final class Requests {
    private final RegisteredBuffer memory;
    private final SharedReceiveQueue receives;
    private final CompletionQueue queue;

    Requests(RegisteredBuffer memory, SharedReceiveQueue receives, CompletionQueue queue, int subscribers) {
        this.memory = memory;
        this.receives = receives;
        this.queue = queue;
        for (int slot = 0; slot < subscribers; slot++) {
            post(slot);
        }
    }

    /** Posts the receive {@code slot}, whose request may be overwritten now. */
    void post(int slot) {
        PostStatus.check(receives.recv(slot, memory, (long) slot * RequestLayout.BYTES, RequestLayout.BYTES));
    }

    long kind(int slot) {
        return RequestLayout.kind(memory.segment(), (long) slot * RequestLayout.BYTES);
    }

    long from(int slot) {
        return RequestLayout.from(memory.segment(), (long) slot * RequestLayout.BYTES);
    }

    int poll(WorkCompletions completions) {
        return queue.poll(completions);
    }

    int await(WorkCompletions completions, Deadline deadline) {
        return queue.poll(completions, deadline);
    }
}
