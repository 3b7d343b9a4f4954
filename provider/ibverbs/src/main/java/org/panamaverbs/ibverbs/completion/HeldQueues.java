package org.panamaverbs.ibverbs.completion;

import java.util.function.IntSupplier;

/** Calls that take completions out of queues, while no other thread polls those that the driver does not lock. */
public final class HeldQueues {
    private HeldQueues() {}

    /** Runs {@code call} with {@code send} and {@code receive}, which may be the same, held where that is needed. */
    public static int run(IbvCompletionQueue send, IbvCompletionQueue receive, IntSupplier call) {
        if (send == receive) {
            return run(send, call);
        }
        // Always in the same order, or two threads could wait for each other.
        boolean inOrder = send.handle().address() < receive.handle().address();
        IbvCompletionQueue outer = inOrder ? send : receive;
        IbvCompletionQueue inner = inOrder ? receive : send;
        return run(outer, () -> run(inner, call));
    }

    private static int run(IbvCompletionQueue queue, IntSupplier call) {
        boolean held = queue.holdPolls();
        try {
            return call.getAsInt();
        } finally {
            if (held) {
                queue.gate.leave();
            }
        }
    }
}
