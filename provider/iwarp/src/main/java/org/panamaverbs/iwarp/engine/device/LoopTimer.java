package org.panamaverbs.iwarp.engine.device;

/**
 * The timer of one handler: its place among those of the loop that run, so that to start and to stop it takes no
 * memory. {@link EventLoop#watch} starts it and {@link EventLoop#unwatch} stops it.
 */
public final class LoopTimer {
    // Negative if it does not run; guarded by Timers.
    int place = -1;
}
