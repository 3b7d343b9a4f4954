package org.panamaverbs.cli.perf.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.cli.command.CommandFailure;

class SessionCloseTest {
    @Test
    void everyFailureIsTold() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"))) {
            Session session = new Session(
                    failing(Verbs.class, verbs, ""),
                    new Session.Sizes(PerfTest.Operation.SEND, 1, 64, 4, 4, 0, false, QueuePairType.RC),
                    new Session.Waiting(false, Duration.ZERO, Duration.ofSeconds(30)));
            Throwable failure = catchThrowable(session::close);
            assertThat(failure)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("cannot close: the queue")
                    .hasRootCauseMessage("the queue");
            assertThat(failure.getSuppressed()).hasSize(1).allMatch(e -> "the domain".equals(e.getMessage()));
        }
    }

    /** Returns {@code real}, whose domains and queues close and then fail. */
    private static <T> T failing(Class<T> type, T real, String name) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (method.getName().equals("close")) {
                        throw new IllegalStateException(name);
                    }
                    if (result instanceof ProtectionDomain domain) {
                        return failing(ProtectionDomain.class, domain, "the domain");
                    }
                    return result instanceof CompletionQueue queue
                            ? failing(CompletionQueue.class, queue, "the queue")
                            : result;
                }));
    }
}
