package org.panamaverbs.api.cm;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WaitInterruptedException;

/**
 * An attempt to connect or accept that no thread waits for. It ends by itself: with a connection, with a failure, or at
 * its deadline. Its result is taken once, by the first of: an {@link EventQueue} that delivers
 * {@link Event.Type#ESTABLISHED} or {@link Event.Type#FAILED}, {@link #take}, {@link #await}, or the future of
 * {@link #toFuture}. Then the attempt is closed.
 *
 * <p>Until its result is taken, the attempt holds the queue pair and its resources in the provider. Any thread may call
 * any method.
 */
public interface PendingConnection extends AutoCloseable {
    /**
     * Returns the queue pair that is being connected, even if the connection will own it. Use it to identify
     * completions that arrive before the result is taken: the peer may send at once.
     */
    QueuePair queuePair();

    /** Returns whether the attempt has ended and its result can be taken. */
    boolean isDone();

    /**
     * Returns how long the peer has left the request without a sign that it speaks the provider's protocol. A server of
     * another protocol may wait for more bytes than a request has, and never answer; a slow peer is told from it by
     * this.
     *
     * @return nanoseconds since the request was sent, or since the attempt began if the provider cannot tell; 0 if the
     *     peer itself has given a sign, even if its application has not accepted yet; negative if the request was not
     *     sent yet
     */
    long silentNanos();

    /**
     * Returns whether somebody on this host says that a listener of the provider's protocol is at the address. Any
     * program can say so: it is a hint for people, not a sign of the peer, which {@link #silentNanos} tells of.
     */
    boolean isAnnounced();

    /**
     * Takes the result of an attempt that has ended.
     *
     * @return the connection, which is the caller's to close
     * @throws ConnectionException if the attempt failed, as for {@link org.panamaverbs.api.Verbs#connect} or
     *     {@link ConnectionRequest#accept}; it was undone
     * @throws DeadlineExceededException if its deadline passed; it was undone
     * @throws IllegalStateException if it has not ended, its result was taken, or it was closed
     */
    Connection take();

    /**
     * Waits until the attempt has ended, and takes its result as {@link #take} does.
     *
     * @param deadline of this wait only
     * @throws DeadlineExceededException if this deadline passed, and the attempt continues; or if the attempt's own did
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait; the interrupt flag stays
     *     set, and the attempt continues
     */
    Connection await(Deadline deadline);

    /**
     * Returns a future that takes the result. Cancelling it closes the attempt. If it is already completed when the
     * connection is established, the connection is closed.
     *
     * @param executor runs the dependents. It must not run tasks in the calling thread, which may be one of the
     *     provider's and must not block. If it refuses the task, the future fails with its exception and the attempt is
     *     closed
     */
    CompletableFuture<Connection> toFuture(Executor executor);

    /** Returns a future that takes the result, with the default executor of {@link CompletableFuture}. */
    default CompletableFuture<Connection> toFuture() {
        return toFuture(new CompletableFuture<Void>().defaultExecutor());
    }

    /**
     * Aborts the attempt without waiting for the peer, unless its result was taken. The queue pair enters the error
     * state, and is closed if the connection would own it; a connection established meanwhile is closed.
     */
    @Override
    void close();
}
