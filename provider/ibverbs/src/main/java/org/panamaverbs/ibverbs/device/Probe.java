package org.panamaverbs.ibverbs.device;

import java.util.Set;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.QueuePairType;

/**
 * What no query tells: it is tried with throw-away objects, once per device and process. Only a device's word that it
 * does not have something is remembered as such: what fails for want of memory or files fails the trial, since it may
 * work the next time.
 *
 * @param types the services of which a queue pair can be made
 * @param maxInlineBytes inline octets a work request of a small queue pair
 * @param resizesCq whether a completion queue can be resized
 * @param registersDmaBuf whether dma-buf memory can be registered
 * @param extended what its extended completion queues have, and which objects that few devices have it makes
 */
record Probe(
        Set<QueuePairType> types,
        int maxInlineBytes,
        boolean resizesCq,
        boolean registersDmaBuf,
        Set<Feature> extended) {
    Probe {
        types = Set.copyOf(types);
        extended = Set.copyOf(extended);
    }
}
