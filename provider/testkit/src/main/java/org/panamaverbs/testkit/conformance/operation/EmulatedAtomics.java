package org.panamaverbs.testkit.conformance.operation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.util.EmulatedMaskedAtomics;
import org.panamaverbs.testkit.ConnectedPair;

/** Emulated atomics over connections of their own. */
final class EmulatedAtomics {
    private EmulatedAtomics() {}

    /**
     * Emulates from A to B over one more connection, whose queues at A are polled by nobody else, with the result at
     * {@code resultOffset} of A's buffer.
     */
    static EmulatedMaskedAtomics over(ConnectedPair pair, long resultOffset, int maxAttempts) {
        return EmulatedMaskedAtomics.over(connected(pair), pair.a().buffer(), resultOffset, maxAttempts);
    }

    /** As {@link #over(ConnectedPair, long, int)}, running {@code beforeEach} before each CmpSwap is posted. */
    static EmulatedMaskedAtomics over(ConnectedPair pair, long resultOffset, int maxAttempts, Runnable beforeEach) {
        QueuePair queuePair = connected(pair);
        return over(pair, resultOffset, maxAttempts, (proxy, method, arguments) -> {
            if (method.getName().equals("post")) {
                beforeEach.run();
            }
            return method.invoke(queuePair, arguments);
        });
    }

    /** As {@link #over(ConnectedPair, long, int)}, with CmpSwaps that are accepted and never complete. */
    static EmulatedMaskedAtomics unanswered(ConnectedPair pair, long resultOffset) {
        QueuePair queuePair = connected(pair);
        return over(pair, resultOffset, 2, (proxy, method, arguments) -> {
            return method.getName().equals("post") ? PostStatus.ACCEPTED : method.invoke(queuePair, arguments);
        });
    }

    private static EmulatedMaskedAtomics over(
            ConnectedPair pair, long resultOffset, int maxAttempts, InvocationHandler queuePair) {
        Object proxy =
                Proxy.newProxyInstance(QueuePair.class.getClassLoader(), new Class<?>[] {QueuePair.class}, queuePair);
        return EmulatedMaskedAtomics.over((QueuePair) proxy, pair.a().buffer(), resultOffset, maxAttempts);
    }

    private static QueuePair connected(ConnectedPair pair) {
        CompletionQueue sends = pair.a().newQueue(16);
        CompletionQueue receives = pair.a().newQueue(4);
        QueuePair queuePair = pair.a()
                .newQueuePair(config -> config.withSendCq(sends)
                        .withRecvCq(receives)
                        .withDepth(16, 1)
                        .withSge(1, 1)
                        .withInline(0));
        pair.connect(queuePair, pair.b().newQueuePair(config -> config));
        return queuePair;
    }
}
