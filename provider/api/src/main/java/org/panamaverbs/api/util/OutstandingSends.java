package org.panamaverbs.api.util;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;

/**
 * A ledger of the requests in a queue pair's send queue, for recovery after its path fails. The application reports
 * posts and completions; successful requests are dropped, and after a failure the ledger lists those that need a
 * decision.
 *
 * <pre>{@code
 * PostStatus.check(queuePair.send(7, buffer, 0, 64, SIGNALED));
 * ledger.posted(7, SIGNALED);
 *
 * int count = queue.poll(completions);
 * for (int i = 0; i < count; i++) {
 *     ledger.completed(completions.get(i)); // false for other requests
 * }
 *
 * // after the path has failed:
 * if (!ledger.settle(queue, completions, this::take, deadline)) {
 *     System.out.println("not settled before the deadline");
 * }
 * for (OutstandingSends.Request request : ledger.requests()) {
 *     System.out.println(request.wrId() + ": " + request.fate());
 * }
 * }</pre>
 *
 * <p>A success also covers the unsignaled requests before it. Sends and receives are distinguished by their
 * {@code wrId} only, since a failed completion says no more: use different ids, or separate completion queues. One
 * thread at a time uses a ledger. Posting and completing allocate nothing.
 */
public final class OutstandingSends {
    private static final int POLLS_PER_LOOK = 1 << 6;

    private final QueuePair queuePair;
    private final long[] ids;
    private final boolean[] signaled;
    // Null where nothing was said.
    private final @Nullable WcStatus[] statuses;
    private int first;
    private int size;

    private OutstandingSends(QueuePair queuePair, int places) {
        this.queuePair = queuePair;
        ids = new long[places];
        signaled = new boolean[places];
        statuses = new @Nullable WcStatus[places];
    }

    /**
     * A request that may not have been executed.
     *
     * @param wrId the id that it was posted with
     * @param fate what is known of it
     * @param status the status of its completion, null if there was none
     */
    public record Request(long wrId, Fate fate, @Nullable WcStatus status) {}

    /**
     * Creates a ledger of {@code queuePair}, which must have no outstanding sends. It holds twice the send queue's
     * nominal size, since some devices accept more.
     */
    public static OutstandingSends of(QueuePair queuePair) {
        return new OutstandingSends(queuePair, 2 * queuePair.config().maxSendWr());
    }

    /**
     * Records an accepted request.
     *
     * @param wrId the id that it was posted with
     * @param sendFlags the {@link SendFlag}s that it was posted with
     * @throws IllegalStateException if the ledger is full: completions were not reported
     */
    public void posted(long wrId, int sendFlags) {
        if (size == ids.length) {
            throw new IllegalStateException("OutstandingSends of queue pair " + queuePair.number() + " is full: "
                    + size + " requests are outstanding; remedy: pass each polled completion to completed() before the"
                    + " next post");
        }
        int place = place(size);
        ids[place] = wrId;
        signaled[place] =
                (sendFlags & SendFlag.SIGNALED) != 0 || queuePair.config().signalAll();
        statuses[place] = null;
        size++;
    }

    /**
     * Records a completion, for the oldest request with its {@code wrId} that has none; a success counts for signaled
     * requests only.
     *
     * @return false if it matches no request of this queue pair; nothing was recorded
     */
    public boolean completed(WorkCompletion completion) {
        if (completion.qpNumber() != queuePair.number()) {
            return false;
        }
        long wrId = completion.wrId();
        for (int i = 0; i < size; i++) {
            int place = place(i);
            boolean completes = signaled[place] || completion.status() != WcStatus.SUCCESS;
            if (ids[place] == wrId && statuses[place] == null && completes) {
                said(i, completion.status());
                return true;
            }
        }
        return false;
    }

    private void said(int index, WcStatus status) {
        statuses[place(index)] = status;
        if (status == WcStatus.SUCCESS) {
            for (int i = 0; i < index; i++) {
                int place = place(i);
                if (!signaled[place] && statuses[place] == null) {
                    statuses[place] = status;
                }
            }
        }
        while (size > 0 && statuses[first] == WcStatus.SUCCESS) {
            first = place(1);
            size--;
        }
    }

    /**
     * Returns whether every signaled request and the last one have completed. Earlier unsignaled requests will not
     * complete any more, as completions come in the order of the posts.
     */
    public boolean isSettled() {
        for (int i = 0; i < size; i++) {
            int place = place(i);
            if ((signaled[place] || i == size - 1) && statuses[place] == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns the requests that may not have been executed, in the order of their posts. */
    public List<Request> requests() {
        List<Request> left = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int place = place(i);
            WcStatus status = statuses[place];
            if (status != WcStatus.SUCCESS) {
                left.add(new Request(ids[place], fate(status), status));
            }
        }
        return List.copyOf(left);
    }

    private static Fate fate(@Nullable WcStatus status) {
        if (status == null) {
            return Fate.UNKNOWN;
        }
        return status == WcStatus.WR_FLUSH_ERROR ? Fate.FLUSHED : Fate.FAILED;
    }

    /**
     * Settles the outstanding requests: moves the queue pair to ERROR and polls until {@link #isSettled}. Afterwards
     * none of them is executed any more by this side; packets in the network may still be.
     *
     * @param queue the completion queue of the sends
     * @param completions a holder for the polls
     * @param others receives each completion that is not of this ledger, after the ledger has recorded those of the
     *     same poll; if it throws, this call ends with the exception, and the rest of the poll is in
     *     {@code completions}
     * @param deadline until when to poll. Some devices never complete all requests, none completes an unsignaled last
     *     request that succeeded; those stay {@link Fate#UNKNOWN}
     * @return true if the ledger is settled, false if the deadline passed
     * @throws WaitInterruptedException if the thread is interrupted before; the interrupt flag stays set, and the call
     *     can be repeated
     * @throws IllegalStateException if the queue pair or the queue is closed
     */
    public boolean settle(
            CompletionQueue queue, WorkCompletions completions, Consumer<WorkCompletion> others, Deadline deadline) {
        if (queuePair.state() != QueuePairState.ERROR) {
            queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        }
        List<WorkCompletion> rest = new ArrayList<>();
        for (int polls = 1; ; polls++) {
            rest.clear();
            int count = queue.poll(completions);
            for (int i = 0; i < count; i++) {
                if (!completed(completions.get(i))) {
                    rest.add(completions.get(i));
                }
            }
            rest.forEach(others);
            if (isSettled()) {
                return true;
            }
            if (!mayPollOn(polls, deadline)) {
                return false;
            }
        }
    }

    private static boolean mayPollOn(int polls, Deadline deadline) {
        if (polls % POLLS_PER_LOOK == 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw new WaitInterruptedException("settle", "interrupted while polling for flushed requests");
            }
            CompletionWait.pause(); // the device's threads may need this processor
        }
        Thread.onSpinWait();
        return !deadline.passed();
    }

    /** Drops all requests, for a queue pair that continues after RESET. */
    public void clear() {
        first = 0;
        size = 0;
    }

    private int place(int index) {
        int place = first + index;
        return place < ids.length ? place : place - ids.length;
    }
}
