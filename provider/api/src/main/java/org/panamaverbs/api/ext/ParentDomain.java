package org.panamaverbs.api.ext;

import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.WcField;

/**
 * A protection domain in a thread domain, {@code struct ibv_pd}: one thread at a time uses the queue pairs and shared
 * receive queues created here. Buffers and memory windows created here belong to the underlying protection domain and
 * are valid in both.
 */
public interface ParentDomain extends ProtectionDomain {
    /** Returns the underlying protection domain. */
    ProtectionDomain protectionDomain();

    /**
     * Creates a completion queue that only the domain's thread polls, so that the driver takes no lock:
     * {@code ibv_create_cq_ex(3)} with {@code parent_domain}. It is an extended queue, with the first three fields of
     * {@link WcField} if {@code config} names none, and serves any queue pair of the device.
     *
     * @throws IllegalArgumentException as {@link org.panamaverbs.api.Verbs#completionQueue(CompletionQueueConfig)}
     * @throws IllegalStateException if the domain is closed
     * @throws ResourceException if the device refuses
     * @throws UnsupportedOperationException if the device lacks
     *     {@link org.panamaverbs.api.device.Capabilities.Feature#EXTENDED_CQ}, or a feature that the fields and flags
     *     need
     */
    CompletionQueue completionQueue(CompletionQueueConfig config);
}
