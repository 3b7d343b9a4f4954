package org.panamaverbs.ibverbs.crash;

import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.cm.Connection;

/** Two sides and the connection between them. */
record Pair(Side a, Side b, Connection connectionA, Connection connectionB) {
    QueuePair qpA() {
        return connectionA.queuePair();
    }

    QueuePair qpB() {
        return connectionB.queuePair();
    }

    /** Writes into the peer's buffer and fails unless that succeeds. */
    void works() {
        int status = qpA().write(4711, a.buffer(), 0, 8, b.buffer().remote(), 0, SendFlag.SIGNALED);
        Expect.that(status >= 0, "a post was refused: " + status);
        Expect.Completed done = Expect.completion(a.queue());
        Expect.that(done.ok() && done.wrId() == 4711, "a connection that should work does not: " + done);
    }

    /** Posts {@code count} signaled Writes of {@code bytes} bytes from A. */
    void write(int count, long bytes) {
        for (int i = 0; i < count; i++) {
            int status = qpA().write(i, a.buffer(), 0, bytes, b.buffer().remote(), 0, SendFlag.SIGNALED);
            Expect.that(status >= 0, "a post was refused: " + status);
        }
    }
}
