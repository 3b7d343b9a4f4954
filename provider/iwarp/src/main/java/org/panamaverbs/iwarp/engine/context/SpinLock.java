package org.panamaverbs.iwarp.engine.context;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for critical sections of a few dozen instructions: spins, then yields. Allocates nothing when it is contended,
 * which a {@link java.util.concurrent.locks.ReentrantLock} does. Not reentrant.
 */
public final class SpinLock {
    private static final int SPINS = 200;
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through HELD
    private volatile boolean held;

    /** Takes it, unless the stack is about to end: then it throws, and has not. */
    public void lock() {
        StackRoom.require();
        int spins = 0;
        while (!HELD.compareAndSet(this, false, true)) {
            if (++spins < SPINS) {
                Thread.onSpinWait();
            } else {
                spins = 0;
                Thread.yield();
            }
        }
    }

    /** Gives it back. */
    public void unlock() {
        HELD.setRelease(this, false);
    }
}
