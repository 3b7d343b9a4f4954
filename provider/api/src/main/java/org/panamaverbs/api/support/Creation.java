package org.panamaverbs.api.support;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.panamaverbs.memory.Resources;

/** Makes what has two steps, and takes the first back where the second fails. */
public final class Creation {
    private Creation() {}

    /**
     * Returns what {@code adopt} makes of what {@code create} creates; if that throws, whatever it is, {@code undo}
     * takes back what was created. All three exist before anything is created: making them afterwards could fail.
     *
     * @param create makes a native object, a registration, a place in a table
     * @param adopt makes the object that closes it from then on
     * @param undo takes it back; should need no memory. What it throws is a suppressed exception of the first
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
