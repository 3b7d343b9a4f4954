package org.panamaverbs.api;

import java.util.Objects;

/**
 * Waits for the completion of one request, by its {@code wrId}, and keeps those of others until they are asked for: for
 * code that goes step by step, and for tests. All completions of the queue are to be taken through it.
 *
 * <p>Neither the queue nor the wait that it sleeps with becomes its own. One thread at a time uses it. Waiting
 * allocates nothing until it fails; looking among what is kept takes a time that grows with how much that is.
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
            throw new IllegalArgumentException("a wait cannot keep " + mostKept + " completions");
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
     * @param mostKept how many completions of others it keeps, 0 or more; {@link CompletionQueue#capacity()} is enough
     *     where each completion is asked for before its request is posted again
     * @throws IllegalArgumentException if {@code mostKept} is negative
     */
    public static RequestWait of(CompletionQueue queue, int mostKept) {
        Objects.requireNonNull(queue, "queue");
        return new RequestWait(queue, queue::poll, mostKept);
    }

    /**
     * Returns a wait that polls and then sleeps as {@code wait} does, which is of {@code queue}; otherwise as
     * {@link #of(CompletionQueue, int)}.
     */
    public static RequestWait of(CompletionQueue queue, CompletionWait wait, int mostKept) {
        Objects.requireNonNull(queue, "queue");
        return new RequestWait(queue, wait::await, mostKept);
    }

    /**
     * Waits for the completion of request {@code wrId} and takes it, the oldest if there are several. A request that
     * was not signaled and does not fail has none.
     *
     * @return the completion, which may be that of a failure; valid until the next call of this object
     * @throws DeadlineExceededException if it did not come before the deadline; what came of others is kept
     * @throws WaitInterruptedException as {@link CompletionWait#await}, where it sleeps with one
     * @throws IllegalStateException if more completions of others came than it keeps: {@link #poll} takes them, and
     *     none is lost; or if the queue is closed or was overrun
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
     * Takes completions of any request, those that were kept first, in the order in which they came, as
     * {@link CompletionQueue#poll(WorkCompletions)} does.
     *
     * @return how many, 0 if there are none
     * @throws IllegalStateException if the queue is closed or was overrun, and nothing is kept
     */
    public int poll(WorkCompletions completions) {
        int count = 0;
        while (count < completions.capacity() && keptCount > 0) {
            completions.slot(count++).copy(take(0));
        }
        while (count < completions.capacity() && next < polled.count()) {
            completions.slot(count++).copy(polled.get(next++));
        }
        if (count == 0) {
            return queue.poll(completions);
        }
        completions.filled(count);
        return count;
    }

    /** Returns how many completions of others were taken from the queue and not asked for. */
    public int kept() {
        return keptCount + polled.count() - next;
    }

    private void fill(long wrId, Deadline deadline) {
        polled.filled(0);
        next = 0;
        try {
            source.await(polled, deadline);
        } catch (DeadlineExceededException e) {
            polled.filled(0);
            throw new DeadlineExceededException(
                    "await",
                    "no completion of request " + wrId + " before the deadline; " + keptCount + " of others"
                            + " are kept");
        }
    }

    private void keep(WorkCompletion other, long wrId) {
        if (keptCount == kept.length) {
            throw new IllegalStateException("while waiting for request " + wrId + " the completions of " + keptCount
                    + " others came, which is all that are kept: ask for those, take them with poll, or keep more");
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
