package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** A driver that finds a window by the key of the bind before, as rxe's does. */
class WindowsOverStubTest {
    private static final int BINDS = 3;

    private StubVerbs verbs;
    private IbvCompletionQueue queue;
    private IbvQueuePair queuePair;
    private RegisteredBuffer buffer;
    private MemoryWindow window;

    @BeforeAll
    static void stub() {
        Stub.require();
    }

    @BeforeEach
    void open() {
        verbs = new StubVerbs(EnumSet.of(Feature.MEMORY_WINDOW_TYPE_2));
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
        verbs.close();
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
