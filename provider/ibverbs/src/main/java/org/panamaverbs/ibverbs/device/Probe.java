package org.panamaverbs.ibverbs.device;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.device.Capabilities.Feature;

/**
 * What no query tells: it is tried with throw-away objects, once per device and process. Only a device's word that it
 * does not have something is remembered as such: what fails for want of memory or files is tried again by the next
 * open.
 *
 * @param inlineBytes of each service of which a queue pair can be made the inline bytes a work request of a small one
 * @param forbidsRaw whether this process lacks the right to make raw queue pairs, CAP_NET_RAW; it is asked of a device
 *     that knows of none, too
 * @param resizesCq whether a completion queue can be resized
 * @param registersDmaBuf whether dma-buf memory can be registered
 * @param extended what its extended completion queues have, which objects that few devices have it makes, and which
 *     operations its queue pairs can be made for
 */
record Probe(
        Map<QueuePairType, Integer> inlineBytes,
        boolean forbidsRaw,
        boolean resizesCq,
        boolean registersDmaBuf,
        Set<Feature> extended) {
    Probe {
        inlineBytes = Map.copyOf(inlineBytes);
        extended = Set.copyOf(extended);
    }

    /** Returns the services of which a queue pair can be made. */
    Set<QueuePairType> types() {
        return inlineBytes.keySet();
    }

    /** Returns the inline bytes of reliable connections, or where there are none of the service with the most. */
    int maxInlineBytes() {
        Integer reliable = inlineBytes.get(QueuePairType.RC);
        return reliable != null
                ? reliable
                : inlineBytes.values().stream()
                        .mapToInt(Integer::intValue)
                        .max()
                        .orElse(0);
    }

    /** Returns the inline bytes of the services that differ from {@link #maxInlineBytes()}. */
    Map<QueuePairType, Integer> otherInlineBytes() {
        Map<QueuePairType, Integer> others = new EnumMap<>(QueuePairType.class);
        others.putAll(inlineBytes);
        others.values().removeIf(bytes -> bytes == maxInlineBytes());
        return others;
    }
}
