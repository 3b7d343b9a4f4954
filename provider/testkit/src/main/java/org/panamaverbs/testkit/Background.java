package org.panamaverbs.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.panamaverbs.api.Deadline;

/**
 * Something that runs on a thread of its own until it is done.
 *
 * @param <T> what it returns
 */
public final class Background<T> {
    private final FutureTask<T> task;

    private Background(String name, Callable<T> work) {
        task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().name(name).start(task);
    }

    /** Starts {@code work} on a thread named {@code name}. */
    public static <T> Background<T> start(String name, Callable<T> work) {
        return new Background<>(name, work);
    }

    /** Tells whether it is done. */
    public boolean isDone() {
        return task.isDone();
    }

    /** Waits until it is done and returns its result; throws what it threw if that is unchecked. */
    public T await(Deadline deadline) {
        try {
            return task.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a helper thread was not done in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a helper thread", e);
        }
    }
}
