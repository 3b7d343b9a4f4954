package org.panamaverbs.iwarp.core;

import org.panamaverbs.iwarp.core.TimerTable.Timer;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;

/** When which timer of a stream is set, and for how long; they are in one {@link TimerTable}. Without a clock. */
final class StreamTimers {
    private static final long[] PROBE_NANOS = {20_000_000L, 100_000_000L, 500_000_000L};
    private static final long RETRY_NANOS = 20_000L;
    private static final long FIRST_LOOK_NANOS = 1_000_000L;
    private static final int LOOKS_PER_LINGER = 4;
    // Who drips has so many linger times where no application's deadline says when it is over.
    private static final int MOST_LINGERS = 10;

    private final long lingerNanos;
    private final long firstFpduNanos;
    private final boolean probes;
    private final TimerTable table = new TimerTable();
    // Probes count from here.
    private long startedAt;
    private int probed;
    // Fixed when lingering begins: no renewal goes beyond it, unless it is for ever.
    private long lastLingerDeadline;
    // The distance between the last two looks; grows from look to look.
    private long lookNanos;

    StreamTimers(StreamConfig config) {
        lingerNanos = config.lingerNanos();
        firstFpduNanos = config.firstFpduNanos();
        probes = config.probe();
    }

    /** The stream starts. */
    void start(Negotiated negotiated, long now) {
        startedAt = now;
        if (probes && negotiated.initiator()) {
            table.set(Timer.PROBE, startedAt + PROBE_NANOS[probed]);
        }
        if (firstFpduNanos > 0 && negotiated.rtr() == Rtr.WAIVED) {
            table.set(Timer.FIRST_FPDU, now + firstFpduNanos);
        }
    }

    /** The peer has spoken, or need not any more. */
    void stopAwaitingFirst() {
        stopProbes();
        table.stop(Timer.FIRST_FPDU);
    }

    /** The peer is not one that overlooks what is sent. */
    void stopProbes() {
        table.stop(Timer.PROBE);
    }

    long lingerNanos() {
        return lingerNanos;
    }

    /** From now on the peer has only so long to close; nothing else is awaited of it. */
    void linger(long now) {
        if (!table.isSet(Timer.LINGER)) {
            stopAwaitingFirst();
            table.set(Timer.LINGER, now + lingerNanos);
            lastLingerDeadline = now + MOST_LINGERS * lingerNanos;
        }
    }

    /**
     * The peer has moved: if it has only so long to close, it has its time anew; {@code forEver} or
     * {@link #MOST_LINGERS} times in all.
     */
    void renewLinger(boolean forEver, long now) {
        if (table.isSet(Timer.LINGER)) {
            long renewed = now + lingerNanos;
            table.set(Timer.LINGER, forEver || renewed - lastLingerDeadline < 0 ? renewed : lastLingerDeadline);
        }
    }

    /** Has the driver look soon, and then ever more rarely, what the peer's TCP has acknowledged. */
    void look(boolean wanted, long now) {
        if (!wanted) {
            table.stop(Timer.LOOK);
        } else if (!table.isSet(Timer.LOOK)) {
            lookNanos = FIRST_LOOK_NANOS;
            table.set(Timer.LOOK, now + lookNanos);
        } else if (table.isDue(Timer.LOOK, now)) {
            lookNanos = Math.max(1, Math.min(2 * lookNanos, lingerNanos / LOOKS_PER_LINGER));
            table.set(Timer.LOOK, now + lookNanos);
        }
    }

    /** Says whether a local request is to be tried again soon. */
    void retry(boolean wanted, long now) {
        if (wanted) {
            table.set(Timer.RETRY, now + RETRY_NANOS);
        } else {
            table.stop(Timer.RETRY);
        }
    }

    /** Nothing of this side is carried out any more. */
    void stopRetry() {
        table.stop(Timer.RETRY);
    }

    /** Tells whether there is a deadline. */
    boolean isSet() {
        return table.isAnySet();
    }

    /** Returns the earliest deadline; valid only if there is one. */
    long earliest() {
        return table.earliest();
    }

    boolean lingerIsOver(long now) {
        return table.isDue(Timer.LINGER, now);
    }

    /** Tells once that the first FPDU of the peer has been awaited long enough. */
    boolean takeFirst(long now) {
        return table.take(Timer.FIRST_FPDU, now);
    }

    /** Tells once for each probe that it is due. */
    boolean takeProbe(long now) {
        boolean due = table.take(Timer.PROBE, now);
        if (due && ++probed < PROBE_NANOS.length) {
            table.set(Timer.PROBE, startedAt + PROBE_NANOS[probed]);
        }
        return due;
    }
}
