package org.panamaverbs.api.ext;

import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;

/**
 * The receiving end of a connection, a queue pair of type {@link org.panamaverbs.api.QueuePairType#XRC_RECV}. It has no
 * queues: messages go to the shared receive queue that they name. Connect it by {@link #modify} to a queue pair of type
 * {@code XRC_SEND} of the peer. Any thread may call any method.
 */
public interface XrcReceiver extends AutoCloseable {
    /** Returns the queue pair number that the peer connects to, and that completions of its messages report. */
    int number();

    /**
     * Returns the current state.
     *
     * @throws IllegalStateException if it is closed
     */
    QueuePairState state();

    /**
     * Changes attributes: {@code ibv_modify_qp(3)}. The transition from INIT to RTR needs those of type RC; RTR
     * suffices to receive and to serve Reads.
     *
     * @throws IllegalArgumentException if a value exceeds the range of its field
     * @throws IllegalStateException if it is closed
     * @throws org.panamaverbs.api.ResourceException if the device refuses the transition, with the attributes that are
     *     missing
     */
    void modify(QueuePairAttributes attributes);

    /**
     * Returns the current attributes: {@code ibv_query_qp(3)}.
     *
     * @throws IllegalStateException if it is closed
     */
    QueuePairAttributes query();

    /** Closes the receiver: {@code ibv_destroy_qp(3)}. The connection ends when all processes have closed it. */
    @Override
    void close();
}
