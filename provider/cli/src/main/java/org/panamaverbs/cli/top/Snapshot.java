package org.panamaverbs.cli.top;

import java.util.List;

/**
 * A process as of a moment.
 *
 * @param devices its open devices
 * @param queuePairs their open queue pairs, by device and number
 */
record Snapshot(List<Sample> devices, List<Sample> queuePairs) {
    /** Tells whether each has a sample before it, so that what happens in a second is known. */
    boolean hasRates() {
        return !devices.isEmpty() && devices.stream().allMatch(each -> each.before() != null);
    }
}
