package org.panamaverbs.api.cm;

import java.net.InetSocketAddress;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.WorkCompletion;

/**
 * A peer's request where to send datagrams. Accept or reject it once; closing it unanswered drops it. A peer without an
 * answer repeats the request after some seconds.
 *
 * <p>The request does not name the peer's queue pair. To send datagrams back, either have the peer put the address of
 * its own listener into the private data and ask there, or take {@link WorkCompletion#sourceQpNumber()} and the global
 * route header of its first datagram.
 */
public interface DatagramRequest extends AutoCloseable {
    /** Returns the peer's address. */
    InetSocketAddress remoteAddress();

    /** Returns a copy of the peer's private data, padded with zeros to 180 bytes. */
    byte[] privateData();

    /**
     * Tells the peer to send to {@code queuePair}: {@code rdma_accept(3)}. A queue pair in INIT or RTR becomes ready;
     * one in RTS stays so and keeps {@code RDMA_UDP_QKEY}, the Q_Key of {@code RDMA_PS_UDP}. Post receives first, with
     * 40 additional bytes for the global route header. One queue pair can serve any number of peers.
     *
     * @param queuePair a queue pair of type UD of this device
     * @param privateData up to 136 bytes for the peer
     * @throws IllegalArgumentException if the queue pair is of another device or type, or the private data is too long
     * @throws IllegalStateException if the request was answered or closed, or the queue pair is closed or in another
     *     state
     * @throws ConnectionException if the peer is gone
     */
    void accept(QueuePair queuePair, byte[] privateData);

    /**
     * Rejects the request: {@code rdma_reject(3)}.
     *
     * @param privateData up to 136 bytes for the peer
     */
    void reject(byte[] privateData);

    /** Drops the peer if the request was not answered. */
    @Override
    void close();
}
