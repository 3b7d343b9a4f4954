package org.panamaverbs.ibverbs.objects;

import java.util.function.Supplier;

/** Making Java objects for native ones that exist already. */
final class Natives {
    private Natives() {}

    /** Returns what {@code make} makes; if it throws, {@code undo} destroys the native object. */
    static <T> T adopt(Supplier<T> make, Runnable undo) {
        try {
            return make.get();
        } catch (Throwable e) {
            try {
                undo.run();
            } catch (RuntimeException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }
}
