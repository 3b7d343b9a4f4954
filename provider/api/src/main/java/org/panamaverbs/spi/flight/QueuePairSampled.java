package org.panamaverbs.spi.flight;

import org.panamaverbs.api.device.QueuePairStatistics;

/**
 * A queue pair of a sample.
 *
 * @param place its place
 * @param statistics its counters
 */
public record QueuePairSampled(Place place, QueuePairStatistics statistics) {}
