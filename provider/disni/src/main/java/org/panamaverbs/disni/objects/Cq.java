package org.panamaverbs.disni.objects;

import com.ibm.disni.verbs.IbvCQ;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;

/** A completion queue, and which queue pairs complete there. */
public final class Cq extends IbvCQ {
    private static final Qp[] NONE = {};

    private final CompletionQueue queue;
    private final @Nullable CompChannel compChannel;
    private volatile Qp[] pairs = NONE;

    public Cq(Context context, @Nullable CompChannel compChannel, CompletionQueue queue, int number)
            throws IOException {
        super(context, compChannel, number);
        this.queue = queue;
        this.compChannel = compChannel;
        cqe = queue.capacity();
    }

    public CompletionQueue queue() {
        return queue;
    }

    /** Has completions of {@code pair} told to it. */
    public synchronized void attach(Qp pair) {
        Qp[] more = new Qp[pairs.length + 1];
        System.arraycopy(pairs, 0, more, 0, pairs.length);
        more[pairs.length] = pair;
        pairs = more;
    }

    public synchronized void detach(Qp pair) {
        Qp[] left = NONE;
        for (Qp other : pairs) {
            if (other != pair) {
                Qp[] more = new Qp[left.length + 1];
                System.arraycopy(left, 0, more, 0, left.length);
                more[left.length] = other;
                left = more;
            }
        }
        pairs = left;
    }

    /** Returns the queue pair {@code number} that completes here, null if there is none (any more). */
    @Nullable
    public Qp pair(int number) {
        Qp[] all = pairs;
        for (int i = 0; i < all.length; i++) {
            if (all[i].number() == number) {
                return all[i];
            }
        }
        return null;
    }

    public void destroy() throws IOException {
        requireOpen("destroyCQ");
        Failures.run("destroyCQ", queue::close);
        isOpen = false;
        if (compChannel != null) {
            Failures.run("destroyCQ", compChannel::release);
        }
    }

    public void requireOpen(String operation) throws IOException {
        if (!isOpen) {
            throw Failures.closed(operation, "completion queue " + handle);
        }
    }
}
