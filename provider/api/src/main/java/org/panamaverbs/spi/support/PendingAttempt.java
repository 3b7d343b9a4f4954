package org.panamaverbs.spi.support;

import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.PendingConnection;
import org.panamaverbs.memory.ManagedResource;

/**
 * An attempt to connect or accept that ends on the provider's threads. A provider starts it, calls {@link #ended} once,
 * and returns the result from {@link #finish}.
 */
public abstract class PendingAttempt extends ManagedResource implements PendingConnection, EventMember {
    private static final EventWriter WRITER = EventWriter.get();
    // How long the provider may take to undo an attempt.
    private static final long CANCEL_SECONDS = 10;

    private final ManagedResource device;
    private final QueuePair queuePair;
    private final Readiness readiness;
    private final CompletableFuture<Void> ended;
    private final CompletableFuture<Void> timer;
    private final AtomicBoolean taken;
    private final long begunNanos = System.nanoTime();
    // The connection that came though nobody wants it, until it is closed; of who closes.
    private volatile @Nullable Connection unwanted;

    /** Creates an attempt to connect {@code queuePair}, as a child of {@code device}. */
    @SuppressWarnings("this-escape") // to its parents alone, which forget it
    protected PendingAttempt(String operation, QueuePair queuePair, ManagedResource device) {
        super("attempt to " + operation + " queue pair " + queuePair.number(), device);
        this.device = device;
        this.queuePair = queuePair;
        try {
            readiness = new Readiness();
            ended = new CompletableFuture<>();
            timer = new CompletableFuture<>();
            taken = new AtomicBoolean();
        } catch (Error e) {
            abandon();
            throw e;
        }
    }

    /**
     * Ends the attempt soon, after which the provider calls {@link #ended}: its deadline passed, or it was abandoned.
     * Any thread; must not block.
     *
     * @param late whether the deadline passed
     */
    protected abstract void end(boolean late);

    /**
     * Returns the connection, or throws the reason for the failure after everything was undone. Called once, after
     * {@link #ended}, by the thread that takes the result.
     */
    protected abstract Connection finish();

    /** Schedules the end of the attempt at {@code deadline}. */
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

    /** Marks the attempt as ended. Any thread; repeated calls do nothing. */
    protected final void ended() {
        if (ended.complete(null)) {
            timer.complete(null);
            readiness.changed();
        }
    }

    /**
     * Waits until the attempt has ended.
     *
     * @throws TimeoutException if the deadline passed
     * @throws InterruptedException if the thread is interrupted before or during the wait; its interrupt flag is
     *     cleared
     */
    protected final void awaitEnded(Deadline deadline) throws InterruptedException, TimeoutException {
        try {
            Waits.interruptibly(ended, deadline);
        } catch (ExecutionException e) {
            throw new AssertionError("it only ends", e);
        }
    }

