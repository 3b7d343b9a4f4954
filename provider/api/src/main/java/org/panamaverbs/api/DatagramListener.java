package org.panamaverbs.api;

import java.net.InetSocketAddress;
import java.util.Optional;

/** Waits for peers that ask where datagrams go, {@code rdma_listen(3)} in {@code RDMA_PS_UDP}. */
public interface DatagramListener extends AutoCloseable {
    /** Returns the address it listens at, with the port that was chosen if 0 was asked for. */
    InetSocketAddress localAddress();

    /**
     * Waits for a request.
     *
     * @return the request, empty if the deadline passed
     * @throws WaitInterruptedException if the thread is interrupted and nobody has asked, before or while it waits; the
     *     interrupt flag stays set, and no request is lost
     * @throws ConnectionException if the device was removed, also while waiting: reason
     *     {@link ConnectionException.Reason#CLOSED}; it receives no more requests
     * @throws IllegalStateException if the listener is closed, also while waiting
     */
    Optional<DatagramRequest> poll(Deadline deadline);

    /**
     * Waits for a request.
     *
     * @throws DeadlineExceededException if none came before the deadline
     * @throws WaitInterruptedException as {@link #poll} does
     * @throws ConnectionException if the device was removed, also while waiting: reason
     *     {@link ConnectionException.Reason#CLOSED}
     * @throws IllegalStateException if the listener is closed, also while waiting
     */
    default DatagramRequest accept(Deadline deadline) {
        Optional<DatagramRequest> request = poll(deadline);
        // Nothing is made in between that there may be no memory for: the request would be lost.
        if (request.isEmpty()) {
            throw new DeadlineExceededException(
                    "accept", "no datagram request at " + localAddress() + " before the deadline");
        }
        return request.get();
    }

    /** Stops listening; requests that wait are dropped. */
    @Override
    void close();
}
