package org.panamaverbs.api.xrc;

import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.SharedReceiveQueueConfig;

/**
 * A domain of extended reliable connections, {@code struct ibv_xrcd}, which {@link XrcDevice} opens: the shared receive
 * queues in it are reached by whatever comes to the receivers in it, of whichever process that opened the same domain.
 * Any thread.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_open_xrcd.3.html">ibv_open_xrcd(3)</a>
 */
public interface XrcDomain extends AutoCloseable {
    /**
     * Makes a shared receive queue in this domain ({@code ibv_create_srq_ex(3)} with {@code IBV_SRQT_XRC}).
     *
     * @param domain whose memory its receives name, and what peers access by messages to this queue
     * @param completions where its receives complete; they have the number of the {@link XrcReceiver} that they came by
     * @param config its sizes
     * @throws IllegalArgumentException if one of both is of another device, or a size is beyond what the device can
     * @throws IllegalStateException if one of both or this domain is closed
     * @throws org.panamaverbs.api.ResourceException if the device refuses
     */
    XrcSharedReceiveQueue sharedReceiveQueue(
            ProtectionDomain domain, CompletionQueue completions, SharedReceiveQueueConfig config);

    /**
     * Makes the receiving end of a connection, in state INIT ({@code ibv_create_qp_ex(3)} with
     * {@code IBV_QPT_XRC_RECV}).
     *
     * @throws IllegalStateException if this domain is closed
     * @throws org.panamaverbs.api.ResourceException if the device refuses
     */
    XrcReceiver receiver();

    /**
     * Opens a receiver that another process made in the same domain ({@code ibv_open_qp(3)}), in whatever state it is:
     * the connection lives until all have closed it.
     *
     * @param number what {@link XrcReceiver#number()} said there
     * @throws IllegalStateException if this domain is closed
     * @throws org.panamaverbs.api.ResourceException if there is none of that number, or the device refuses
     */
    XrcReceiver receiver(int number);

    /**
     * Closes the domain ({@code ibv_close_xrcd(3)}); it ends when all have closed it.
     *
     * @throws IllegalStateException naming what of it is still open
     */
    @Override
    void close();
}
