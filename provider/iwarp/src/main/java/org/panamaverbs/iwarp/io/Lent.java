package org.panamaverbs.iwarp.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a thread borrows for a moment, from where others of its kind are. Who has taken it gives it back by a store,
 * {@code lent = false} in a {@code finally} clause: a call would need a frame, and where the stack ends it could not be
 * made.
 */
public abstract class Lent {
    private static final VarHandle LENT;

    static {
        try {
            LENT = MethodHandles.lookup().findVarHandle(Lent.class, "lent", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Whether a thread has it; that thread writes false when it has done. */
    public volatile boolean lent;

    /** Makes an object that nobody has. */
    protected Lent() {}

    /** Takes the object if nobody has it. Should the stack end in this call, it is not taken. */
    public final boolean tryTake() {
        return !lent && LENT.compareAndSet(this, false, true);
    }
}
