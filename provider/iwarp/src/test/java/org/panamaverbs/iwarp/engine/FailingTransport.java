package org.panamaverbs.iwarp.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.panamaverbs.iwarp.engine.transport.Transport;

/** Transports of which one operation fails, as where the stack ends or memory does. */
final class FailingTransport {
    private FailingTransport() {}

    /** Returns {@code transport} with an {@code operation} that throws as often as {@code fails} says so. */
    static Transport of(Transport transport, String operation, BooleanSupplier fails) {
        return (Transport) Proxy.newProxyInstance(
                Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(operation) && fails.getAsBoolean()) {
                        throw new StackOverflowError("of a test");
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
