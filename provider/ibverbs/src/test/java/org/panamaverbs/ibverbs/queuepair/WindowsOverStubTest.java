package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.conformance.protection.BindFaults;

/** A driver that finds a window by the key of the bind before, as rxe's does. */
class WindowsOverStubTest extends OverStub {
    private static final int BINDS = 3;

    private IbvCompletionQueue queue;
    private IbvQueuePair queuePair;
    private RegisteredBuffer buffer;
    private MemoryWindow window;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_2));
    }

    @BeforeEach
    void open() {
        queue = verbs.queue(16);
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        buffer = verbs.domain().allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND);
        window = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2);
    }

    @AfterEach
    void close() {
        window.close();
        buffer.close();
    }

    @Test
    void windowIsBoundAgain() {
        for (int i = 0; i < BINDS; i++) {
            bind(queuePair, i);
        }
        assertBound();
    }

    @Test
    void oneBatchBindsAWindowAgain() {
        Batch batch = queuePair.batch();
        for (int i = 0; i < BINDS; i++) {
            bind(batch, i);
        }
        assertThat(batch.submit()).isEqualTo(BINDS);
        assertBound();
    }

    @Test
    void bindTellsItsFaultsInOrder() {
        expectFaultsInOrder(verbs, its -> its, MemoryWindow.Type.TYPE_2);
        expectFaultsInOrder(verbs, QueuePair::batch, MemoryWindow.Type.TYPE_2);
    }

    @Test
    void deviceWithWindowsOfType1AloneBindsThem() {
        try (StubVerbs other = new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_1))) {
            expectFaultsInOrder(other, its -> its, MemoryWindow.Type.TYPE_1);
            IbvQueuePair its = other.queuePair(QueuePairConfig.of(other.domain(), other.queue(16)));
            its.modify(QueuePairAttributes.to(QueuePairState.RTS));
            try (RegisteredBuffer memory =
                            other.domain().allocate(4096, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
                    MemoryWindow first = other.domain().memoryWindow(MemoryWindow.Type.TYPE_1)) {
                assertThat(its.bind(1, first, memory, 0, 64, SendFlag.SIGNALED, Access.REMOTE_READ))
                        .isEqualTo(PostStatus.ACCEPTED);
            }
        }
    }

    /** A bind of type 1 is a call of its own, and overtakes no batch all the same. */
    @Test
    void openBatchIsNotOvertakenByABindOfType1() {
        try (StubVerbs other = new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_1, Feature.MEMORY_WINDOW_TYPE_2))) {
            IbvQueuePair its = other.queuePair(QueuePairConfig.of(other.domain(), other.queue(16)));
            its.modify(QueuePairAttributes.to(QueuePairState.RTS));
            try (RegisteredBuffer memory =
                            other.domain().allocate(4096, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
                    MemoryWindow first = other.domain().memoryWindow(MemoryWindow.Type.TYPE_1)) {
                Batch batch = its.batch();
                assertThat(batch.send(1, memory, 0, 8, SendFlag.SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
                assertThatThrownBy(() -> its.bind(2, first, memory, 0, 64, SendFlag.SIGNALED, Access.REMOTE_READ))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("open batch");
                batch.discard();
            }
        }
    }

    private static void expectFaultsInOrder(
            StubVerbs verbs, Function<QueuePair, SendQueue> queue, MemoryWindow.Type type) {
        QueuePairConfig config = QueuePairConfig.of(verbs.domain(), verbs.queue(16));
        try (ProtectionDomain another = IbvProtectionDomain.create(verbs.context())) {
            BindFaults.expectInOrder(
                    verbs.domain(), another, () -> verbs.domain().create(config), queue, type);
        }
    }

    /** A bind of type 1 is a call of its own: a batch tells that it takes none before it looks at the window. */
    @Test
    void batchTakesNoBindOfType1() {
        try (StubVerbs other = new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_1))) {
            MemoryWindow first = other.domain().memoryWindow(MemoryWindow.Type.TYPE_1);
            IbvQueuePair its = other.queuePair(QueuePairConfig.of(other.domain(), other.queue(16)));
            first.close();
            assertThatThrownBy(() -> its.batch()
                            .post(WorkRequest.of(SendOpcode.BIND_WINDOW)
                                    .wrId(1)
                                    .window(first, buffer, -1, 64, 0)
                                    .flags(1 << 30)))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("bind it on queue pair");
        }
    }

    private void bind(SendQueue to, long wrId) {
        assertThat(to.bind(wrId, window, buffer, 0, 64, SendFlag.SIGNALED, Access.REMOTE_WRITE))
                .isEqualTo(PostStatus.ACCEPTED);
    }

    private void assertBound() {
        WorkCompletions completions = WorkCompletions.ofCapacity(2 * BINDS);
        assertThat(queue.poll(completions)).isEqualTo(BINDS);
        for (int i = 0; i < BINDS; i++) {
            assertThat(completions.get(i).wrId()).isEqualTo(i);
            assertThat(completions.get(i).status()).isEqualTo(WcStatus.SUCCESS);
        }
    }
}
