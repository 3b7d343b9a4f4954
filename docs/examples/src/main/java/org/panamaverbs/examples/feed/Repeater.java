package org.panamaverbs.examples.feed;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.memory.RegisteredBuffer;

/** Sends one subscriber what it has missed, over its own connection. */
final class Repeater {
    static final int BYTES = RequestLayout.MOST * UpdateLayout.BYTES;

    private static final long NOTHING = -1;

    private final QueuePair queuePair;
    private final RegisteredBuffer replies;
    private final long offset;
    private final History history;

    /** The update that the subscriber wants next, while its last reply has not left. */
    private long wanted = NOTHING;

    private boolean sending;
    private long repeated;

    /** Takes {@link #BYTES} of {@code replies}, from {@code offset} on. */
    Repeater(QueuePair queuePair, RegisteredBuffer replies, long offset, History history) {
        this.queuePair = queuePair;
        this.replies = replies;
        this.offset = offset;
        this.history = history;
    }

    /** Sends updates from {@code from} on; a reply without any says that they are not in the history any more. */
    void repeat(long from) {
        wanted = from;
        if (!sending) {
            reply();
        }
    }

    /** Notes that a reply has left, and that its memory is free. */
    void sent() {
        sending = false;
        if (wanted != NOTHING) {
            reply();
        }
    }

    /** Returns how many updates were repeated. */
    long repeated() {
        return repeated;
    }

    private void reply() {
        int count = history.copy(wanted, RequestLayout.MOST, replies.segment().asSlice(offset, BYTES));
        wanted = NOTHING;
        sending = true;
        repeated += count;
        PostStatus.check(queuePair.send(0, replies, offset, (long) count * UpdateLayout.BYTES, SIGNALED));
    }
}