    /**
     * Ends the attempt and waits for that, not interruptibly.
     *
     * @param late whether its deadline passed
     * @throws IllegalStateException if the provider does not end it
     */
    protected final void undo(boolean late) {
        end(late);
        try {
            Waits.uninterruptibly(ended, Deadline.in(CANCEL_SECONDS, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            throw new IllegalStateException(resourceName() + " could not be undone: the provider does not answer", e);
        } catch (ExecutionException e) {
            throw new AssertionError("it only ends", e);
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

    /** {@inheritDoc} A provider that sees the peer's signs overrides this, which counts from the beginning. */
    @Override
    public long silentNanos() {
        return Math.max(1, System.nanoTime() - begunNanos);
    }

    /** {@inheritDoc} A provider whose listeners announce themselves overrides this, which returns false. */
    @Override
    public boolean isAnnounced() {
        return false;
    }

    @Override
    public final Connection take() {
        if (!isDone()) {
            requireOpen();
            throw new IllegalStateException(resourceName() + " has not ended yet; remedy: await it");
        }
        if (!taken.compareAndSet(false, true)) {
            requireOpen();
            throw new IllegalStateException("the result of " + resourceName() + " was already taken");
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
        } catch (OutOfMemoryError e) {
            // Who took it has a connection now and must not lose it for this; the device closes it.
        }
    }

    @Override
    public final Connection await(Deadline deadline) {
        requireOpen();
        try {
            awaitEnded(deadline);
        } catch (InterruptedException e) {
            throw Waits.interrupted("await", resourceName());
        } catch (TimeoutException e) {
            throw new DeadlineExceededException(
                    "await", resourceName() + " did not end before the deadline; it is still in progress");
        }
        return take();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the other future has what comes of it
    public final CompletableFuture<Connection> toFuture(Executor executor) {
        CompletableFuture<Connection> future = new CompletableFuture<>();
        ended.thenRunAsync(() -> complete(future), executor).whenComplete((nothing, refused) -> {
            if (refused != null) {
                refused(future, refused);
            }
        });
        future.whenComplete((connection, failure) -> {
            if (future.isCancelled()) {
                close();
            }
        });
        return future;
    }

    /** Gives up what the executor did not take; not on this thread, which may be one that must not wait. */
    @SuppressWarnings("FutureReturnValueIgnored") // what cannot be closed is still the application's to close
    private void refused(CompletableFuture<Connection> future, Throwable why) {
        Throwable cause = why instanceof CompletionException ? why.getCause() : why;
        future.completeExceptionally(cause == null ? why : cause);
        CompletableFuture.runAsync(this::close);
    }

    private void complete(CompletableFuture<Connection> future) {
        if (future.isDone()) {
            close();
            return;
        }
        try {
            Connection made = take();
            if (!future.complete(made)) {
                closeUnwanted(made);
            }
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(e instanceof CompletionException ? e.getCause() : e);
        }
    }

    private static void closeUnwanted(Connection made) {
        try {
            made.close();
        } catch (RuntimeException | Error e) {
            // The future is completed already, so that nobody would hear of it.
            DeferredLog.log(PendingAttempt.class, Level.WARNING, made + " came too late and could not be closed", e);
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

    /** Returns whether it has ended, as the signal of that may have been lost. */
    @Override
    public final boolean mayHaveMissed() {
        return isDone();
    }

    @Override
    public final Taken take(Event event) {
        if (!isDone() || !taken.compareAndSet(false, true)) {
            return Taken.NOTHING;
        }
        try {
            WRITER.established(event, finish());
        } catch (RuntimeException e) {
            WRITER.failed(event, e);
        } catch (Error e) {
            // Thrown on it would be the queue's, and nobody would hear that this attempt has ended.
            WRITER.failed(event, new ConnectionException("await", Reason.CLOSED, "internal error: " + e, e));
        } finally {
            closeTaken();
        }
        return Taken.LAST;
    }

    @Override
    protected final void destroy() {
        if (unwanted == null) {
            if (!taken.compareAndSet(false, true)) {
                return;
            }
            requireEnd();
            try {
                unwanted = finish();
            } catch (RuntimeException e) {
                return; // that there is no connection is what was wanted
            }
        }
        Connection left = unwanted;
        if (left != null) {
            left.close(); // should that fail, the next close tries again
            unwanted = null;
        }
    }

    private void requireEnd() {
        boolean done = false;
        try {
            if (!isDone()) {
                undo(false);
            }
            done = true;
        } finally {
            taken.set(done); // else the next close tries again
        }
    }

    @Override
    protected final void release() {
        timer.complete(null);
        readiness.closed();
    }

    /** Returns the exception for an {@code operation} whose deadline passed before the peer's name was resolved. */
    protected static DeadlineExceededException unresolved(String operation) {
        return new DeadlineExceededException(
                operation,
                "the peer's name was not resolved before the deadline; the attempt was undone; remedy:"
                        + " check the name servers in /etc/resolv.conf, or connect to an address");
    }
}
