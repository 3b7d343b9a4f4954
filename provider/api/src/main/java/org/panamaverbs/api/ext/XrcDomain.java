package org.panamaverbs.api.ext;

import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.SharedReceiveQueueConfig;

/**
 * A domain of extended reliable connections, {@code struct ibv_xrcd}, opened by {@link XrcDevice}. Messages to any
 * receiver in it reach the shared receive queues in it, of every process that opened the same domain. Any thread may
 * call any method.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_open_xrcd.3.html">ibv_open_xrcd(3)</a>
 */
public interface XrcDomain extends AutoCloseable {
    /**
     * Creates a shared receive queue in this domain: {@code ibv_create_srq_ex(3)} with {@code IBV_SRQT_XRC}.
     *
     * @param domain the protection domain of its receives, and of the memory that peers access by messages to this
     *     queue
     * @param completions the completion queue of its receives, which report the number of the {@link XrcReceiver}
     * @param config its sizes
     * @throws IllegalArgumentException if an object is of another device, or a size exceeds the capabilities
     * @throws IllegalStateException if an object or this domain is closed
     * @throws org.panamaverbs.api.ResourceException if the device refuses
     */
    XrcSharedReceiveQueue sharedReceiveQueue(
            ProtectionDomain domain, CompletionQueue completions, SharedReceiveQueueConfig config);

    /**
     * Creates the receiving end of a connection in state INIT: {@code ibv_create_qp_ex(3)} with
     * {@code IBV_QPT_XRC_RECV}. The peer may do nothing one-sided until {@link XrcReceiver#modify} sets
     * {@link org.panamaverbs.api.QueuePairAttributes.Field#ACCESS}.
     *
     * @throws IllegalStateException if this domain is closed
     * @throws org.panamaverbs.api.ResourceException if the device refuses
     */
    XrcReceiver receiver();

    /**
     * Opens a receiver that another process created in the same domain, in its current state: {@code ibv_open_qp(3)}.
     * The connection lives until all processes have closed it.
     *
     * @param number {@link XrcReceiver#number()} in the creating process
     * @throws IllegalStateException if this domain is closed
     * @throws org.panamaverbs.api.ResourceException if there is no such receiver, or the device refuses
     */
    XrcReceiver receiver(int number);

    /**
     * Closes the domain: {@code ibv_close_xrcd(3)}. It ends when all processes have closed it.
     *
     * @throws IllegalStateException if objects of it are still open, naming them
     */
    @Override
    void close();
}
