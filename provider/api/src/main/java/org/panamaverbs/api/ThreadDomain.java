package org.panamaverbs.api;

/**
 * The promise that what is made in its parent domains is used by one thread at a time, {@code struct ibv_td}: the
 * driver needs no locks there, and gives them doorbells of their own. The library's own checks stay as they are, so
 * that a second thread corrupts nothing of Java's; what the device makes of it is the application's fault.
 */
public interface ThreadDomain extends AutoCloseable {
    /**
     * Makes a parent domain of {@code domain} ({@code ibv_alloc_parent_domain(3)}).
     *
     * @param domain a protection domain of the same device, no parent domain; it must be closed after the parent domain
     * @throws IllegalArgumentException if {@code domain} is of another device, or a parent domain
     * @throws IllegalStateException if one of both is closed
     * @throws ResourceException if the device refuses
     */
    ParentDomain parentDomain(ProtectionDomain domain);

    /**
     * Gives the promise back ({@code ibv_dealloc_td(3)}).
     *
     * @throws IllegalStateException naming the parent domains that are still open
     */
    @Override
    void close();
}
