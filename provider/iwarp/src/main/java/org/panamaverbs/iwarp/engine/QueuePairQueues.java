package org.panamaverbs.iwarp.engine;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.ManagedResource;

/**
 * The queues that a queue pair works with beside its send queue.
 *
 * @param send where its sends complete
 * @param receive where its receives complete
 * @param shared where its receives come from, null for a queue of its own
 */
record QueuePairQueues(
        IwarpCompletionQueue send,
        IwarpCompletionQueue receive,
        @Nullable IwarpSharedReceiveQueue shared) {
    /** Returns what a queue pair of {@code domain} with these queues is a child of. */
    ManagedResource[] parents(ManagedResource domain) {
        return shared == null
                ? new ManagedResource[] {domain, send, receive}
                : new ManagedResource[] {domain, send, receive, shared};
    }
}
