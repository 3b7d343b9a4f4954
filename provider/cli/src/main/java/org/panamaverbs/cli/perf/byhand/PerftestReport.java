package org.panamaverbs.cli.perf.byhand;

/**
 * What perftest's tools tell each other of a bandwidth test, {@code struct bw_report_data}.
 *
 * @param size octets of a message
 * @param messages how many
 * @param peakMib MiB a second, the peak
 * @param averageMib MiB a second
 * @param megaMessages million messages a second
 */
record PerftestReport(long size, long messages, double peakMib, double averageMib, double megaMessages) {
    /** Says that nothing was measured on this side. */
    static final PerftestReport NOTHING = new PerftestReport(0, 0, 0, 0, 0);
}
