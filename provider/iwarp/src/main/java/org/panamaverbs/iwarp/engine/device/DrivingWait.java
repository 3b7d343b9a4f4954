package org.panamaverbs.iwarp.engine.device;

/**
 * What a thread does in place of parking while it waits: it sleeps in the system and makes progress when that wakes it,
 * so that one wake-up is enough. One thread at a time has it.
 */
public interface DrivingWait {
    /** Has the calling thread have it until {@link #giveBack}; false if another thread has it, or this one cannot. */
    boolean take();

    /**
     * Waits for at most so long until there is something to do, and does it; for the thread that took it.
     *
     * @return false if it is of no use to go on
     */
    boolean turn(long nanos);

    /** Ends what {@link #take} began: another thread can take it. */
    void giveBack();

    /** Ends the turn under way, or the next one. Any thread. */
    void wakeup();
}
