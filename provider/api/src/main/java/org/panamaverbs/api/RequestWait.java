package org.panamaverbs.api;

import java.util.Objects;

/**
 * Waits for the completion of one request by its {@code wrId}, and keeps completions of others until they are
 * requested: for step-by-step code and tests. All completions of the queue must be taken through it.
 *
 * <p>Whoever created queue and wait closes them. One thread at a time uses it. Waiting allocates nothing unless it
 * fails; the search takes time linear in the kept completions.
 */
public final class RequestWait {
    private static final int POLLED_AT_ONCE = 16;

    private final CompletionQueue queue;
    private final Source source;
    private final WorkCompletions polled;
    /** The first of {@link #polled} that was not looked at. */
    private int next;

    /** Completions of others, the oldest first; behind them holders of which nobody needs what they hold. */
    private final WorkCompletion[] kept;

    private int keptCount;

    /** Polls the queue until there is something. */
    @FunctionalInterface
    private interface Source {
        int await(WorkCompletions completions, Deadline deadline);
    }

    private RequestWait(CompletionQueue queue, Source source, int mostKept) {
        if (mostKept < 0) {
            throw new IllegalArgumentException("mostKept must be at least 0, got " + mostKept);
        }
        this.queue = queue;
        this.source = source;
        polled = WorkCompletions.ofCapacity(POLLED_AT_ONCE);
        kept = new WorkCompletion[mostKept];
        for (int i = 0; i < mostKept; i++) {
            kept[i] = new WorkCompletion();
        }
    }

    /**
     * Returns a wait that polls {@code queue}.
     *
     * @param mostKept limit of kept completions, from 0; {@link CompletionQueue#capacity()} suffices if each completion
     *     is requested before its request is posted again
     * @throws IllegalArgumentException if {@code mostKept} is negative
     */
    public static RequestWait of(CompletionQueue queue, int mostKept) {
        Objects.requireNonNull(queue, "queue");
        return new RequestWait(queue, queue::poll, mostKept);
    }

    /**
     * Returns a wait that polls and sleeps as {@code wait} does, which must be of {@code queue}; otherwise as
     * {@link #of(CompletionQueue, int)}.
     */
    public static RequestWait of(CompletionQueue queue, CompletionWait wait, int mostKept) {
        Objects.requireNonNull(queue, "queue");
        return new RequestWait(queue, wait::await, mostKept);
    }

    /**
     * Waits until request {@code wrId} has completed and takes its completion, the oldest if there are several. A
     * successful request that was not signaled has none.
     *
     * @return the completion, successful or not; valid until the next call of this object
     * @throws DeadlineExceededException if it did not complete before the deadline; completions of others are kept
     * @throws WaitInterruptedException as {@link CompletionWait#await}
     * @throws IllegalStateException if more completions of others came than it keeps, none of which is lost: take them
     *     with {@link #poll}; or if the queue is closed or was overrun
     */
    public WorkCompletion await(long wrId, Deadline deadline) {
        for (int i = 0; i < keptCount; i++) {
            if (kept[i].wrId() == wrId) {
                return take(i);
            }
        }
        while (true) {
            while (next < polled.count()) {
                WorkCompletion found = polled.get(next);
                if (found.wrId() == wrId) {
                    next++;
                    return found;
                }
                keep(found, wrId);
                next++;
            }
            fill(wrId, deadline);
        }
    }

    /**
     * Takes completions of any request without waiting, kept ones first and in their order, as
     * {@link CompletionQueue#poll(WorkCompletions)} does.
     *
     * @return the number of completions taken, 0 if there are none
     * @throws IllegalStateException if the queue is closed or was overrun, and nothing is kept
     */
    public int poll(WorkCompletions completions) {
        int count = 0;
        while (count < completions.capacity() && keptCount > 0) {
            completions.entries[count++].copy(take(0));
        }
        while (count < completions.capacity() && next < polled.count()) {
            completions.entries[count++].copy(polled.get(next++));
        }
        if (count == 0) {
            return queue.poll(completions);
        }
        completions.count = count;
        return count;
    }

    /** Returns the number of completions that were taken from the queue and not requested yet. */
    public int kept() {
        return keptCount + polled.count() - next;
    }

    private void fill(long wrId, Deadline deadline) {
        polled.count = 0;
        next = 0;
        try {
            source.await(polled, deadline);
        } catch (DeadlineExceededException e) {
            polled.count = 0;
            throw new DeadlineExceededException(
                    "await",
                    "no completion of request " + wrId + " before the deadline; " + keptCount + " of others"
                            + " are kept");
        }
    }

    private void keep(WorkCompletion other, long wrId) {
        if (keptCount == kept.length) {
            throw new IllegalStateException("while waiting for request " + wrId + ", completions of " + keptCount
                    + " other requests arrived, and no more can be kept; remedy: wait for those requests, poll their"
                    + " completions, or keep more");
        }
        kept[keptCount++].copy(other);
    }

    /** Returns the kept completion at {@code index}; its holder goes behind those that are still kept. */
    private WorkCompletion take(int index) {
        WorkCompletion taken = kept[index];
        keptCount--;
        System.arraycopy(kept, index + 1, kept, index, keptCount - index);
        kept[keptCount] = taken;
        return taken;
    }
}
