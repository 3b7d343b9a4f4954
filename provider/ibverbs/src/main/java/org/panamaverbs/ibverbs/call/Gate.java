package org.panamaverbs.ibverbs.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a native object's data path passes: one thread at a time, and none any more once it is shut. Shutting waits for
 * the thread inside, so that the object can be destroyed afterwards. One compare-and-set a passage; spins, then yields.
 * A thread that never comes back, since its stack ended inside, is no reason for another to spin for ever. Not
 * reentrant.
 */
public final class Gate {
    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int SHUT = 2;
    private static final int LOST = 3;
    private static final int SPINS = 200;
    private static final long LOST_NANOS = 5_000_000_000L;
    private static final long LONGEST_TURN_NANOS = 100_000_000;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    /** Creates an open gate. */
    public Gate() {
        // Links both call sites, of which the second could fail to where the stack ends.
        enter();
        leave();
    }

    /**
     * Lets the caller in, after whoever is inside; returns false if it is shut. After true, {@link #leave} must follow.
     *
     * @throws IllegalStateException if whoever is inside has not left for five seconds
     */
    public boolean enter() {
        return STATE.compareAndSet(this, FREE, HELD) || enterSlow(HELD);
    }

    /** Lets the next one in, without the fence that a volatile store has behind it. */
    public void leave() {
        STATE.setRelease(this, FREE);
    }

    /**
     * Shuts the gate for ever after whoever is inside has left; returns false if it was shut before.
     *
     * @throws IllegalStateException if whoever is inside has not left for five seconds
     */
    public boolean shut() {
        return enterSlow(SHUT);
    }

    private boolean enterSlow(int wanted) {
        int spins = 0;
        long waited = 0;
        long last = System.nanoTime();
        while (!STATE.compareAndSet(this, FREE, wanted)) {
            int now = state;
            if (now == SHUT) {
                return false;
            }
            if (now == LOST || waited > LOST_NANOS) {
                STATE.compareAndSet(this, HELD, LOST);
                throw new IllegalStateException(
                        "a call on this object has not returned: it is still running, or its stack ended there;"
                                + " remedy: end the process if the object must be closed");
            }
            if (++spins < SPINS) {
                Thread.onSpinWait();
            } else {
                spins = 0;
                Thread.yield();
                long time = System.nanoTime();
                // A process that was stopped meanwhile has waited for nobody.
                waited += Math.min(time - last, LONGEST_TURN_NANOS);
                last = time;
            }
        }
        return true;
    }
}
