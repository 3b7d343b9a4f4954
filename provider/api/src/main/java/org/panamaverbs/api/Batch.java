package org.panamaverbs.api;

/**
 * Work requests that go to the queue pair with one doorbell ({@code ibv_wr_start}, {@code ibv_wr_complete}). Belongs to
 * one thread; between the first post that was accepted and {@link #submit()} or {@link #discard()} nobody else may post
 * sends to the queue pair.
 *
 * <p>A full send queue shows in one of two places, depending on the device. Where the provider knows how much room is
 * left, a post to the batch answers {@link PostStatus#QUEUE_FULL}. Where only the driver knows, {@link #submit()} takes
 * a part. An application that heeds both loses nothing and posts nothing twice:
 *
 * <pre>{@code
 * int taken = batch.submit();
 * while (batch.pending() > 0) {        // a part was taken, or none
 *     if (taken < 0 && taken != PostStatus.QUEUE_FULL) {
 *         batch.discard();             // these were not posted, and are not going to be
 *         break;
 *     }
 *     poll(queue);                     // completions make room
 *     taken = batch.submit();          // goes on behind what was taken
 * }
 * }</pre>
 */
public interface Batch extends SendQueue, DatagramSendQueue {
    /**
     * Hands the collected requests over, in the order they were posted. A post that was refused is not part of the
     * batch; those accepted before it are.
     *
     * <p>The queue may have room for a part only. What it took is posted and not in the batch any more; the rest stays,
     * is what the next call begins with, and may be followed by further posts. {@link #pending()} tells how many that
     * are.
     *
     * @return how many were taken, which may be fewer than were collected; 0 if there were none; or a negative
     *     {@link PostStatus} if none was taken: then all of them stay
     * @throws IllegalStateException if the queue pair is closed, or what a bind names is
     */
    @CheckReturnValue
    int submit();

    /** Returns how many requests are collected and not handed over. */
    int pending();

    /** Forgets the collected requests that are not handed over: they are not posted. */
    void discard();

    /**
     * Hands all requests over, or throws; for code that has no answer to a refusal.
     *
     * @return how many
     * @throws IllegalStateException if not all were taken: it says how many are posted and why the rest is not, and the
     *     rest is discarded
     */
    default int submitAll() {
        int taken = 0;
        while (pending() > 0) {
            int status = submit();
            if (status <= 0) {
                int left = pending();
                discard();
                throw new IllegalStateException("the batch was taken in part: " + taken + " of " + (taken + left)
                        + " work requests are posted, the others refused: " + PostStatus.text(status));
            }
            taken += status;
        }
        return taken;
    }
}
