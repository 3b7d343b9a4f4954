package org.panamaverbs.ibverbs.stub;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.faults.StackEnd;

/** What is left once the stack has ended in calls: other contexts go on, and its own can be closed or says why not. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class StackEndOverStubTest {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7174);
    private static final int OCTETS = 100;

    /** A context with a connection. */
    private static final class Context implements AutoCloseable {
        private final StubVerbs verbs = new StubVerbs();
        private final CompletionQueue queue = verbs.queue(4096);
        private final RegisteredBuffer buffer = verbs.domain().allocate(4096, Access.LOCAL_WRITE);
        private final WorkCompletions completions = WorkCompletions.ofCapacity(16);
        private final Connection connection = verbs.connections()
                .connect(PEER, verbs.domain().create(config()), true, ConnectionConfig.defaults(), soon());

        private QueuePairConfig config() {
            return QueuePairConfig.of(verbs.domain(), queue);
        }

        private int send() {
            return connection.queuePair().send(1, buffer, 0, OCTETS, SIGNALED);
        }

        @Override
        public void close() {
            connection.close();
            buffer.close();
            queue.close();
            verbs.close();
        }
    }

    private static Deadline soon() {
        return Deadline.in(20, SECONDS);
    }

    @BeforeAll
    static void stub() {
        Stub.require();
        Stub.forget();
        Stub.oblige(true);
    }

    @AfterAll
    static void forget() {
        Stub.forget();
    }

    @Test
    void otherContextsGoOnAndItsOwnIsClosedOrSaysWhyNot() throws InterruptedException {
        Context context = new Context();
        List<Runnable> calls = List.of(
                context::send,
                () -> context.queue.poll(context.completions),
                () -> context.verbs.domain().allocate(4096, Access.LOCAL_WRITE).close(),
                () -> context.verbs.queue(16).close(),
                () -> context.verbs.domain().create(context.config()).close());
        for (Runnable call : calls) {
            assertThat(StackEnd.overflows(call)).isPositive();
        }

        try (Context other = new Context()) {
            assertThat(other.send()).isNotNegative();
            other.queue.poll(other.completions, soon());
            assertThat(other.completions.get(0).ok()).isTrue();
        }
        Throwable refusal = catchThrowable(context::close);
        assertThat(refusal == null || refusal.getMessage() != null)
                .as("%s", refusal)
                .isTrue();
    }
}
