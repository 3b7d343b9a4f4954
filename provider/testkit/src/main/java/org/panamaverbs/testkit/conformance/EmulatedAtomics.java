package org.panamaverbs.testkit.conformance;

import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.EmulatedMaskedAtomics;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.testkit.ConnectedPair;

/** Emulated atomics over connections of their own. */
final class EmulatedAtomics {
    private EmulatedAtomics() {}

    /**
     * Emulates from A to B over one more connection, whose queues at A are polled by nobody else, with the result at
     * {@code resultOffset} of A's buffer.
     */
    static EmulatedMaskedAtomics over(ConnectedPair pair, long resultOffset, int maxAttempts) {
        CompletionQueue sends = pair.a().newQueue(16);
        CompletionQueue receives = pair.a().newQueue(4);
        QueuePair queuePair = pair.a()
                .newQueuePair(config -> new QueuePairConfig(
                        config.domain(), sends, receives, null, config.type(), 16, 1, 1, 1, 0, false));
        pair.connect(queuePair, pair.b().newQueuePair(config -> config));
        return EmulatedMaskedAtomics.over(queuePair, pair.a().buffer(), resultOffset, maxAttempts);
    }
}
