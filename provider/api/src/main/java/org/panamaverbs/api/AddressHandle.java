package org.panamaverbs.api;

/**
 * A destination for datagrams, {@code struct ibv_ah}; see {@link ProtectionDomain#addressHandle}.
 *
 * <p>It may be closed at any time. The device may read what is behind it for as long as a request that names it is not
 * complete; that is destroyed when the completions of all such requests were polled (of one that is not signaled: that
 * of a later one), or their queue pairs were reset or closed, and not before. So what was posted goes where it leads,
 * as it would have.
 */
public interface AddressHandle extends AutoCloseable {
    /** Returns what it was created with, or what was made of the datagram that it answers. */
    AddressHandleConfig config();

    /**
     * Takes the address handle out of use: no more requests can name it. It is destroyed, {@code ibv_destroy_ah(3)}, at
     * once if no request under way names it. If one does, it is when that is over and an address handle of its domain
     * is made or closed, or a queue pair closed; at the latest with the domain.
     */
    @Override
    void close();
}
