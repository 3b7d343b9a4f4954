package org.panamaverbs.api;

/**
 * A protection domain in a thread domain, {@code struct ibv_pd} as well: queue pairs and shared receive queues that are
 * made here are used by one thread at a time. Memory that is registered here, and memory windows, are the protection
 * domain's beneath, so that both serve for either.
 */
public interface ParentDomain extends ProtectionDomain {
    /** Returns the protection domain beneath. */
    ProtectionDomain protectionDomain();

    /**
     * Makes a completion queue that is polled by the thread of the domain alone ({@code ibv_create_cq_ex(3)} with
     * {@code parent_domain}), so that the driver needs no lock there. It is an extended one, with the first three
     * fields of {@link WcField} where {@code config} names none, and may be of any queue pair of the device.
     *
     * @throws IllegalArgumentException as {@link Verbs#completionQueue(CompletionQueueConfig)}
     * @throws IllegalStateException if the domain is closed
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if it lacks {@link Capabilities.Feature#EXTENDED_CQ}, or what the fields
     *     and flags need
     */
    CompletionQueue completionQueue(CompletionQueueConfig config);
}
