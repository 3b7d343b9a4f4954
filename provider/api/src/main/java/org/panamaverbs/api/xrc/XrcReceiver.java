package org.panamaverbs.api.xrc;

import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;

/**
 * The receiving end of a connection, a queue pair of type {@link org.panamaverbs.api.QueuePairType#XRC_RECV}: nothing
 * is posted to it and nothing completes by it, as what comes goes to the queue that the message names. It is connected
 * by hand, to a queue pair of type {@code XRC_SEND} of the peer. Any thread.
 */
public interface XrcReceiver extends AutoCloseable {
    /**
     * Returns the number of the receiver, which the peer connects to, and which completions of what came by it have.
     */
    int number();

    /**
     * Returns its state now.
     *
     * @throws IllegalStateException if it is closed
     */
    QueuePairState state();

    /**
     * Changes attributes ({@code ibv_modify_qp(3)}). From INIT to RTR it needs what a queue pair of type RC does; RTR
     * is enough to receive, and to be read.
     *
     * @throws IllegalArgumentException if a number is beyond the range of its field
     * @throws IllegalStateException if it is closed
     * @throws org.panamaverbs.api.ResourceException if the transition is refused, naming what it lacks
     */
    void modify(QueuePairAttributes attributes);

    /**
     * Returns its attributes now ({@code ibv_query_qp(3)}).
     *
     * @throws IllegalStateException if it is closed
     */
    QueuePairAttributes query();

    /** Closes the receiver ({@code ibv_destroy_qp(3)}); the connection ends when all that opened it have. */
    @Override
    void close();
}
