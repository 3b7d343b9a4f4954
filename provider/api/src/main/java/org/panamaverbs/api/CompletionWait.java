package org.panamaverbs.api;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for the completions of one queue in the two ways that there are, one after the other: it polls for a set time,
 * since a completion that comes soon is then found without a wake-up, and then sleeps until the queue raises an event,
 * so that a queue where nothing happens costs no processor. With a time of zero it sleeps at once, with a very long one
 * it only polls.
 *
 * <p>The channel is the wait's own: it takes the events of this queue, and no other queue may raise events there.
 * Neither the queue nor the channel becomes the wait's; who made them closes them. A wait that found its completions by
 * polling may leave an event behind; the next sleep takes it, polls once and sleeps again. One thread at a time uses a
 * wait. Where {@link CompletionQueue#poll} drives the provider's progress, so does this, spinning or asleep. Spinning
 * allocates nothing, except on a virtual thread. The guide's page {@code learn/threads} says which waits leave a
 * virtual thread's carrier free.
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
     * @param channel where it raises its events, and no other queue does
     * @param spin how long each wait polls before it sleeps, from zero; what is longer than 292 years never sleeps
     * @throws IllegalArgumentException if {@code spin} is negative
     */
    public static CompletionWait of(CompletionQueue queue, CompletionChannel channel, Duration spin) {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(channel, "channel");
        if (spin.isNegative()) {
            throw new IllegalArgumentException("cannot spin for " + spin + ": zero sleeps at once");
        }
        return new CompletionWait(queue, channel, TimeUnit.NANOSECONDS.convert(spin));
    }

    /**
     * Takes up to {@link WorkCompletions#capacity()} completions, and waits until there is at least one.
     *
     * @param completions is filled with as many as the answer says; the rest of it is undefined
     * @return how many completions were taken, at least 1
     * @throws DeadlineExceededException if there was none before the deadline; nothing was taken
     * @throws WaitInterruptedException if the thread is interrupted while it waits, or when it begins to and nothing
     *     has completed; the interrupt flag stays set, and nothing was taken
     * @throws IllegalStateException if the queue is closed when it is looked at, was overrun or has no channel; if the
     *     channel is closed, also while waiting; or if another queue raised an event at this channel, which that
     *     queue's waiter will not see. Closing the queue does not wake up who sleeps, closing the channel does
     */
    public int await(WorkCompletions completions, Deadline deadline) {
        int count = spinNanos == 0 ? queue.poll(completions) : spin("await", queue, completions, spinNanos, deadline);
        return count == 0 ? sleep(completions, deadline) : count;
    }

    /**
     * Lets other threads run; for a loop that polls, every 64 polls for example. A platform thread yields its
     * processor. A virtual thread naps for some microseconds: virtual threads that only yield to each other keep all
     * carriers, and one that is started or woken elsewhere never runs.
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
     * Polls {@code queue} until it has something.
     *
     * @param operation the method of the API that waits
     * @return how many completions were taken, 0 if {@code spinNanos} or the deadline passed before
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
                        "an event of another queue came while waiting for completions; remedy: give each wait a"
                                + " completion channel of its own");
            }
            count = queue.poll(completions);
            if (count != 0) {
                return count;
            }
        }
    }
}
