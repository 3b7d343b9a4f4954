package org.panamaverbs.iwarp.engine.device;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for what is over soon: spins, then yields, then sleeps a little each time. Allocates nothing when it is
 * contended, which a {@link java.util.concurrent.locks.ReentrantLock} does. Not reentrant.
 */
public final class SpinLock {
    private static final int SPINS = 200;
    private static final int YIELDS = 1000;
    private static final long NAP_NANOS = 20_000;
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean held;

    /** Takes the lock. */
    public void lock() {
        if (!tryLock()) {
            lockSlowly();
        }
    }

    /** Takes the lock if nobody has it. */
    public boolean tryLock() {
        return HELD.compareAndSet(this, false, true);
    }

    /** Gives the lock back, without the fence that a volatile store has behind it. */
    public void unlock() {
        HELD.setRelease(this, false);
    }

    private void lockSlowly() {
        int tries = 0;
        while (held || !tryLock()) {
            tries++;
            if (tries % SPINS != 0) {
                Thread.onSpinWait();
            } else if (tries < SPINS * YIELDS) {
                Thread.yield();
            } else {
                Thread.yield(); // where an interrupt is pending nobody naps
                LockSupport.parkNanos(this, NAP_NANOS);
            }
        }
    }
}
