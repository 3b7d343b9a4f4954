package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;

/** Memory of a device, which the process does not have: requests name it, touching it is refused. */
class DmaBufOverStubTest extends OverStub {
    private static final int DMA_BUF = 1000; // of stub.c
    private static final long IOVA = 0x7000_0000_0000L;

    private IbvCompletionQueue queue;
    private IbvQueuePair queuePair;
    private RegisteredBuffer buffer;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.DMA_BUF, Feature.MEMORY_WINDOW_TYPE_2));
    }

    @BeforeEach
    void open() {
        queue = verbs.queue(16);
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        buffer = verbs.domain()
                .registerDmaBuf(DMA_BUF, 0, 4096, IOVA, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
    }

    @AfterEach
    void close() {
        buffer.close();
    }

    /** Linux' UVERBS_METHOD_REG_DMABUF_MR refuses them with EINVAL. */
    @ParameterizedTest
    @EnumSource(names = {"MEMORY_WINDOW_BIND", "ON_DEMAND", "ZERO_BASED"})
    void rightsThatTheKernelDoesNotTakeAreNamed(Access right) {
        assertThatThrownBy(() -> verbs.domain().registerDmaBuf(DMA_BUF, 0, 4096, IOVA, Access.LOCAL_WRITE, right))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of dma-buf 1000")
                .hasMessageContaining("not with " + Access.format(right.bit()));
    }

    @Test
    void touchingItIsRefused() {
        assertThat(buffer.hasSegment()).isFalse();
        assertThatThrownBy(() -> buffer.segment().fill((byte) 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(buffer.resourceName());
        assertThatThrownBy(() -> buffer.atomicTarget(0)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void inlineDataAreNotCopiedFromIt() {
        assertThat(queuePair.post(WorkRequest.of(SendOpcode.SEND)
                        .wrId(1)
                        .local(IOVA, 8, buffer.lkey())
                        .flags(SendFlag.INLINE)))
                .isNegative();
    }

    @Test
    void requestsNameItByAddress() {
        assertThat(buffer.length()).isEqualTo(4096);
        assertThat(buffer.checkedAddress(4090, 6)).isEqualTo(IOVA + 4090);
        assertThat(buffer.remote(8, 16).address()).isEqualTo(IOVA + 8);
        assertThat(queuePair.send(1, buffer, 0, 4096, SendFlag.SIGNALED)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(queuePair.recv(2, buffer, 0, 4096)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(queue.poll(WorkCompletions.ofCapacity(4))).isEqualTo(1);
    }

    @Test
    void windowsAreBoundToIt() {
        try (MemoryWindow window = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_2)) {
            assertThat(queuePair.bind(1, window, buffer, 64, 64, SendFlag.SIGNALED, Access.REMOTE_WRITE))
                    .isEqualTo(PostStatus.ACCEPTED);
            assertThat(window.remote().address()).isEqualTo(IOVA + 64);
        }
    }
}
