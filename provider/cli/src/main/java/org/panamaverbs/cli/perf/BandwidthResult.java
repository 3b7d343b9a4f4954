package org.panamaverbs.cli.perf;

/**
 * What a bandwidth test of one size came to.
 *
 * @param size octets of a message
 * @param messages how many
 * @param peak messages a second in the best window, as {@link PeakRate} has them
 * @param average messages a second
 */
record BandwidthResult(int size, long messages, double peak, double average) {
    private static final double MIB = 1 << 20;

    /** Returns it with what the other direction came to. */
    BandwidthResult plus(BandwidthResult other) {
        return new BandwidthResult(size, messages, peak + other.peak, average + other.average);
    }

    double peakMib() {
        return peak * size / MIB;
    }

    double averageMib() {
        return average * size / MIB;
    }

    double averageGbits() {
        return average * size * 8 / 1e9;
    }

    double peakGbits() {
        return peak * size * 8 / 1e9;
    }
}
