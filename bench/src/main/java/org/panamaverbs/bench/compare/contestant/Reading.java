package org.panamaverbs.bench.compare.contestant;

import java.util.Map;

/**
 * What one measurement found.
 *
 * @param value nanoseconds of a round trip, or how many a second
 * @param percentiles of round trips, by percent, in nanoseconds; empty if not known
 */
public record Reading(double value, Map<Double, Double> percentiles) {

    /** Returns a reading of which only the value is known. */
    public static Reading of(double value) {
        return new Reading(value, Map.of());
    }
}
