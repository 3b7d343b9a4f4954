package org.panamaverbs.spi.support;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.panamaverbs.memory.Resources;

/** Two-step creation with rollback of the first step if the second fails. */
public final class Creation {
    private Creation() {}

    /**
     * Returns the result of {@code adopt} for the object that {@code create} creates. If {@code adopt} throws,
     * {@code undo} destroys the created object. Create all three arguments beforehand: creating them later could fail.
     *
     * @param create creates a native object, a registration, or a place in a table
     * @param adopt creates the object that owns it from then on
     * @param undo destroys it; should need no memory. Its exceptions become suppressed ones
     */
    public static <N, T> T of(Supplier<N> create, Function<? super N, T> adopt, Consumer<? super N> undo) {
        N created = create.get();
        try {
            return adopt.apply(created);
        } catch (Throwable e) {
            try {
                undo.accept(created);
            } catch (Throwable also) {
                Resources.suppress(e, also);
            }
            throw e;
        }
    }
}
