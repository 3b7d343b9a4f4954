package org.panamaverbs.bench.compare.contestant;

/**
 * One point of a curve.
 *
 * @param curve what the curve shows
 * @param line whose it is
 * @param x bytes of a message, or percent
 * @param value nanoseconds of a round trip, or bytes a second
 */
public record Point(Curve curve, String line, double x, double value) {

    /** The curves that are measured on their own. */
    public enum Curve {
        LATENCY_BY_SIZE,
        BANDWIDTH_BY_SIZE,
        LATENCY_BY_PERCENTILE
    }
}
