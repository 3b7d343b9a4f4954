package org.panamaverbs.disni.objects;

/**
 * The ids of a queue pair's receives, in the order they were posted, until they complete. A completion that failed does
 * not say whether it was a send or a receive ({@code ibv_poll_cq(3)}); DiSNI's applications ask it all the same.
 *
 * <p>Thread-safe: one thread posts at a time, any number polls.
 */
public final class ReceiveBook {
    private static final int LEAST = 16;

    private final int queuePair;
    private long[] ids = new long[LEAST];
    private long completed;
    private long posted;

    /** Creates the book, empty, of the queue pair of this number. */
    public ReceiveBook(int queuePair) {
        this.queuePair = queuePair;
    }

    int queuePair() {
        return queuePair;
    }

    /** Notes a receive that is about to be posted. */
    public synchronized void add(long id) {
        if (posted - completed == ids.length) {
            grow();
        }
        ids[(int) posted & ids.length - 1] = id;
        posted++;
    }

    /** Forgets the last one, which was refused. */
    public synchronized void undo() {
        posted--;
    }

    /**
     * Strikes out the oldest receive if the completion with {@code id} is its own, and tells whether it was. It is if
     * the completion says that it is {@code known} to be of a receive. One that failed, in whatever way, and does not
     * say so is if it has the id of the oldest: receives complete in order. Where a send of the same id fails first it
     * is taken for the receive, and the receive for the send.
     */
    public synchronized boolean strike(long id, boolean known) {
        boolean next = posted != completed && (known || ids[(int) completed & ids.length - 1] == id);
        if (next) {
            completed++;
        }
        return next;
    }

    private void grow() {
        long[] more = new long[2 * ids.length];
        for (long i = completed; i < posted; i++) {
            more[(int) i & more.length - 1] = ids[(int) i & ids.length - 1];
        }
        ids = more;
    }
}
