package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;

/**
 * A driver that takes a part of what is posted, or refuses for reasons of its own: nothing is lost, or posted twice.
 */
class FullQueueOverStubTest extends OverStub {
    private static final int DEPTH = 6;
    private static final int EIO = 5;

    private final WorkCompletions completions = WorkCompletions.ofCapacity(64);
    private IbvCompletionQueue queue;
    private IbvQueuePair queuePair;
    private Batch batch;

    @BeforeEach
    void open() {
        queue = verbs.queue(1024);
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        batch = queuePair.batch();
        Stub.hold(queuePair.number(), true);
        Stub.depth(queuePair.number(), DEPTH);
    }

    @Test
    void batchKeepsWhatTheQueueDidNotTake() {
        collect(100, 4);
        assertThat(batch.submit()).isEqualTo(4);
        assertThat(batch.pending()).isZero();
        collect(200, 4);
        assertThat(batch.submit()).isEqualTo(2);
        assertThat(batch.pending()).isEqualTo(2);
        assertThat(batch.submit()).isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(batch.pending()).isEqualTo(2);
        collect(300, 1);

        assertThat(completed()).containsExactly(100L, 101L, 102L, 103L, 200L, 201L);
        assertThat(batch.submit()).isEqualTo(3);
        assertThat(completed()).containsExactly(202L, 203L, 300L);
        assertThat(post(queuePair, 400)).isEqualTo(PostStatus.ACCEPTED);
    }

    @Test
    void discardForgetsOnlyWhatWasNotTaken() {
        collect(100, 8);
        assertThat(batch.submit()).isEqualTo(DEPTH);
        batch.discard();
        assertThat(batch.pending()).isZero();
        assertThat(completed()).hasSize(DEPTH);
        assertThat(post(queuePair, 200)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(completed()).containsExactly(200L);
    }

    @Test
    void submitAllSaysHowManyArePosted() {
        collect(100, 8);
        assertThatThrownBy(batch::submitAll)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("6 of 8 work requests of the batch were posted")
                .hasMessageContaining("queue full");
        assertThat(completed()).hasSize(DEPTH);
        assertThat(post(queuePair, 200)).isEqualTo(PostStatus.ACCEPTED);
    }

    @Test
    void anErrorOfTheDriverIsAStatus() {
        Stub.fail("ibv_post_send", EIO, 1);
        int status = post(queuePair, 1);
        assertThat(PostStatus.errno(status)).isEqualTo(EIO);
        assertThat(PostStatus.text(status)).contains("errno 5").contains("dmesg");
        assertThat(post(queuePair, 2)).isEqualTo(PostStatus.ACCEPTED);

        collect(100, 2);
        Stub.fail("ibv_post_send", EIO, 1);
        assertThat(PostStatus.errno(batch.submit())).isEqualTo(EIO);
        assertThat(batch.pending()).isEqualTo(2);
        assertThat(batch.submit()).isEqualTo(2);
        assertThat(completed()).containsExactly(2L, 100L, 101L);
    }

    @Test
    void anErrorOfTheDriverIsAStatusOfReceivesToo() {
        Stub.fail("ibv_post_recv", EIO, 1);
        assertThat(PostStatus.errno(queuePair.postRecv(1, 0, 0, 0))).isEqualTo(EIO);
        Stub.fail("ibv_post_recv", Errno.ENOMEM, 1);
        assertThat(queuePair.postRecv(1, 0, 0, 0)).isEqualTo(PostStatus.QUEUE_FULL);
        assertThat(queuePair.postRecv(1, 0, 0, 0)).isEqualTo(PostStatus.ACCEPTED);
    }

    private void collect(long first, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(post(batch, first + i)).isEqualTo(PostStatus.ACCEPTED);
        }
    }

    private static int post(SendQueue to, long wrId) {
        return to.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(wrId).flags(SIGNALED));
    }

    /** Lets what is held complete, and returns its ids. */
    private List<Long> completed() {
        Stub.hold(queuePair.number(), false);
        Stub.hold(queuePair.number(), true);
        List<Long> ids = new ArrayList<>();
        for (int count = queue.poll(completions); count > 0; count = queue.poll(completions)) {
            for (int i = 0; i < count; i++) {
                ids.add(completions.get(i).wrId());
            }
        }
        return ids;
    }
}
