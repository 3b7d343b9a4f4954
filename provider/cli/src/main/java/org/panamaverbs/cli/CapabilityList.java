package org.panamaverbs.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.panamaverbs.api.Capabilities;

/** The limits of a device by name. */
final class CapabilityList {
    private CapabilityList() {}

    /** Returns each limit under the name of its record component, in the order of declaration. */
    static Map<String, Long> of(Capabilities capabilities) {
        Map<String, Long> limits = new LinkedHashMap<>();
        limits.put("maxQp", (long) capabilities.maxQp());
        limits.put("maxQpWr", (long) capabilities.maxQpWr());
        limits.put("maxSge", (long) capabilities.maxSge());
        limits.put("maxSgeRead", (long) capabilities.maxSgeRead());
        limits.put("maxInlineBytes", (long) capabilities.maxInlineBytes());
        limits.put("maxCq", (long) capabilities.maxCq());
        limits.put("maxCqe", (long) capabilities.maxCqe());
        limits.put("maxMr", (long) capabilities.maxMr());
        limits.put("maxMrBytes", capabilities.maxMrBytes());
        limits.put("maxMw", (long) capabilities.maxMw());
        limits.put("maxPd", (long) capabilities.maxPd());
        limits.put("maxSrq", (long) capabilities.maxSrq());
        limits.put("maxSrqWr", (long) capabilities.maxSrqWr());
        limits.put("maxInitiatorDepth", (long) capabilities.maxInitiatorDepth());
        limits.put("maxResponderResources", (long) capabilities.maxResponderResources());
        limits.put("maxMessageBytes", capabilities.maxMessageBytes());
        limits.put("maxPrivateData", (long) capabilities.maxPrivateData());
        limits.put("completionVectors", (long) capabilities.completionVectors());
        limits.put("immediateBytes", (long) capabilities.immediateBytes());
        return limits;
    }
}
