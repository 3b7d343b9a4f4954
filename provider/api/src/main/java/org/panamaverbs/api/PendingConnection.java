package org.panamaverbs.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * An attempt to connect or accept that was begun and that no thread waits for. It ends by itself: with a connection,
 * with a failure, or at the deadline that it was begun with. Whoever comes first takes its result, once: an
 * {@link EventQueue} that it was added to, which hands out {@link Event.Type#ESTABLISHED} or {@link Event.Type#FAILED};
 * {@link #take}; {@link #await}; or the future of {@link #toFuture}. Then it is closed.
 *
 * <p>Until its result is taken it has what it took: the queue pair, and its place in the provider. All methods may be
 * called by any thread.
 */
public interface PendingConnection extends AutoCloseable {
    /**
     * Returns the queue pair that is being connected, also one that the connection is to own. Its first completions may
     * be found before the result is taken: a peer may send at once, and who serves it knows it by this.
     */
    QueuePair queuePair();

    /** Returns whether it has ended, so that {@link #take} does not wait. */
    boolean isDone();

    /**
     * Takes the result of an attempt that has ended.
     *
     * @return the connection, which is the caller's to close
     * @throws ConnectionException if the attempt failed, as {@link Verbs#connect} or {@link ConnectionRequest#accept}
     *     say; it was undone
     * @throws DeadlineExceededException if its deadline passed before; it was undone
     * @throws IllegalStateException if it has not ended, or its result was taken, or it was closed
     */
    Connection take();

    /**
     * Waits until the attempt has ended, and takes its result as {@link #take} does.
     *
     * @param deadline of this wait alone
     * @throws DeadlineExceededException if this deadline passed, and then the attempt goes on and can be awaited again;
     *     or if the attempt's own did
     * @throws WaitInterruptedException if the thread is interrupted before or while it waits; its flag stays set and
     *     the attempt goes on
     */
    Connection await(Deadline deadline);

    /**
     * Returns a future of the result, which is taken for it. Its dependents run on {@code executor}, which must not run
     * tasks in the calling thread: that may be one of the provider's, which must not wait. If it refuses the task the
     * future fails with that and the attempt is closed. To cancel it is to close the attempt. A connection that comes
     * when the future is completed already is closed.
     */
    CompletableFuture<Connection> toFuture(Executor executor);

    /** Returns a future as {@link #toFuture(Executor)} does, with the executor of {@link CompletableFuture}. */
    default CompletableFuture<Connection> toFuture() {
        return toFuture(new CompletableFuture<Void>().defaultExecutor());
    }

    /**
     * Gives the attempt up and undoes it, if its result was not taken: the queue pair has failed, and is closed if the
     * connection was to own it; a connection that came meanwhile is closed. Does not wait for the peer.
     */
    @Override
    void close();
}
