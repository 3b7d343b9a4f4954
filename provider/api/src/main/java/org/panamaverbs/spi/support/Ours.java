package org.panamaverbs.spi.support;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.ManagedResource;

/**
 * Recognizes a provider's objects among those that an application passes in, which may be of another provider or
 * device. Any thread; allocates nothing on success.
 */
public final class Ours {
    private Ours() {}

    /**
     * Returns {@code object} cast to the provider's class, if it belongs to {@code owner}.
     *
     * @param what the kind of object, for the message: {@code completion queue}
     * @param object the application's argument
     * @param type the provider's class
     * @param ownerOf returns the owner of an object
     * @param owner the required device or domain
     * @throws IllegalArgumentException if it belongs to another: {@code the completion queue is not of context 3}
     */
    public static <T> T of(
            String what,
            Object object,
            Class<T> type,
            Function<? super T, ? extends ManagedResource> ownerOf,
            ManagedResource owner) {
        if (type.isInstance(object)) {
            T ours = type.cast(object);
            if (ownerOf.apply(ours).equals(owner)) {
                return ours;
            }
        }
        throw refusal(what, owner);
    }

    /** Returns the exception of {@link #of}, for checks that do not depend on the class. */
    public static IllegalArgumentException refusal(String what, ManagedResource owner) {
        return new IllegalArgumentException("the " + what + " does not belong to " + owner.resourceName());
    }

    /** Returns {@code object} as {@link #of}, or null if it is null. */
    public static <T> @Nullable T orNull(
            String what,
            @Nullable Object object,
            Class<T> type,
            Function<? super T, ? extends ManagedResource> ownerOf,
            ManagedResource owner) {
        return object == null ? null : of(what, object, type, ownerOf, owner);
    }
}
