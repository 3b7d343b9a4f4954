package org.panamaverbs.iwarp.engine.context;

/**
 * The timer of one handler: its place among those of the loop that run, so that to start and to stop it takes no
 * memory. {@link EventLoop#watch} starts it and {@link EventLoop#unwatch} stops it.
 */
public final class LoopTimer {
    final LoopHandler handler;
    // Among those that run, negative if it does not; guarded by Timers.
    int place = -1;

    /** Creates the timer of {@code handler}, which does not run. */
    public LoopTimer(LoopHandler handler) {
        this.handler = handler;
    }
}
