package org.panamaverbs.bench.loopback.many;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.List;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.bench.loopback.exchange.Side;

/** One side's ends of the active connections, each with a receive posted: Sends of 64 bytes there and back. */
final class ActiveEnds {
    /** Work requests of each queue of a connection. */
    static final int DEPTH = 4;

    private static final int SIZE = 64;
    // Receives have the index of their connection, sends this.
    private static final long SENT = -1;

    private final Side side;
    private final QueuePair[] queuePairs;
    private int next;

    /** Takes the ends, {@code side} of which has {@link #bytes} of memory for them. */
    ActiveEnds(Side side, List<QueuePair> queuePairs) {
        this.side = side;
        this.queuePairs = queuePairs.toArray(new QueuePair[0]);
        for (int i = 0; i < this.queuePairs.length; i++) {
            receive(i);
        }
    }

    /** Returns how much memory {@code active} ends need. */
    static long bytes(int active) {
        return 2L * SIZE * active;
    }

    /** Returns how many completions {@code active} ends may have at once. */
    static int completions(int active) {
        return 4 * DEPTH * active;
    }

    private void receive(int index) {
        side.receive(queuePairs[index], index, (2L * index + 1) * SIZE, SIZE);
    }

    /** Sends on one connection after the other. */
    void sendNext() {
        int index = next;
        next = index + 1 == queuePairs.length ? 0 : index + 1;
        send(index);
    }

    private void send(int index) {
        PostStatus.check(queuePairs[index].send(SENT, side.buffer(), 2L * index * SIZE, SIZE, SIGNALED));
    }

    /** Polls once and sends one back for each that came; returns whether there was anything to do. */
    boolean answer() {
        int count = side.poll();
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = side.completion(i);
            if (completion.wrId() != SENT) {
                int index = (int) completion.wrId();
                receive(index);
                send(index);
            }
        }
        return count != 0;
    }

    /** Polls once; returns whether one came. */
    boolean hasReceived() {
        boolean received = false;
        int count = side.poll();
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = side.completion(i);
            if (completion.wrId() != SENT) {
                receive((int) completion.wrId());
                received = true;
            }
        }
        return received;
    }
}
