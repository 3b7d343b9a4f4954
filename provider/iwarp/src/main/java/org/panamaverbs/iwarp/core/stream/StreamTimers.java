package org.panamaverbs.iwarp.core.stream;

import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;
import org.panamaverbs.iwarp.core.work.StreamConfig;

/** The deadlines of a stream: a table, without a clock. */
final class StreamTimers {
    private static final long[] NUDGE_NANOS = {20_000_000L, 100_000_000L, 500_000_000L};
    private static final long RETRY_NANOS = 20_000L;
    private static final long FIRST_LOOK_NANOS = 1_000_000L;
    private static final int LOOKS_PER_LINGER = 4;
    // Who drips has so many linger times where no application's deadline says when it is over.
    private static final int MOST_LINGERS = 10;

    private final long lingerNanos;
    private final long firstFpduNanos;
    private boolean awaitingFirst;
    private boolean nudging;
    private int nudges;
    private long startedAt;
    private boolean lingering;
    private long lingerDeadline;
    private long lastLingerDeadline;
    private boolean looking;
    private long lookNanos;
    private long lookDeadline;
    private boolean retrying;
    private long retryDeadline;

    StreamTimers(StreamConfig config) {
        lingerNanos = config.lingerNanos();
        firstFpduNanos = config.firstFpduNanos();
    }

    /** The stream starts; {@code mayNudge} if a silent peer is to be nudged. */
    void start(Negotiated negotiated, boolean mayNudge, long now) {
        nudging = mayNudge && negotiated.initiator();
        awaitingFirst = firstFpduNanos > 0 && negotiated.rtr() == Rtr.WAIVED;
        startedAt = now;
    }

    /** The peer has spoken, or need not any more. */
    void stopAwaitingFirst() {
        nudging = false;
        awaitingFirst = false;
    }

    /** Tells whether this side will send in the end although the peer has not sent its first FPDU. */
    boolean awaitsFirst() {
        return awaitingFirst;
    }

    long lingerNanos() {
        return lingerNanos;
    }

    /** From now on the peer has only so long to close. */
    void linger(long now) {
        if (!lingering) {
            lingering = true;
            lingerDeadline = now + lingerNanos;
            lastLingerDeadline = now + MOST_LINGERS * lingerNanos;
        }
    }

    /** The peer has moved: it has its time to close anew; {@code forEver} or {@link #MOST_LINGERS} times in all. */
    void renewLinger(boolean forEver, long now) {
        long renewed = now + lingerNanos;
        lingerDeadline = forEver || renewed - lastLingerDeadline < 0 ? renewed : lastLingerDeadline;
    }

    /** Has it looked soon, and then ever more rarely, what the peer's TCP has acknowledged. */
    void look(boolean wanted, long now) {
        if (!wanted) {
            looking = false;
        } else if (!looking) {
            looking = true;
            lookNanos = FIRST_LOOK_NANOS;
            lookDeadline = now + lookNanos;
        } else if (now - lookDeadline >= 0) {
            lookNanos = Math.max(1, Math.min(2 * lookNanos, lingerNanos / LOOKS_PER_LINGER));
            lookDeadline = now + lookNanos;
        }
    }

    /** Says whether a local request is to be tried again soon. */
    void retry(boolean wanted, long now) {
        retrying = wanted;
        retryDeadline = now + RETRY_NANOS;
    }

    boolean isSet() {
        return retrying || lingering || nudging || awaitingFirst;
    }

    /** Returns the earliest deadline; valid only if one is set. */
    long deadlineNanos() {
        if (retrying) {
            return retryDeadline;
        }
        if (lingering) {
            return looking && lookDeadline - lingerDeadline < 0 ? lookDeadline : lingerDeadline;
        }
        return startedAt + (awaitingFirst ? firstFpduNanos : NUDGE_NANOS[nudges]);
    }

    boolean lingerIsOver(long now) {
        return lingering && now - lingerDeadline >= 0;
    }

    /** Tells once that the first FPDU of the peer has been awaited long enough. */
    boolean takeFirst(long now) {
        boolean due = awaitingFirst && now - startedAt >= firstFpduNanos;
        awaitingFirst &= !due;
        return due;
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
