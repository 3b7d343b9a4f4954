package org.panamaverbs.disni.objects;

import com.ibm.disni.verbs.IbvCQ;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;

/** A completion queue, and the receives of the queue pairs that complete there. */
public final class Cq extends IbvCQ {
    private static final ReceiveBook[] NONE = {};

    private final Context owner;
    private final CompletionQueue queue;
    private final @Nullable CompChannel compChannel;
    private volatile ReceiveBook[] books = NONE;

    public Cq(Context context, @Nullable CompChannel compChannel, CompletionQueue queue, int number)
            throws IOException {
        super(context, compChannel, number);
        this.owner = context;
        this.queue = queue;
        this.compChannel = compChannel;
        cqe = queue.capacity();
        context.made(queue, queue::close);
    }

    public CompletionQueue queue() {
        return queue;
    }

    /** Adds the receives of a queue pair that completes here from now on. */
    public synchronized void attach(ReceiveBook book) {
        ReceiveBook[] more = new ReceiveBook[books.length + 1];
        System.arraycopy(books, 0, more, 0, books.length);
        more[books.length] = book;
        books = more;
    }

    public synchronized void detach(ReceiveBook book) {
        ReceiveBook[] left = NONE;
        for (ReceiveBook other : books) {
            if (other != book) {
                ReceiveBook[] more = new ReceiveBook[left.length + 1];
                System.arraycopy(left, 0, more, 0, left.length);
                more[left.length] = other;
                left = more;
            }
        }
        books = left;
    }

    /** Returns the receives of queue pair {@code number}, null if none of that number completes here (any more). */
    @Nullable
    public ReceiveBook receives(int number) {
        ReceiveBook[] all = books;
        for (int i = 0; i < all.length; i++) {
            if (all[i].queuePair() == number) {
                return all[i];
            }
        }
        return null;
    }

    public void destroy() throws IOException {
        requireOpen("destroyCQ");
        Failures.run("destroyCQ", queue::close);
        owner.ended(queue);
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
