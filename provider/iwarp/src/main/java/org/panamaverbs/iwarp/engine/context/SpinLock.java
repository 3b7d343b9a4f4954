package org.panamaverbs.iwarp.engine.context;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for what is over soon: spins, then yields, then sleeps a little each time. Allocates nothing when it is
 * contended, which a {@link java.util.concurrent.locks.ReentrantLock} does. Not reentrant.
 *
 * <p>Who took it gives it back by a store, {@code lock.held = false} in a {@code finally} clause. A call would need a
 * frame on the stack, and where the stack ends it could not be made: nobody else would have the lock ever again. Where
 * each nanosecond counts, {@link #release} does it with less, and the store where that fails.
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
        // Linked here: where the stack ends it might never be.
        new SpinLock().release();
    }

    /** Whether a thread has it; that thread writes false when it has done. */
    public volatile boolean held;

    /** Takes the lock. Should the stack end in this call, it is not taken. */
    public void lock() {
        if (!tryLock()) {
            lockSlowly();
        }
    }

    /** Takes the lock if nobody has it. Should the stack end in this call, it is not taken. */
    public boolean tryLock() {
        return HELD.compareAndSet(this, false, true);
    }

    /**
     * Gives the lock back without the fence that the store has behind it. Who calls it catches the lack of stack and
     * memory, and gives the lock back by the store then: what fails has not given it back.
     */
    public void release() {
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
