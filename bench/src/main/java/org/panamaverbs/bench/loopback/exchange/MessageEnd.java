package org.panamaverbs.bench.loopback.exchange;

import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WorkCompletion;

/** One side's ends of connections: each sends from a place of the side's memory, and receives into the one behind. */
class MessageEnd {
    /** Work requests of each queue of a connection that need be. */
    static final int DEPTH = 4;
    // Receives have the index of their connection, sends this.
    static final long SENT = -1;

    final Side side;
    final int size;
    private final QueuePair[] queuePairs;
    private int next;

    /**
     * Posts a receive for messages of {@code size} bytes on each connection of {@code side} but the {@code idle} first,
     * for all of which it has {@link #bytes} of memory.
     */
    MessageEnd(Side side, int idle, int size) {
        this.side = side;
        this.size = size;
        queuePairs = side.ends().stream().skip(idle).toArray(QueuePair[]::new);
        for (int i = 0; i < queuePairs.length; i++) {
            receive(i);
        }
    }

    /** Returns how much memory so many ends need. */
    static long bytes(int ends, int size) {
        return 2L * size * ends;
    }

    /** Returns how many completions so many ends may have at once. */
    static int completions(int ends) {
        return 4 * DEPTH * ends;
    }

    private void receive(int index) {
        side.receive(queuePairs[index], index, place(index) + size, size);
    }

    /** Returns where end {@code index} sends from. */
    final long place(int index) {
        return 2L * index * size;
    }

    /** Sends a message, on one connection after the other. */
    final void send() {
        int index = next;
        next = index + 1 == queuePairs.length ? 0 : index + 1;
        PostStatus.check(post(queuePairs[index], index));
    }

    /** Posts a message of end {@code index}. */
    int post(QueuePair queuePair, int index) {
        return queuePair.send(SENT, side.buffer(), place(index), size, SendFlag.SIGNALED);
    }

    /** Polls once; returns whether a message has come. */
    final boolean hasReceived() {
        return take(false);
    }

    /** Polls once, and sends one back for each that has come; returns whether one has. */
    final boolean answer() {
        return take(true);
    }

    private boolean take(boolean answers) {
        boolean received = false;
        int count = side.poll();
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = side.completion(i);
            if (completion.wrId() != SENT) {
                int index = (int) completion.wrId();
                receive(index);
                received = true;
                if (answers) {
                    PostStatus.check(post(queuePairs[index], index));
                }
            }
        }
        return received;
    }
}
