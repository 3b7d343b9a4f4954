package org.panamaverbs.api.flight;

import org.panamaverbs.api.statistics.QueuePairStatistics;

/**
 * One queue pair of a sample.
 *
 * @param place where it is
 * @param statistics what it has counted
 */
public record QueuePairSampled(Place place, QueuePairStatistics statistics) {}
