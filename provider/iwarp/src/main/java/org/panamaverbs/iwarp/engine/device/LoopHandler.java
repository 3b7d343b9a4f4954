package org.panamaverbs.iwarp.engine.device;

import org.panamaverbs.iwarp.net.Watch;

/** What a channel or a timer calls; only on the loop's thread. */
public interface LoopHandler {
    /** The channel of {@code watch} can do what it waits for. */
    void ready(Watch watch, long now);

    /** Returns its timer, always the same one. Any thread. */
    LoopTimer timer();

    /**
     * Returns the time of the timer; counts only between {@code EventLoop.watch} and {@code EventLoop.unwatch}. Any
     * thread.
     */
    long deadlineNanos();

    /** The time of the timer has come. */
    void timeout(long now);

    /** The handler threw: it must let go of its channel. */
    void failed(Throwable cause);

    /**
     * The loop is closed and calls nobody any more. The channels that it watched are closed next; whoever has more than
     * its channel lets go of it here.
     */
    default void loopClosed() {}

    /** Tells whether it logs by itself what {@link #failed} is told; else the loop does. */
    default boolean logsFailures() {
        return false;
    }
}
