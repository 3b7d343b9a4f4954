package org.panamaverbs.api;

/**
 * A destination for datagrams, {@code struct ibv_ah}; see {@link ProtectionDomain#addressHandle}.
 *
 * <p>The device may read it for as long as a request that names it is not complete: {@link #close} it only after the
 * completion of each {@link QueuePair#postDatagram} that was given it, or of a later request of the same queue pair
 * where that one was not signaled. What is closed earlier can be sent elsewhere or fail; nothing checks it.
 */
public interface AddressHandle extends AutoCloseable {
    /** Returns what it was made with. */
    AddressHandleConfig config();

    /** Destroys the address handle, {@code ibv_destroy_ah(3)}: after the last request that names it has completed. */
    @Override
    void close();
}
