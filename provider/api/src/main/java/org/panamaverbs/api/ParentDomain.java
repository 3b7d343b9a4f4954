package org.panamaverbs.api;

/**
 * A protection domain in a thread domain, {@code struct ibv_pd} as well: queue pairs and shared receive queues that are
 * made here are used by one thread at a time. Memory that is registered here, and memory windows, are the protection
 * domain's beneath, so that both serve for either.
 */
public interface ParentDomain extends ProtectionDomain {
    /** Returns the protection domain beneath. */
    ProtectionDomain protectionDomain();
}
