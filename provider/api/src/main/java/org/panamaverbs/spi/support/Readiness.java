package org.panamaverbs.spi.support;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Signals possible events of an object to its event queue, if it is a member of one. Any thread. */
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

    /** Creates a readiness without a watcher. */
    public Readiness() {}

    /** The receiver of the signals. */
    public interface Watcher {
        /**
         * Receives that the object may have an event. Called under locks of the provider: must be short and not
         * allocate.
         */
        void ready();

        /** Receives that the object is closed. */
        void closed();
    }

    /** Signals that there may be an event, which is available already. Allocates nothing and does not block. */
    public void changed() {
        Watcher told = watcher;
        if (told != null) {
            told.ready();
        }
    }

    /** Signals that the object is closed and has no more events. */
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
