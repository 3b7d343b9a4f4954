package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.faults.StackEnd;

/** What is left once the stack has ended in calls: other contexts go on, and its own can be closed or says why not. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class StackEndTest {
    private static final int OCTETS = 100;

    @ParameterizedTest
    @ValueSource(strings = {"progress=background", "progress=spin"})
    @SuppressWarnings("CheckReturnValue") // what becomes of a post does not matter
    void otherContextsGoOnAndItsOwnIsClosedOrSaysWhyNot(String option) throws InterruptedException {
        Peer client = new Peer(option);
        Peer server = new Peer();
        Peer.connect(client, server);
        List<Runnable> calls = List.of(
                () -> client.queuePair().write(1, client.buffer, 0, OCTETS, Peer.remote(server), 0, SIGNALED),
                () -> client.queue.poll(client.completions()),
                () -> client.domain.allocate(4096, Access.LOCAL_WRITE).close(),
                () -> client.verbs.completionQueue(16).close(),
                () -> client.domain.queuePair(client.config()).close());
        for (Runnable call : calls) {
            assertThat(StackEnd.overflows(call)).isPositive();
        }

        try (Peer here = new Peer(option);
                Peer there = new Peer();
                Listener listener = there.verbs.listen(Raw.ANY_PORT)) {
            Peer.connect(here, there, listener);
            here.queuePair().write(1, here.buffer, 0, OCTETS, Peer.remote(there), 0, SIGNALED);
            here.nextOk();
        }
        for (Peer each : List.of(client, server)) {
            Connection connection = each.connection();
            Throwable refusal = catchThrowable(each::close);
            assertThat(refusal == null || refusal.getMessage() != null)
                    .as("%s: %s", connection, refusal)
                    .isTrue();
        }
    }
}
