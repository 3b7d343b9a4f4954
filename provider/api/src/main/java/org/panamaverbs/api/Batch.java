package org.panamaverbs.api;

/**
 * Work requests that are handed to the queue pair with one doorbell: {@code ibv_wr_start}, {@code ibv_wr_complete}. A
 * batch belongs to one thread. Between the first accepted post and {@link #submit()} or {@link #discard()}, no other
 * thread may post sends to the queue pair.
 *
 * <p>A full send queue shows in one of two places. If the provider knows how much room is left, a post to the batch
 * returns {@link PostStatus#QUEUE_FULL}. If only the driver knows, {@link #submit()} takes a part. Code that handles
 * both loses nothing and posts nothing twice:
 *
 * <pre>{@code
 * while (batch.pending() > 0) {
 *     int taken = batch.submit();          // continues after what was taken
 *     if (taken == PostStatus.QUEUE_FULL) {
 *         poll(queue);                     // completions make room
 *     } else if (taken < 0) {
 *         batch.discard();                 // these were not posted
 *         throw new IllegalStateException(PostStatus.text(taken));
 *     }
 * }
 * }</pre>
 */
public interface Batch extends SendQueue, DatagramSendQueue {
    /**
     * Posts the collected requests in their order. Refused posts are not part of the batch.
     *
     * <p>If the queue has room for a part only, that part is posted and leaves the batch. The rest stays, further posts
     * may follow it, and the next call continues with it. {@link #pending()} returns its size.
     *
     * @return the number posted, possibly fewer than were collected; 0 if none were; or, if none was posted and all
     *     stay, a negative {@link PostStatus}
     * @throws IllegalStateException if the queue pair, or an object that a bind names, is closed
     */
    @CheckReturnValue
    int submit();

    /** Returns the number of requests that are collected and not posted yet. */
    int pending();

    /** Drops the collected requests that are not posted yet. */
    void discard();

    /**
     * Posts all collected requests, or throws; for code that cannot handle a refusal.
     *
     * @return the number posted
     * @throws IllegalStateException if not all were posted, with the number posted and the reason; the rest is
     *     discarded
     */
    default int submitAll() {
        int taken = 0;
        while (pending() > 0) {
            int status = submit();
            if (status <= 0) {
                int left = pending();
                discard();
                throw new IllegalStateException("post: only " + taken + " of " + (taken + left)
                        + " work requests of the batch were posted; the others were refused: "
                        + PostStatus.text(status));
            }
            taken += status;
        }
        return taken;
    }
}
