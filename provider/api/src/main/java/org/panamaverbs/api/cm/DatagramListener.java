package org.panamaverbs.api.cm;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.WaitInterruptedException;

/**
 * Receives the requests of peers that ask where to send datagrams, {@code rdma_listen(3)} in {@code RDMA_PS_UDP}. Any
 * thread may call any method.
 */
public interface DatagramListener extends AutoCloseable {
    /** Returns the local address; if port 0 was requested, with the port that the system chose. */
    InetSocketAddress localAddress();

    /**
     * Waits until there is a request and takes it.
     *
     * @param deadline until when to wait
     * @return the request, empty if the deadline passed
     * @throws WaitInterruptedException if the thread is interrupted before or during the wait and there is no request;
     *     the interrupt flag stays set, and no request is lost
     * @throws ConnectionException with reason {@link ConnectionException.Reason#CLOSED} if the device was removed, also
     *     during the wait; the listener receives no more requests
     * @throws IllegalStateException if the listener is closed, also during the wait
     */
    Optional<DatagramRequest> poll(Deadline deadline);

    /**
     * Waits until there is a request and takes it; otherwise as {@link #poll}.
     *
     * @return the request
     * @throws DeadlineExceededException if none came before the deadline
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

    /** Stops listening; queued requests are dropped. */
    @Override
    void close();
}
