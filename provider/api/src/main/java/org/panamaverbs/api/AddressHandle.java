package org.panamaverbs.api;

/**
 * A destination of datagrams, {@code struct ibv_ah}, created by {@link ProtectionDomain#addressHandle}.
 *
 * <p>It may be closed at any time; posted datagrams still reach their destination. The native handle lives until the
 * completions of all requests that name it (or of later signaled ones) were polled, or their queue pairs were reset or
 * closed.
 */
public interface AddressHandle extends AutoCloseable {
    /** Returns the configuration it was created with, or that was derived from the datagram it answers. */
    AddressHandleConfig config();

    /**
     * Closes the address handle: no further request can name it. The native handle is destroyed at once if no
     * outstanding request names it: {@code ibv_destroy_ah(3)}. Otherwise that happens when an address handle of its
     * domain is created or closed, or a queue pair is closed, after the last such request; at the latest with the
     * domain.
     */
    @Override
    void close();
}
