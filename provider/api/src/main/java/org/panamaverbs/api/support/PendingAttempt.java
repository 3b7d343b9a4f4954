package org.panamaverbs.api.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.PendingConnection;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.memory.ManagedResource;

/**
 * An attempt to connect or accept of any provider, which ends on the provider's threads. A provider begins it, calls
 * {@link #ended} once, and says in {@link #finish} what came of it.
 */
public abstract class PendingAttempt extends ManagedResource implements PendingConnection, EventMember {
    // How long the provider may take to undo an attempt.
    private static final long CANCEL_SECONDS = 10;

    private final ManagedResource device;
    private final QueuePair queuePair;
    private final Readiness readiness = new Readiness();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> timer = new CompletableFuture<>();
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Creates an attempt to connect {@code queuePair} that is a child of {@code device}. */
    protected PendingAttempt(String operation, QueuePair queuePair, ManagedResource device) {
        super("attempt to " + operation + " queue pair " + queuePair.number(), device);
        this.device = device;
        this.queuePair = queuePair;
    }

    /**
     * Has the attempt end soon, which {@link #ended} says: its deadline has passed, or nobody wants it any more. Any
     * thread; must not wait.
     *
     * @param late whether it is the deadline
     */
    protected abstract void end(boolean late);

    /**
     * Returns the connection, or throws why there is none after all was undone. Called once, by the thread that takes
     * the result, after {@link #ended}.
     */
    protected abstract Connection finish();

    /** Has the attempt end at {@code deadline}. */
    @SuppressWarnings("FutureReturnValueIgnored") // it only says when
    protected final void endAt(Deadline deadline) {
        if (!deadline.unlimited()) {
            timer.orTimeout(deadline.remainingNanos(), TimeUnit.NANOSECONDS).whenComplete((nothing, late) -> {
                if (late != null) {
                    end(true);
                }
            });
        }
    }

    /** Says that the attempt has ended. Any thread; more than once does nothing. */
    protected final void ended() {
        if (ended.complete(null)) {
            timer.complete(null);
            readiness.changed();
        }
    }

    @Override
    public final QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public final boolean isDone() {
        return ended.isDone();
    }

    @Override
    public final Connection take() {
        if (!isDone()) {
            requireOpen();
            throw new IllegalStateException(resourceName() + " has not ended yet: await it");
        }
        if (!taken.compareAndSet(false, true)) {
            requireOpen();
            throw new IllegalStateException("the result of " + resourceName() + " was taken before");
        }
        try {
            return finish();
        } finally {
            closeTaken();
        }
    }

    private void closeTaken() {
        try {
            closeOrLeave();
        } catch (StackOverflowError | OutOfMemoryError e) {
            // Who took it has a connection now and must not lose it for this; the device closes it.
        }
    }

    @Override
    public final Connection await(Deadline deadline) {
        requireOpen();
        try {
            if (deadline.unlimited()) {
                ended.get();
            } else {
                ended.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            throw Waits.interrupted("await", resourceName());
        } catch (TimeoutException e) {
            throw new DeadlineExceededException("await", resourceName() + " has not ended in time; it goes on");
        } catch (ExecutionException e) {
            throw new AssertionError("it only ends", e);
        }
        return take();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the other future has what comes of it
    public final CompletableFuture<Connection> toFuture(Executor executor) {
        CompletableFuture<Connection> future = new CompletableFuture<>();
        ended.thenRunAsync(() -> complete(future), executor);
        future.whenComplete((connection, failure) -> {
            if (future.isCancelled()) {
                close();
            }
        });
        return future;
    }

    private void complete(CompletableFuture<Connection> future) {
        if (future.isDone()) {
            close();
            return;
        }
        try {
            Connection made = take();
            if (!future.complete(made)) {
                made.close();
            }
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(e instanceof CompletionException ? e.getCause() : e);
        }
    }

    @Override
    public final Readiness readiness() {
        return readiness;
    }

    @Override
    public final ManagedResource device() {
        return device;
    }

    @Override
    public final Taken take(Event event) {
        if (!isDone() || !taken.compareAndSet(false, true)) {
            return Taken.NOTHING;
        }
        try {
            event.established(finish());
        } catch (RuntimeException e) {
            event.failed(e);
        } finally {
            closeTaken();
        }
        return Taken.LAST;
    }

    @Override
    protected final void destroy() {
        if (!taken.compareAndSet(false, true)) {
            return;
        }
        if (!isDone()) {
            end(false);
            try {
                Waits.uninterruptibly(ended, Deadline.in(CANCEL_SECONDS, TimeUnit.SECONDS));
            } catch (TimeoutException e) {
                taken.set(false);
                throw new IllegalStateException(
                        resourceName() + " could not be undone: the provider does not answer", e);
            } catch (ExecutionException e) {
                throw new AssertionError("it only ends", e);
            }
        }
        try {
            finish().close();
        } catch (VerbsException e) {
            // That there is no connection is what was wanted.
        }
    }

    @Override
    protected final void release() {
        timer.complete(null);
        readiness.closed();
    }
}
