package org.panamaverbs.bench.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one of those who answer a question was measured at.
 *
 * @param title who, and how
 * @param with the parameters, as they are shown; empty if there are none
 * @param unit of the figures
 * @param rounds the figure of each round
 * @param floors what it stands beside; empty for a floor itself and where nothing is compared
 * @param percentiles of round trips by percent, in nanoseconds, the median of the rounds each; empty if not known
 * @param octets what an operation comes to
 */
public record Result(
        String title,
        String with,
        Unit unit,
        List<Double> rounds,
        List<Beside> floors,
        Map<Double, Double> percentiles,
        Octets octets) {

    /**
     * Bytes of an operation.
     *
     * @param allocated by all threads of the process, or null if it is not known
     * @param moved in one direction, or null where a bandwidth would mean nothing
     */
    public record Octets(
            @Nullable Double allocated, @Nullable Double moved) {
        public static final Octets UNKNOWN = new Octets(null, null);
    }

    public Spread spread() {
        return Spread.of(rounds);
    }

    /** Returns how it stands beside the first of its floors, as three; NaN without one. */
    public Spread ratio() {
        return floors.isEmpty() ? Spread.of(List.of()) : floors.getFirst().spread();
    }
}
