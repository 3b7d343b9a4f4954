package org.panamaverbs.api.ext;

import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.ResourceException;

/**
 * A thread domain, {@code struct ibv_td}: the application promises that one thread at a time uses the objects created
 * in its parent domains. The driver then takes no locks and uses separate doorbells. The library's own checks stay: a
 * second thread corrupts no Java object, but its effect on the device is undefined.
 */
public interface ThreadDomain extends AutoCloseable {
    /**
     * Creates a parent domain of {@code domain}: {@code ibv_alloc_parent_domain(3)}.
     *
     * @param domain a protection domain of the same device that is no parent domain; close it after the parent domain
     * @throws IllegalArgumentException if {@code domain} is of another device, or a parent domain
     * @throws IllegalStateException if either domain is closed
     * @throws ResourceException if the device refuses
     */
    ParentDomain parentDomain(ProtectionDomain domain);

    /**
     * Destroys the thread domain: {@code ibv_dealloc_td(3)}.
     *
     * @throws IllegalStateException if parent domains are still open, naming them
     */
    @Override
    void close();
}
