package org.panamaverbs.ibverbs.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a native object's data path passes: one thread at a time, and none any more once it is shut. Shutting waits for
 * the thread inside, so that the object can be destroyed afterwards. One compare-and-set a passage; spins, then yields.
 * Not reentrant.
 */
public final class Gate {
    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int SHUT = 2;
    private static final int SPINS = 200;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    /** Makes an open one. */
    public Gate() {}

    /**
     * Lets the caller in, after whoever is inside; returns false if it is shut. After true, {@link #leave} must follow.
     */
    public boolean enter() {
        return STATE.compareAndSet(this, FREE, HELD) || enterSlow(HELD);
    }

    /** Lets the next one in, without the fence that a volatile store has behind it. */
    public void leave() {
        STATE.setRelease(this, FREE);
    }

    /** Shuts the gate for ever after whoever is inside has left; returns false if it was shut before. */
    public boolean shut() {
        return enterSlow(SHUT);
    }

    private boolean enterSlow(int wanted) {
        int spins = 0;
        while (!STATE.compareAndSet(this, FREE, wanted)) {
            if (state == SHUT) {
                return false;
            }
            if (++spins < SPINS) {
                Thread.onSpinWait();
            } else {
                spins = 0;
                Thread.yield();
            }
        }
        return true;
    }
}
