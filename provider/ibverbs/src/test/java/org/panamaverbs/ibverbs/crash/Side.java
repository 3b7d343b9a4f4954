package org.panamaverbs.ibverbs.crash;

import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.memory.RegisteredBuffer;

/** An open device with a domain, a completion queue and a buffer with all rights. */
record Side(Stage stage, Verbs verbs, ProtectionDomain domain, CompletionQueue queue, RegisteredBuffer buffer) {
    static final long BUFFER_BYTES = 1 << 20;

    QueuePairConfig config() {
        return config(queue);
    }

    QueuePairConfig config(CompletionQueue completions) {
        return QueuePairConfig.of(domain, completions)
                .withDepth(64, 64)
                .withSge(1, 1)
                .withInline(Math.min(64, verbs.capabilities().maxInlineBytes()))
                .withAllRemoteAccess();
    }

    /** Makes a queue pair, closed with the stage. */
    QueuePair queuePair() {
        return stage.add(domain.queuePair(config()));
    }
}
