package org.panamaverbs.examples.threads;

import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * Requests of many virtual threads on one queue pair. One platform thread waits for completions and hands each to the
 * thread that it belongs to; the virtual threads wait for that in the JDK's way, and leave their carriers meanwhile.
 */
final class Requests implements AutoCloseable {
    private final QueuePair queuePair;
    private final Deadline deadline;

    /** Places of the send queue that are free, by their number, which is the id of the request in it. */
    private final BlockingQueue<Integer> free;

    private final AtomicReferenceArray<CompletableFuture<WcStatus>> waiting;
    private final Thread poller;

    Requests(CompletionQueue queue, CompletionChannel channel, QueuePair queuePair, int places, Deadline deadline) {
        this.queuePair = queuePair;
        this.deadline = deadline;
        free = new ArrayBlockingQueue<>(places);
        waiting = new AtomicReferenceArray<>(places);
        for (int place = 0; place < places; place++) {
            free.add(place);
        }
        // It polls for 50 us before it sleeps. A platform thread: while it polls it would keep a carrier busy.
        CompletionWait wait = CompletionWait.of(queue, channel, Duration.ofNanos(50_000));
        poller = Thread.ofPlatform().name("poller").daemon().start(() -> handOut(wait));
    }

    /** Adds {@code add} to a cell of the peer, and waits until the value before is in {@code result}. */
    void fetchAdd(RegisteredBuffer result, long resultOffset, RemoteBuffer remote, long remoteOffset, long add)
            throws Exception {
        // Who finds no place waits here, so that the queue is never full.
        Integer place = free.poll(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        if (place == null) {
            throw new DeadlineExceededException("fetchAdd", "no place in the send queue in time");
        }
        var done = new CompletableFuture<WcStatus>();
        waiting.set(place, done); // before the post: the completion may be here before the post returns
        PostStatus.check(queuePair.fetchAdd(place, result, resultOffset, remote, remoteOffset, add, SIGNALED));
        try {
            WcStatus status = done.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
            if (status != WcStatus.SUCCESS) {
                throw new IllegalStateException("fetchAdd: " + status.text());
            }
        } catch (TimeoutException e) {
            // The place is not given back: the device may still write to the result.
            throw new DeadlineExceededException("fetchAdd", "no completion before the deadline");
        }
    }

    private void handOut(CompletionWait wait) {
        WorkCompletions completions = WorkCompletions.ofCapacity(64);
        try {
            while (true) {
                int count = wait.await(completions, deadline);
                for (int i = 0; i < count; i++) {
                    int place = (int) completions.get(i).wrId();
                    CompletableFuture<WcStatus> done = waiting.getAndSet(place, null);
                    WcStatus status = completions.get(i).status(); // the holder is filled anew by the next poll
                    free.add(place);
                    if (done != null) {
                        done.complete(status);
                    }
                }
            }
        } catch (WaitInterruptedException | DeadlineExceededException e) {
            // close, or the end of the time that everybody has
        }
    }

    /** Ends the poller, before the queue and the channel are closed that it waits for. */
    @Override
    public void close() {
        poller.interrupt();
        try {
            poller.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the poller ends, which still uses the queue", e);
        }
    }
}
