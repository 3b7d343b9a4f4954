package org.panamaverbs.cli.command;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("CheckReturnValue") // what became of a post is seen by what comes of it
class FailedWorkTest {
    private final WorkCompletions completions = WorkCompletions.ofCapacity(1);

    private static Deadline soon() {
        return Deadline.in(30, SECONDS);
    }

    @Test
    void saysWhatThePeerRefusedAndWhatToDo() {
        try (Verbs verbs = Verbs.open(OpenConfig.provider("iwarp"));
                ProtectionDomain domain = verbs.protectionDomain();
                CompletionQueue queue = verbs.completionQueue(16);
                RegisteredBuffer buffer = domain.allocate(64, Access.LOCAL_WRITE);
                Listener listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            QueuePairConfig config = QueuePairConfig.of(domain, queue);
            CompletableFuture<Connection> accepted = CompletableFuture.supplyAsync(
                    () -> listener.accept(soon()).accept(config, ConnectionConfig.defaults(), soon()));
            try (Connection client =
                            verbs.connect(listener.localAddress(), config, ConnectionConfig.defaults(), soon());
                    Connection server = accepted.join()) {
                // The buffer lacks the right.
                RemoteBuffer remote = RemoteBuffer.of(buffer.rkey(), buffer.iova(), 64, Access.REMOTE_READ);
                client.queuePair().read(7, buffer, 0, 8, remote, 0, org.panamaverbs.api.SendFlag.SIGNALED);
                queue.poll(completions, soon());

                assertThat(FailedWork.explain(completions.get(0), client.queuePair()))
                        .contains("remote access error", "; because of 0/1/02 remote protection error: access rights")
                        .contains("found by the peer; RFC 5040 §4.8", " in RDMA Read Request, queue 1, MSN 1")
                        .contains(
                                "; remedy: grant that right in the responder's queue pair (withAccess), and register the memory");
                assertThat(server.awaitDisconnect(soon())).isTrue();
            }
        }
    }
}
