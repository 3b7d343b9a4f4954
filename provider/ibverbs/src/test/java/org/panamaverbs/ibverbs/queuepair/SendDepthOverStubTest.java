package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.ibverbs.completion.Drained;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Waits;

/** The depth of a send queue over a driver that rounds rings up, and refuses what it rounds up too far. */
class SendDepthOverStubTest extends OverStub {
    private static final int BLOCKS = 32768; // of a ConnectX
    private static final int DEEPEST = BLOCKS / 4; // as long as a request has four pieces at most

    private IbvCompletionQueue queue;

    @BeforeEach
    void open() {
        Stub.ringBlocks(BLOCKS);
        queue = verbs.queue(1024);
    }

    @Test
    void deepestRingIsGiven() {
        assertThat(queuePair(DEEPEST, 2).config().maxSendWr()).isEqualTo(DEEPEST);
    }

    @Test
    void ringIsNoLargerThanWhatIsAskedFor() {
        assertThat(queuePair(128, 2).config().maxSendWr()).isEqualTo(128);
        assertThat(queuePair(100, 2).config().maxSendWr()).isEqualTo(128);
    }

    @Test
    void queueIsFullAtTheDepthItTells() {
        IbvQueuePair queuePair = connected(128);
        fill(queuePair, 128);
        assertThat(write(queuePair)).isEqualTo(PostStatus.QUEUE_FULL);
    }

    @Test
    void fullQueueIsDrainedOnceItsRequestsAreDone() {
        IbvQueuePair queuePair = connected(16);
        fill(queuePair, 16);
        assertThat(queuePair.drain(Deadline.now())).isEqualTo(Drained.LATE);
        Stub.hold(queuePair.number(), false);
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
    }

    @Test
    void refusalTellsThatDepthPiecesAndInlineBytesMultiply() {
        assertThatThrownBy(() -> queuePair(DEEPEST, 5))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining(
                        "RC queue pair of 8192 sends of 5 pieces, 128 receives of 2 pieces, 0 inline bytes in")
                .hasMessageContaining("EINVAL")
                .hasMessageContaining("request fewer sends, fewer scatter/gather entries or less inline data");
    }

    private IbvQueuePair connected(int depth) {
        IbvQueuePair queuePair = queuePair(depth, 2);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.hold(queuePair.number(), true);
        return queuePair;
    }

    private IbvQueuePair queuePair(int depth, int pieces) {
        return verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue)
                .withDepth(depth, 128)
                .withSge(pieces, 2)
                .withInline(0));
    }

    private static void fill(IbvQueuePair queuePair, int depth) {
        for (int i = 0; i < depth; i++) {
            assertThat(write(queuePair)).isEqualTo(PostStatus.ACCEPTED);
        }
    }

    private static int write(IbvQueuePair queuePair) {
        return queuePair.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(1).flags(SIGNALED));
    }
}
