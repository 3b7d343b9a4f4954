package org.panamaverbs.api;

/**
 * Datagrams (UD), each with its own destination: {@code ibv_send_wr.wr.ud}. A {@link QueuePair} posts them at once, a
 * {@link Batch} collects them for one doorbell. Posting allocates nothing. What {@link SendQueue} says of ids, flags,
 * answers, memory and threads holds here, too.
 *
 * <p>An address handle may be closed as soon as a post has returned, also one that a batch has collected: the device's
 * own is kept until the request is done, or discarded.
 *
 * @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
 */
@CheckReturnValue
public interface DatagramSendQueue {
    /**
     * Posts a datagram; otherwise as {@link RawSendQueue#post(SendOpcode, long, SgList, long, int, long, int)}. A
     * device without datagrams refuses it, also on a queue pair that is closed.
     *
     * @param operation {@link SendOpcode#SEND} or {@link SendOpcode#SEND_WITH_IMMEDIATE}
     * @param wrId the application's id
     * @param local the pieces of the payload
     * @param destination an address handle of the queue pair's domain
     * @param remoteQpNumber the number of the peer's queue pair
     * @param qkey the key of the peer's queue pair
     * @param immediate the immediate data: from 0 to 2^32-1, or a sign-extended {@code int}
     * @param flags {@link SendFlag}s
     * @return a {@link PostStatus}
     * @throws UnsupportedOperationException if the device or the queue pair has no datagrams
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
     * Posts a datagram to {@code destination}; otherwise as with an address handle.
     *
     * @throws UnsupportedOperationException if the device or the queue pair has no datagrams
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
