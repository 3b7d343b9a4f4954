package org.panamaverbs.local.connect;

import java.util.function.Function;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.local.objects.LocalDomain;
import org.panamaverbs.local.objects.LocalQueuePair;
import org.panamaverbs.spi.software.SoftwareDevice;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Ours;

/** What an application hands in to be connected, by either side: a queue pair, or how to make one. */
final class QueuePairs {
    private final SoftwareDevice device;

    QueuePairs(SoftwareDevice device) {
        this.device = device;
    }

    /** Returns {@code queuePair} if it is of this device. */
    LocalQueuePair own(QueuePair queuePair) {
        return Ours.of("queue pair", queuePair, LocalQueuePair.class, LocalQueuePair::device, device);
    }

    /** Does {@code work} with a new queue pair, which is closed if it fails. */
    <T> T withNew(QueuePairConfig config, Function<LocalQueuePair, T> work) {
        LocalDomain domain =
                Ours.of("protection domain", config.domain(), LocalDomain.class, LocalDomain::device, device);
        return Creation.of(() -> domain.queuePair(config), work, LocalQueuePair::close);
    }
}
