package org.panamaverbs.local.objects;

import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.spi.software.SoftwareDevice;
import org.panamaverbs.spi.software.SoftwareDomain;

/** A protection domain. */
public final class LocalDomain extends SoftwareDomain {
    public LocalDomain(SoftwareDevice device) {
        super(device);
    }

    @Override
    public LocalQueuePair queuePair(QueuePairConfig config) {
        return new LocalQueuePair(this, config);
    }
}
