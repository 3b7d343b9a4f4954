package org.panamaverbs.ibverbs.context;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Making Java objects for native ones. */
public final class Natives {
    private Natives() {}

    /**
     * Returns what {@code adopt} makes of what {@code create} creates; if that throws, {@code undo} destroys it. All
     * three exist before anything is created: making them afterwards could fail.
     */
    public static <N, T> T make(Supplier<N> create, Function<? super N, T> adopt, Consumer<? super N> undo) {
        N created = create.get();
        try {
            return adopt.apply(created);
        } catch (Throwable e) {
            try {
                undo.accept(created);
            } catch (RuntimeException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }
}
