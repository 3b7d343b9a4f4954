package org.panamaverbs.ibverbs.call;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.spi.support.Waits;

/**
 * A call that may not return for long, as its adapter hangs or a peer does not answer. A platform thread makes it, so
 * that the caller can give it up, and a virtual one keeps no carrier meanwhile. What comes too late is undone.
 *
 * @param <T> what the call returns
 */
public final class BoundedCall<T> {
    private final Supplier<? extends T> call;
    private final Consumer<? super T> undo;
    private final Runnable ended;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock, as the rest.
    private @Nullable T result;
    private @Nullable Throwable failure;
    private boolean givenUp;

    private BoundedCall(Supplier<? extends T> call, Consumer<? super T> undo, Runnable ended) {
        this.call = call;
        this.undo = undo;
        this.ended = ended;
    }

    /**
     * Begins {@code call}, which {@link #await} has to be called for.
     *
     * @param thread the name of its thread meanwhile
     * @param undo takes back what comes too late
     * @param ended runs last, in time or not
     */
    public static <T> BoundedCall<T> start(
            String thread, Supplier<? extends T> call, Consumer<? super T> undo, Runnable ended) {
        BoundedCall<T> bounded = new BoundedCall<>(call, undo, ended);
        PlatformThread.start(thread, bounded::run);
        return bounded;
    }

    private void run() {
        try {
            T made = null;
            Throwable thrown = null;
            try {
                made = call.get();
            } catch (RuntimeException | Error e) {
                thrown = e;
            }
            T late = given(made, thrown);
            if (late != null) {
                undo.accept(late);
            }
        } finally {
            ended.run();
        }
    }

    /** Hands over what came of it; returns what was made if nobody waits any more. */
    private @Nullable T given(@Nullable T made, @Nullable Throwable thrown) {
        lock.lock();
        try {
            if (givenUp) {
                return made;
            }
            result = made;
            failure = thrown;
            changed.signalAll();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what the call returned or throws what it threw; null if it has not ended by {@code deadline}. */
    public @Nullable T await(Deadline deadline) {
        lock.lock();
        try {
            try {
                Waits.uninterruptibly(() -> result != null || failure != null, deadline, changed);
            } finally {
                givenUp = result == null && failure == null;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Tells whether {@link #await} has returned before the call: it is undone when it returns. */
    public boolean isGivenUp() {
        lock.lock();
        try {
            return givenUp;
        } finally {
            lock.unlock();
        }
    }
}
