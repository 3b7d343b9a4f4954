package org.panamaverbs.api;

/**
 * Posts datagrams (UD), each with its own destination: {@code ibv_send_wr.wr.ud}. A {@link QueuePair} posts each at
 * once, a {@link Batch} collects them for one doorbell. The rules of {@link SendQueue} on ids, results, memory and
 * threads hold here, too.
 *
 * <p>An address handle may be closed as soon as a post has returned, also a post to a batch: the device's handle is
 * kept until the request is done or discarded.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 */
@CheckReturnValue
public interface DatagramSendQueue {
    /**
     * Posts a datagram to a destination found by the connection manager. {@link WorkRequest#destination(AddressHandle,
     * int, int)} takes an address handle instead.
     *
     * @param operation {@link SendOpcode#SEND} or {@link SendOpcode#SEND_WITH_IMMEDIATE}
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param local the SGEs of the payload; copied by the post
     * @param destination address handle, queue pair number and Q_Key of the peer ({@code wr.ud.ah},
     *     {@code wr.ud.remote_qpn}, {@code wr.ud.remote_qkey})
     * @param immediate the immediate data, from 0 to 2^32-1 or a sign-extended {@code int} ({@code imm_data})
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device or the queue pair does not support datagrams; such a device
     *     refuses even if the queue pair is closed
     * @throws IllegalArgumentException if the address handle is of another domain
     * @throws IllegalStateException if the queue pair or the address handle is closed
     */
    default int postDatagram(
            SendOpcode operation, long wrId, SgList local, DatagramDestination destination, long immediate, int flags) {
        throw new UnsupportedOperationException(
                "the queue pair does not send datagrams; remedy: create it with type UD on a device that supports it"
                        + " (ibverbs on InfiniBand or RoCE)");
    }
}
