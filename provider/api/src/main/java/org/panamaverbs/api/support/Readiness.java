package org.panamaverbs.api.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Tells the event queue that an object is a member of, if it is, that the object may have an event. Any thread. */
public final class Readiness {
    private static final VarHandle WATCHER;

    static {
        try {
            WATCHER = MethodHandles.lookup().findVarHandle(Readiness.class, "watcher", Watcher.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Watcher watcher;

    /** Creates what tells nobody so far. */
    public Readiness() {}

    /** Who is told. */
    public interface Watcher {
        /** The object may have an event. Called under locks of the provider: short, without memory. */
        void ready();

        /** The object is closed. */
        void closed();
    }

    /** Says that there may be an event; it is there already. Needs no memory, and waits for nobody. */
    public void changed() {
        Watcher told = watcher;
        if (told != null) {
            told.ready();
        }
    }

    /** Says that the object is closed, and has no events any more. */
    public void closed() {
        Watcher told = watcher;
        if (told != null) {
            told.closed();
        }
    }

    /** Has {@code watcher} told from now on; false if somebody is already. */
    boolean watch(Watcher newWatcher) {
        return WATCHER.compareAndSet(this, null, newWatcher);
    }

    /** Has {@code watcher} told no longer. */
    void unwatch(Watcher oldWatcher) {
        WATCHER.compareAndSet(this, oldWatcher, null);
    }
}
