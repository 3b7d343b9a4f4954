package org.panamaverbs.iwarp.iovec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What a thread borrows for a moment, from where others of its kind are. */
public abstract class Pooled {
    private static final VarHandle LENT;

    static {
        try {
            LENT = MethodHandles.lookup().findVarHandle(Pooled.class, "lent", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile boolean lent;

    /** Makes an object that nobody has. */
    protected Pooled() {}

    /** Takes the object if nobody has it. */
    public final boolean tryTake() {
        return !lent && LENT.compareAndSet(this, false, true);
    }

    /** Gives the object back, by the thread that has taken it. */
    public final void giveBack() {
        LENT.setRelease(this, false);
    }
}
