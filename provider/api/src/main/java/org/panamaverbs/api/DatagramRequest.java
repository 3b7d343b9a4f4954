package org.panamaverbs.api;

import java.net.InetSocketAddress;

/**
 * A peer that asks where to send datagrams. Answer it once; closing it unanswered drops it. A peer that does not get
 * the answer asks again after some seconds, which makes another request.
 *
 * <p>The request does not say which queue pair the peer has. An application that wants to answer by datagrams has the
 * peer tell in the private data where it listens itself, and asks there, or takes the number from the first datagram
 * ({@link WorkCompletion#sourceQpNumber()}) and the address from its global route header.
 */
public interface DatagramRequest extends AutoCloseable {
    /** Returns the peer's address. */
    InetSocketAddress remoteAddress();

    /** Returns a copy of the peer's private data, padded with zeros to 180 bytes. */
    byte[] privateData();

    /**
     * Tells the peer to send to {@code queuePair} ({@code rdma_accept(3)}). A queue pair in INIT or RTR is made ready;
     * one in RTS, as after an earlier request, goes on with the key of {@code RDMA_PS_UDP}, {@code RDMA_UDP_QKEY}. Post
     * receives before, each with 40 bytes more for the global route header. One queue pair may be given to any number
     * of peers.
     *
     * @param privateData up to 136 bytes for the peer
     * @throws IllegalArgumentException if the queue pair is not of this device or not of type UD, or the private data
     *     are too long
     * @throws IllegalStateException if the request was answered or closed before, or the queue pair is closed or in
     *     another state
     * @throws ConnectionException if the peer is gone
     */
    void accept(QueuePair queuePair, byte[] privateData);

    /** Rejects with up to 136 bytes of {@code privateData} ({@code rdma_reject(3)}). */
    void reject(byte[] privateData);

    /** Drops the peer if the request was not answered. */
    @Override
    void close();
}
