package org.panamaverbs.api.recovery;

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
 * What is known of the requests in one queue pair's send queue, for the time when its path fails. The application says
 * what it posted and what completed; what is done is forgotten, what is left after a failure is what the application
 * has to decide about.
 *
 * <pre>{@code
 * PostStatus.check(queuePair.send(7, buffer, 0, 64, SIGNALED));
 * ledger.posted(7, SIGNALED);
 *
 * int count = queue.poll(completions);
 * for (int i = 0; i < count; i++) {
 *     ledger.completed(completions.get(i)); // false for those of others
 * }
 *
 * ledger.settle(queue, completions, this::take, deadline); // after the path has failed
 * for (OutstandingSends.Request request : ledger.requests()) {
 *     System.out.println(request.wrId() + ": " + request.fate());
 * }
 * }</pre>
 *
 * <p>A success counts for the unsignaled requests before it, too. Sends are told from receives by their {@code wrId}
 * alone, since a completion that failed says no more: give the two ids that differ, or queues of their own. One thread
 * at a time uses a ledger. Posting and completing allocate nothing.
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
     * A request that is not known to be done.
     *
     * @param wrId as it was posted
     * @param fate what is known of it
     * @param status with which it completed, null if nothing was said
     */
    public record Request(long wrId, Fate fate, @Nullable WcStatus status) {}

    /**
     * Returns a ledger of {@code queuePair}, which has nothing outstanding. It holds twice as much as the send queue
     * says, since queues of some devices hold more than they say.
     */
    public static OutstandingSends of(QueuePair queuePair) {
        return new OutstandingSends(queuePair, 2 * queuePair.config().maxSendWr());
    }

    /**
     * Notes a request that was accepted.
     *
     * @param sendFlags the {@link SendFlag}s that it was posted with
     * @throws IllegalStateException if there are more than the send queue can hold already: completions were not noted
     */
    public void posted(long wrId, int sendFlags) {
        if (size == ids.length) {
            throw new IllegalStateException("the ledger of queue pair " + queuePair.number() + " is full with " + size
                    + " requests: report each completion to it before the slot is used again");
        }
        int place = place(size);
        ids[place] = wrId;
        signaled[place] =
                (sendFlags & SendFlag.SIGNALED) != 0 || queuePair.config().signalAll();
        statuses[place] = null;
        size++;
    }

    /**
     * Notes a completion: of several requests with its {@code wrId} the oldest of which nothing was said is its. A
     * success is that of a signaled request.
     *
     * @return false if it is none of this queue pair's requests; nothing was noted
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
     * Returns whether something was said of each signaled request and of the last one: of the others before it nothing
     * will be, as completions come in the order of posting.
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

    /** Returns the requests that are not known to be done, in the order of their posting. */
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
     * Ends what is outstanding: takes the queue pair to ERROR, where it is not, and polls until it {@link #isSettled}.
     * Then nothing of it is executed any more from here; what the network still holds may be.
     *
     * @param queue where its sends complete
     * @param completions a holder for what is polled
     * @param others gets each completion that is none of this ledger's, after the ledger has noted all of its poll; if
     *     it throws, this ends with that, and the rest of the poll is in {@code completions}
     * @param deadline how long is polled; some devices never complete all, none an unsignaled last request that was
     *     done; what is left is {@link Fate#UNKNOWN}
     * @return true if the ledger is settled, false if the deadline passed before
     * @throws WaitInterruptedException if the thread is interrupted before; the flag stays set, and the same call can
     *     be made again
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
                throw new WaitInterruptedException("settle", "interrupted while polling for what was flushed");
            }
            CompletionWait.pause(); // the device's threads may need this processor
        }
        Thread.onSpinWait();
        return !deadline.passed();
    }

    /** Forgets all requests, for a queue pair that goes on after RESET. */
    public void clear() {
        first = 0;
        size = 0;
    }

    private int place(int index) {
        int place = first + index;
        return place < ids.length ? place : place - ids.length;
    }
}
