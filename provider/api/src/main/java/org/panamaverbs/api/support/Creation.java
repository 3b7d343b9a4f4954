package org.panamaverbs.api.support;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.memory.stack.StackRoom;

/** Makes what has two steps, and takes the first back where the second fails. */
public final class Creation {
    // Nobody else can undo it: what needs memory for that is tried for a tenth of a second.
    private static final int UNDO_TRIES = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Creation() {}

    /**
     * Returns what {@code adopt} makes of what {@code create} creates; if that throws, whatever it is, {@code undo}
     * takes back what was created. All three exist before anything is created: making them afterwards could fail. There
     * is room on the stack for all of them, or a {@code StackOverflowError} comes before anything is created.
     *
     * @param create makes a native object, a registration, a place in a table
     * @param adopt makes the object that closes it from then on
     * @param undo takes it back; tried again for a tenth of a second if there is no memory for it. What it throws in
     *     the end is a suppressed exception of the first
     */
    public static <N, T> T of(Supplier<N> create, Function<? super N, T> adopt, Consumer<? super N> undo) {
        StackRoom.require();
        N created = create.get();
        try {
            return adopt.apply(created);
        } catch (Throwable e) {
            undo(undo, created, e);
            throw e;
        }
    }

    private static <N> void undo(Consumer<? super N> undo, N created, Throwable failure) {
        boolean interrupted = false;
        try {
            for (int left = UNDO_TRIES; left > 0; left--) {
                try {
                    undo.accept(created);
                    return;
                } catch (OutOfMemoryError e) {
                    if (left == 1) {
                        Resources.suppress(failure, e);
                    } else {
                        // There may be memory again; who is interrupted would not wait for it.
                        interrupted |= Thread.interrupted();
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                } catch (Throwable also) {
                    Resources.suppress(failure, also);
                    return;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
