package org.panamaverbs.api;

/**
 * Work requests that go to the queue pair with one doorbell ({@code ibv_wr_start}, {@code ibv_wr_complete}). Belongs to
 * one thread; between the first post and {@link #submit()} or {@link #discard()} nobody else may post sends to the
 * queue pair.
 */
public interface Batch extends SendQueue {
    /**
     * Hands the collected requests over, in the order they were posted. A post that was refused is not part of the
     * batch; those accepted before it are.
     *
     * @return how many, 0 if there were none, or a negative {@link PostStatus}
     */
    int submit();

    /** Forgets the collected requests. */
    void discard();
}
