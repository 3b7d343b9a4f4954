package org.panamaverbs.bench.loopback.exchange;

import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;

/** One side's end of a connection: sends from the first half of its memory, receives into the second. */
public class MessageEnd {
    static final long SENT = 1;
    private static final long RECEIVED = 2;
    private static final int RECEIVES = 4;
    final Side side;
    final QueuePair queuePair;
    final int size;
    final long half;

    /** Posts receives for messages of {@code size} bytes. */
    public MessageEnd(Side side, QueuePair queuePair, int size) {
        this.side = side;
        this.queuePair = queuePair;
        this.size = size;
        half = side.buffer().length() / 2;
        for (int i = 0; i < RECEIVES; i++) {
            receive();
        }
    }

    private void receive() {
        side.receive(queuePair, RECEIVED, half, size);
    }

    /** Sends a message. */
    public void send() {
        PostStatus.check(queuePair.send(SENT, side.buffer(), 0, size, SendFlag.SIGNALED));
    }

    /** Polls once; returns whether a message has come. */
    public final boolean hasReceived() {
        boolean received = false;
        int count = side.poll();
        for (int i = 0; i < count; i++) {
            if (side.completion(i).wrId() == RECEIVED) {
                receive();
                received = true;
            }
        }
        return received;
    }

    /** Polls once, and sends one back if one has come; returns whether one has. */
    public final boolean answer() {
        boolean received = hasReceived();
        if (received) {
            send();
        }
        return received;
    }
}
