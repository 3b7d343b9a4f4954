package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** A device without the kernel's connection manager, as device plugins of containers pass it on. */
class NoConnectionManagerOverStubTest extends OverStub {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    private static final int ENOENT = 2; // asm-generic/errno-base.h

    @Test
    void whatNeedsItSaysSoAndTheRestWorks() {
        Stub.fail("rdma_create_event_channel", ENOENT, Integer.MAX_VALUE);
        IbvCompletionQueue queue = verbs.queue(16);
        IbvQueuePair queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
        assertThatThrownBy(() -> verbs.connections().listen(ANY_PORT, ListenerConfig.defaults()))
                .isInstanceOf(ResourceException.class)
                .hasMessageContainingAll(
                        "stub0", "modprobe rdma_ucm", "--device /dev/infiniband/rdma_cm", "out of band");
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        try (RegisteredBuffer buffer = verbs.domain().allocate(64, Access.LOCAL_WRITE)) {
            assertThat(queuePair.send(1, buffer, 0, 64, SendFlag.SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
            assertThat(queue.poll(WorkCompletions.ofCapacity(1))).isOne();
        }
    }
}
