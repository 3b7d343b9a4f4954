package org.panamaverbs.iwarp.core;

/** The deadlines of a stream: a table, without a clock. */
final class StreamTimers {
    private static final long[] NUDGE_NANOS = {20_000_000L, 100_000_000L, 500_000_000L};
    private static final long RETRY_NANOS = 20_000L;

    private final long lingerNanos;
    private boolean nudging;
    private int nudges;
    private long startedAt;
    private boolean lingering;
    private long lingerDeadline;
    private boolean retrying;
    private long retryDeadline;

    StreamTimers(StreamConfig config) {
        lingerNanos = config.lingerNanos();
    }

    /** The stream starts; {@code mayNudge} if a silent peer is to be nudged. */
    void start(boolean mayNudge, long now) {
        nudging = mayNudge;
        startedAt = now;
    }

    /** The peer has spoken, or need not any more. */
    void stopNudging() {
        nudging = false;
    }

    /** From now on the peer has only so long to close. */
    void linger(long now) {
        if (!lingering) {
            lingering = true;
            lingerDeadline = now + lingerNanos;
        }
    }

    /** Says whether a local request is to be tried again soon. */
    void retry(boolean wanted, long now) {
        retrying = wanted;
        retryDeadline = now + RETRY_NANOS;
    }

    boolean isSet() {
        return retrying || lingering || nudging;
    }

    /** Returns the earliest deadline; valid only if one is set. */
    long deadlineNanos() {
        if (retrying) {
            return retryDeadline;
        }
        return lingering ? lingerDeadline : startedAt + NUDGE_NANOS[nudges];
    }

    boolean lingerIsOver(long now) {
        return lingering && now - lingerDeadline >= 0;
    }

    /** Tells once for each nudge that it is due. */
    boolean takeNudge(long now) {
        if (!nudging || now - startedAt < NUDGE_NANOS[nudges]) {
            return false;
        }
        nudges++;
        nudging = nudges < NUDGE_NANOS.length;
        return true;
    }
}
