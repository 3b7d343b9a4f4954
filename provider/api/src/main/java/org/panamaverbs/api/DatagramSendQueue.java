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
     * Posts a datagram; otherwise as {@link RawSendQueue#post(SendOpcode, long, SgList, long, int, long, int)}.
     *
     * @param operation {@link SendOpcode#SEND} or {@link SendOpcode#SEND_WITH_IMMEDIATE}
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param local the SGEs of the payload; copied by the post
     * @param destination an address handle of the queue pair's domain ({@code wr.ud.ah})
     * @param remoteQpNumber the peer's queue pair number, 24 bits ({@code wr.ud.remote_qpn})
     * @param qkey the Q_Key of the peer's queue pair ({@code wr.ud.remote_qkey})
     * @param immediate the immediate data, from 0 to 2^32-1 or a sign-extended {@code int} ({@code imm_data})
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device or the queue pair does not support datagrams; such a device
     *     refuses even if the queue pair is closed
     * @throws IllegalArgumentException if the address handle is of another domain
     * @throws IllegalStateException if the queue pair or the address handle is closed
     */
    default int postDatagram(
            SendOpcode operation,
            long wrId,
            SgList local,
            AddressHandle destination,
            int remoteQpNumber,
            int qkey,
            long immediate,
            int flags) {
        throw new UnsupportedOperationException(
                "the queue pair does not send datagrams; remedy: create it with type UD on a device that supports it"
                        + " (ibverbs on InfiniBand or RoCE)");
    }

    /**
     * Posts a datagram to a destination found by the connection manager; otherwise as with an address handle.
     *
     * @param operation {@link SendOpcode#SEND} or {@link SendOpcode#SEND_WITH_IMMEDIATE}
     * @param wrId opaque id, returned by {@link WorkCompletion#wrId()}
     * @param local the SGEs of the payload; copied by the post
     * @param destination address handle, queue pair number and Q_Key of the peer
     * @param immediate the immediate data, from 0 to 2^32-1 or a sign-extended {@code int} ({@code imm_data})
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     */
    default int postDatagram(
            SendOpcode operation, long wrId, SgList local, DatagramDestination destination, long immediate, int flags) {
        return postDatagram(
                operation,
                wrId,
                local,
                destination.addressHandle(),
                destination.qpNumber(),
                destination.qkey(),
                immediate,
                flags);
    }
}
