package org.panamaverbs.ibverbs.device;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;

/**
 * What no query tells: it is tried with throw-away objects, once per device and process. Only a device's word that it
 * does not have something is remembered as such: what fails for want of memory or files fails the trial, since it may
 * work the next time.
 *
 * @param types the services of which a queue pair can be made
 * @param maxInlineBytes inline octets a work request of a small queue pair
 * @param resizesCq whether a completion queue can be resized
 * @param registersDmaBuf whether dma-buf memory can be registered
 * @param extended what its extended completion queues have
 */
record Probe(
        Set<QueuePairType> types,
        int maxInlineBytes,
        boolean resizesCq,
        boolean registersDmaBuf,
        Set<Feature> extended) {
    private static final Map<String, Probe> KNOWN = new ConcurrentHashMap<>();

    Probe {
        types = Set.copyOf(types);
        extended = Set.copyOf(extended);
    }

    /**
     * Tries {@code context}, an open device; a later call with the same {@code key} returns what was found before.
     *
     * @throws ResourceException if the process lacks resources to try; nothing is remembered then
     */
    static Probe of(String key, MemorySegment context) {
        Probe known = KNOWN.get(key);
        if (known != null) {
            return known;
        }
        Trial trial = new Trial();
        Probe found = trial.of(context);
        if (trial.isCertain()) {
            KNOWN.put(key, found);
        }
        return found;
    }
}
