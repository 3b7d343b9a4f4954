package org.panamaverbs.api.support;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.memory.ManagedResource;

/**
 * Recognizes the objects of a provider among those that an application hands in: they may be another provider's, or
 * another device's of the same. Any thread; allocates nothing if it is one of ours.
 */
public final class Ours {
    private Ours() {}

    /**
     * Returns {@code object} as one of {@code owner}.
     *
     * @param what what it is, for the message: {@code completion queue}
     * @param object what the application has handed in
     * @param type the provider's class of it
     * @param ownerOf tells whose such an object is
     * @param owner the device or the domain that it must be of
     * @throws IllegalArgumentException if it is another's: {@code the completion queue is not of context 3}
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

    /** Returns what {@link #of} throws, for what is told by other means than its class. */
    public static IllegalArgumentException refusal(String what, ManagedResource owner) {
        return new IllegalArgumentException("the " + what + " is not of " + owner.resourceName());
    }

    /** Returns {@code object} as {@link #of} does, or null if it is null. */
    public static <T> @Nullable T orNull(
            String what,
            @Nullable Object object,
            Class<T> type,
            Function<? super T, ? extends ManagedResource> ownerOf,
            ManagedResource owner) {
        return object == null ? null : of(what, object, type, ownerOf, owner);
    }
}
