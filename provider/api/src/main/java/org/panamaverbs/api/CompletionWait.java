package org.panamaverbs.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for the completions of one queue: polls for a configured time, which finds early completions without a wake-up,
 * then sleeps until the queue raises an event, which costs no processor time. A time of zero sleeps at once, a very
 * long one only polls.
 *
 * <p>No other queue may raise events at the channel. Whoever created queue and channel closes them. Polling may leave
 * an event behind; the next sleep takes it, polls once and sleeps again. If {@link CompletionQueue#poll} drives the
 * provider's progress, so does this, spinning or asleep. Spinning allocates nothing, except on a virtual thread. One
 * thread at a time uses a wait. The guide's page {@code learn/threads} lists the waits that release a virtual thread's
 * carrier.
 */
public final class CompletionWait {
    // A look at the clock and at the interrupt flag costs as much as some polls.
    private static final int POLLS_PER_LOOK = 1 << 4;
    private static final int POLLS_PER_PAUSE = 1 << 6;
    private static final long VIRTUAL_NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    private final CompletionQueue queue;
    private final CompletionChannel channel;
    private final long spinNanos;

    private CompletionWait(CompletionQueue queue, CompletionChannel channel, long spinNanos) {
        this.queue = queue;
        this.channel = channel;
        this.spinNanos = spinNanos;
    }

    /**
     * Returns a wait for the completions of {@code queue}.
     *
     * @param queue a queue that was created with {@code channel}
     * @param channel a channel that no other queue uses
     * @param spin how long each wait polls before it sleeps, from zero; beyond 292 years it never sleeps
     * @throws IllegalArgumentException if {@code spin} is negative
     */
    public static CompletionWait of(CompletionQueue queue, CompletionChannel channel, Duration spin) {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(channel, "channel");
        if (spin.isNegative()) {
            throw new IllegalArgumentException("the time to spin must be at least 0, got " + spin);
        }
        return new CompletionWait(queue, channel, TimeUnit.NANOSECONDS.convert(spin));
    }

    /**
     * Waits until there is a completion, and takes up to {@link WorkCompletions#capacity()}.
     *
     * @param completions receives the completions; entries beyond the result are undefined
     * @param deadline until when to wait
     * @return the number of completions taken, at least 1
     * @throws DeadlineExceededException if there was none before the deadline; nothing was taken
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait and there is no
     *     completion; the interrupt flag stays set, and nothing was taken
     * @throws IllegalStateException if the queue is closed when polled, was overrun or has no channel; if the channel
     *     is closed, also during the wait; or if another queue raised an event at the channel, which that queue's
     *     waiter misses. Closing the channel wakes a sleeping thread, closing the queue does not
     */
    public int await(WorkCompletions completions, Deadline deadline) {
        int count = spinNanos == 0 ? queue.poll(completions) : spin("await", queue, completions, spinNanos, deadline);
        return count == 0 ? sleep(completions, deadline) : count;
    }

    /**
     * Yields to other threads; call it in a polling loop, for example every 64 polls. A platform thread yields its
     * processor. A virtual thread sleeps for some microseconds: virtual threads that only yield to each other occupy
     * all carriers, and starve those that other threads start or wake.
     */
    @SuppressWarnings("ThreadPriorityCheck") // without it, a machine with few processors starves the peer's threads
    public static void pause() {
        if (Thread.currentThread().isVirtual()) {
            LockSupport.parkNanos(VIRTUAL_NAP_NANOS);
        } else {
            Thread.yield();
        }
    }

    /**
     * Polls {@code queue} until it has completions.
     *
     * @param operation the method of the API that waits
     * @return the number of completions taken, 0 if {@code spinNanos} or the deadline passed
     * @throws WaitInterruptedException if the thread is interrupted before; nothing was taken
     */
    static int spin(
            String operation, CompletionQueue queue, WorkCompletions completions, long spinNanos, Deadline deadline) {
        long start = System.nanoTime();
        for (int polls = 1; ; polls++) {
            int count = queue.poll(completions);
            if (count != 0) {
                return count;
            }
            if (polls % POLLS_PER_LOOK == 0) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new WaitInterruptedException(operation, "interrupted while polling for completions");
                }
                if (System.nanoTime() - start >= spinNanos || deadline.passed()) {
                    return 0;
                }
            }
            if (polls % POLLS_PER_PAUSE == 0) {
                pause();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private int sleep(WorkCompletions completions, Deadline deadline) {
        while (true) {
            queue.arm(false);
            // A completion that came before raises no event.
            int count = queue.poll(completions);
            if (count != 0) {
                return count;
            }
            Optional<CompletionQueue> event = channel.await(deadline);
            if (event.isEmpty()) {
                throw new DeadlineExceededException("await", "no completion before the deadline");
            }
            if (!queue.equals(event.get())) {
                throw new IllegalStateException(
                        "an event of another queue arrived while waiting for completions; remedy: give each wait a"
                                + " completion channel of its own");
            }
            count = queue.poll(completions);
            if (count != 0) {
                return count;
            }
        }
    }
}
