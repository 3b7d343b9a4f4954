package org.panamaverbs.cli.perf.measure;

/**
 * The rate of the best window of a run. A window lasts from the post of its first message until its last has arrived;
 * the next begins with the message behind, which is posted before that. So all messages of a window moved while it
 * lasted, and no others count.
 *
 * <p>The caller asks {@link #due} after each post, posts a Read behind the messages when a window is to end, says so by
 * {@link #close}, and {@link #arrived} when the Read is complete. Times are of {@link System#nanoTime}. Used by one
 * thread.
 */
final class PeakRate {
    /** Windows are no shorter than one part in so many of the run. */
    static final int PARTS = 20;
    /** Windows are no shorter than that: a moment shows what a buffer takes, and not what arrives. */
    static final long LEAST_NANOS = 100_000_000;

    private final long leastMessages;
    private final long leastNanos;
    /** When the window began that takes messages now, and how many were posted before it. */
    private long begun;

    private long before;
    /** When the window began whose last messages are on their way, and its messages; 0 messages if there is none. */
    private long closedBegun;

    private long closedMessages;
    /** Messages a second. */
    private double best;

    /**
     * Creates a peak for a run of {@code messages} and of {@code nanos}, each 0 if not known before; begun {@code now}.
     */
    PeakRate(long messages, long nanos, long now) {
        leastMessages = Math.max(1, Math.ceilDiv(messages, PARTS));
        leastNanos = Math.max(LEAST_NANOS, nanos / PARTS);
        begun = now;
    }

    /** Tells whether the window is to end with the last of {@code posted} messages, all that the run has so far. */
    boolean due(long posted, long now) {
        return closedMessages == 0 && posted - before >= leastMessages && now - begun >= leastNanos;
    }

    /** Ends the window with the last of {@code posted} messages; the next begins with what is posted from now on. */
    void close(long posted, long now) {
        assert due(posted, now) : "a window ended early";
        closedBegun = begun;
        closedMessages = posted - before;
        begun = now;
        before = posted;
    }

    /** Tells whether a window has ended whose messages are not known to have arrived. */
    boolean awaitsArrival() {
        return closedMessages != 0;
    }

    /** Takes note that all messages of the window that has ended have arrived. */
    void arrived(long now) {
        best = Math.max(best, closedMessages * 1e9 / (now - closedBegun));
        closedMessages = 0;
    }

    /** Returns messages a second of the best window; of the whole run, {@code average}, where no window was better. */
    double best(double average) {
        return Math.max(best, average);
    }
}
