package org.panamaverbs.memcpy;

import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.spi.software.SoftwareDomain;

/** A protection domain, of queue pairs that copy memory. */
final class MemcpyDomain extends SoftwareDomain {
    MemcpyDomain(MemcpyVerbs device) {
        super(device);
    }

    @Override
    public MemcpyQueuePair queuePair(QueuePairConfig config) {
        return new MemcpyQueuePair(this, config);
    }
}
