package org.panamaverbs.iwarp.engine;

import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.iwarp.core.CompletionRun;
import org.panamaverbs.iwarp.core.CompletionSink;

/** Passes completions on, until the queue pair is closed: then nobody waits for them any more. */
final class QueueSink implements CompletionSink {
    private final IwarpCompletionQueue queue;
    /** Whether nobody waits for them; guarded by the lock of the driver. */
    boolean muted;

    /** Creates what completes to {@code queue}. */
    QueueSink(IwarpCompletionQueue queue) {
        this.queue = queue;
    }

    @Override
    public long taken() {
        return queue.taken();
    }

    @Override
    public int room() {
        return queue.room();
    }

    @Override
    public long complete(CompletionRun run, int qpNumber) {
        return muted ? 0 : queue.complete(run, qpNumber);
    }

    @Override
    public long complete(
            long wrId,
            WcStatus status,
            WcOpcode opcode,
            int qpNumber,
            long byteCount,
            int flags,
            long immediateOrStag,
            int vendorError) {
        return muted
                ? 0
                : queue.complete(wrId, status, opcode, qpNumber, byteCount, flags, immediateOrStag, vendorError);
    }
}
