package org.panamaverbs.api;

/**
 * Where datagrams go, as the connection manager found it: {@code struct rdma_ud_param}. Given to
 * {@link DatagramSendQueue#postDatagram(SendOpcode, long, SgList, DatagramDestination, long, int)}.
 */
public interface DatagramDestination extends AutoCloseable {
    /**
     * Returns the address handle, which was made in the domain of the queue pair that the destination was found for,
     * and is closed with the destination.
     */
    AddressHandle addressHandle();

    /** Returns the number of the peer's queue pair; 0xFFFFFF for a multicast group. */
    int qpNumber();

    /** Returns the key that datagrams need there. */
    int qkey();

    /**
     * Closes the destination and its address handle; the queue pair stays as it is. Datagrams that were posted go there
     * nevertheless, as {@link AddressHandle} says.
     */
    @Override
    void close();
}
