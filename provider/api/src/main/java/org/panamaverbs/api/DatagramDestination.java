package org.panamaverbs.api;

/**
 * A destination of datagrams as the connection manager found it, {@code struct rdma_ud_param}. Pass it to
 * {@link DatagramSendQueue#postDatagram(SendOpcode, long, SgList, DatagramDestination, long, int)}.
 */
public interface DatagramDestination extends AutoCloseable {
    /**
     * Returns the address handle, of the domain of the queue pair that the destination was found for; closed with the
     * destination ({@code ah_attr}).
     */
    AddressHandle addressHandle();

    /** Returns the peer's queue pair number; 0xFFFFFF for a multicast group ({@code qp_num}). */
    int qpNumber();

    /** Returns the Q_Key of the destination ({@code qkey}). */
    int qkey();

    /**
     * Closes the destination and its address handle; the queue pair is unchanged. Posted datagrams still reach their
     * destination, see {@link AddressHandle}.
     */
    @Override
    void close();
}
