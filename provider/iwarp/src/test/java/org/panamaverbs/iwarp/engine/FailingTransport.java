package org.panamaverbs.iwarp.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.iwarp.engine.transport.Transport;

/** Transports of which some operations fail, as where memory ends. */
public final class FailingTransport {
    private FailingTransport() {}

    /** Returns {@code transport} with an {@code operation} that throws as often as {@code fails} says so. */
    public static Transport of(Transport transport, String operation, BooleanSupplier fails) {
        return of(
                transport,
                name -> name.equals(operation) && fails.getAsBoolean() ? new OutOfMemoryError("of a test") : null);
    }

    /** Returns {@code transport} with operations that throw what {@code failures} makes of their names, if anything. */
    public static Transport of(Transport transport, Function<String, @Nullable Throwable> failures) {
        return (Transport) Proxy.newProxyInstance(
                Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (proxy, method, arguments) -> {
                    Throwable failure = failures.apply(method.getName());
                    if (failure != null) {
                        throw failure;
                    }
                    try {
                        Object result = method.invoke(transport, arguments);
                        return transport.equals(result) ? proxy : result;
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
    }
}
