package org.panamaverbs.cli.perf.measure;

/**
 * What a bandwidth test of one size came to.
 *
 * @param size bytes of a message
 * @param messages how many
 * @param peak messages a second in the best window, as {@link PeakRate} has them
 * @param average messages a second
 */
public record BandwidthResult(int size, long messages, double peak, double average) {
    private static final double MIB = 1 << 20;

    /** Returns the result with what the other direction came to. */
    BandwidthResult plus(BandwidthResult other) {
        return new BandwidthResult(size, messages, peak + other.peak, average + other.average);
    }

    public double peakMib() {
        return peak * size / MIB;
    }

    public double averageMib() {
        return average * size / MIB;
    }

    public double averageGbits() {
        return average * size * 8 / 1e9;
    }

    public double peakGbits() {
        return peak * size * 8 / 1e9;
    }
}
