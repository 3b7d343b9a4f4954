package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.queuepair.IbvProtectionDomain;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Waits;

/** A connect that failed leaves nothing behind that keeps its queue and its domain open; if it must, it is said why. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailedConnectOverStubTest extends OverStub {
    private static final InetSocketAddress PEER = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 7174);

    @ParameterizedTest
    @ValueSource(strings = {"ibv_create_qp", "rdma_create_id", "rdma_connect"})
    void callThatFailsLeavesNothing(String call) {
        Stub.fail(call, Errno.EINVAL, 1);
        assertThatThrownBy(() -> connectInATry(Waits.deadline()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(call)
                .hasNoSuppressedExceptions();
    }

    @Test
    void silentPeerLeavesNothing() {
        assertThatThrownBy(() -> connectInATry(Waits.brief()))
                .isInstanceOf(DeadlineExceededException.class)
                .hasNoSuppressedExceptions();
    }

    @Test
    void queuePairThatTheKernelKeepsIsExplainedUntilItHasClosedByItself() {
        Stub.keepIds(true);
        try (IbvCompletionQueue queue = queue()) {
            assertThatThrownBy(() -> connect(queue, Waits.brief())).isInstanceOf(DeadlineExceededException.class);
            assertThatThrownBy(queue::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "queue pair",
                            "its connect was undone",
                            "kernel",
                            "usually for up to two minutes",
                            "close its parents");
            Stub.keepIds(false);
            Stub.await("the queue pair has closed by itself", () -> closes(queue));
        }
    }

    private static boolean closes(IbvCompletionQueue queue) {
        try {
            queue.close();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    // Queue and domain are the application's, as in its own try.
    private void connectInATry(Deadline deadline) {
        try (var domain = IbvProtectionDomain.create(verbs.context());
                var queue = queue()) {
            var queuePair = domain.create(QueuePairConfig.of(domain, queue));
            verbs.connections()
                    .connect(PEER, queuePair, true, ConnectionConfig.defaults(), deadline)
                    .close();
        }
    }

    private void connect(IbvCompletionQueue queue, Deadline deadline) {
        var queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        assertThat(queuePair.isOpen()).isTrue();
        verbs.connections().connect(PEER, queuePair, true, ConnectionConfig.defaults(), deadline);
    }

    private IbvCompletionQueue queue() {
        return CompletionQueueMaker.make(verbs.context(), CompletionQueueConfig.of(1024));
    }
}
