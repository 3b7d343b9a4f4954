package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.ibverbs.completion.Drained;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Waits;

/** Completions with errors say something of the queue pair that they are of, and of no other that has its number. */
class FormerLivesOverStubTest extends OverStub {
    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);
    private IbvCompletionQueue queue;

    @BeforeEach
    void open() {
        queue = verbs.queue(1024);
    }

    @Test
    void sayNothingOfTheNextQueuePairWithTheNumber() {
        IbvQueuePair next = successor(flushed(queue), queue);
        assertFlushed(queue);
        assertThat(next.state()).isEqualTo(QueuePairState.INIT);
    }

    @Test
    void sayNothingOfTheNextQueuePairOnceItIsReady() {
        IbvQueuePair next = successor(flushed(queue), queue);
        next.modify(QueuePairAttributes.to(QueuePairState.RTS));
        assertFlushed(queue);
        assertThat(next.postRecv(8, 0, 0, 0)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(next.state()).isEqualTo(QueuePairState.RTS);
        Stub.hold(next.number(), true);
        assertThat(next.drain(Waits.brief())).isEqualTo(Drained.LATE);
    }

    @Test
    void sayNothingOfTheNextQueuePairInAnotherQueue() {
        IbvQueuePair next = successor(flushed(queue), verbs.queue(1024));
        assertFlushed(queue);
        assertThat(next.state()).isEqualTo(QueuePairState.INIT);
    }

    @Test
    void sayNothingOfAQueuePairThatWasReset() {
        IbvQueuePair queuePair = flushed(queue);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        assertFlushed(queue);
        assertThat(queuePair.postRecv(8, 0, 0, 0)).isEqualTo(PostStatus.ACCEPTED);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
    }

    /** All other connections of the queue wait meanwhile. */
    @Test
    void areTakenOffInBlocks() {
        IbvQueuePair first = ready(queue);
        int many = 900;
        for (int i = 0; i < many; i++) {
            assertThat(first.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(i).flags(SendFlag.SIGNALED)))
                    .isEqualTo(PostStatus.ACCEPTED);
        }
        int before = Stub.completionPolls();
        ready(queue);
        assertThat(Stub.completionPolls() - before).isLessThan(8);
        for (int i = 0; i < many; i += completions.count()) {
            assertThat(queue.poll(completions)).isEqualTo(4);
            assertThat(completions.get(0).wrId()).isEqualTo(i);
        }
        assertThat(queue.poll(completions)).isZero();
    }

    @Test
    void sayThatTheirQueuePairFailed() {
        IbvQueuePair queuePair = successor(flushed(queue), queue);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        write(queuePair);
        Stub.fault(queuePair.number());
        assertFlushed(queue);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.get(0).status()).isEqualTo(WcStatus.RETRY_EXCEEDED);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    @Test
    void sayThatTheirQueuePairFailedWhenTheyAreKeptForTheApplication() {
        IbvQueuePair queuePair = ready(queue);
        write(queuePair);
        Stub.fault(queuePair.number());
        assertThat(ready(queue).drain(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThat(queue.poll(completions)).isEqualTo(1);
    }

    @Test
    void sayThatTheirQueuePairFailedWhenTheyAreOfMarkers() {
        IbvQueuePair queuePair = ready(queue);
        Stub.hold(queuePair.number(), true);
        assertThat(queuePair.drain(Waits.brief())).isEqualTo(Drained.LATE);
        Stub.fault(queuePair.number());
        assertThat(queue.poll(completions)).isZero();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
    }

    /** Returns a queue pair that failed with a Write outstanding, which nobody polled. */
    private IbvQueuePair flushed(IbvCompletionQueue its) {
        IbvQueuePair made = ready(its);
        write(made);
        made.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        return made;
    }

    /** Closes {@code former} and returns one that has its number. */
    private IbvQueuePair successor(IbvQueuePair former, IbvCompletionQueue its) {
        former.close();
        Stub.nextQpNumber(former.number());
        IbvQueuePair made = verbs.queuePair(QueuePairConfig.of(verbs.domain(), its));
        assertThat(made.number()).isEqualTo(former.number());
        return made;
    }

    private IbvQueuePair ready(IbvCompletionQueue its) {
        IbvQueuePair made = verbs.queuePair(QueuePairConfig.of(verbs.domain(), its));
        made.modify(QueuePairAttributes.to(QueuePairState.RTS));
        return made;
    }

    /** Posts a Write that does not complete. */
    private static void write(IbvQueuePair queuePair) {
        Stub.hold(queuePair.number(), true);
        assertThat(queuePair.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(7).flags(SendFlag.SIGNALED)))
                .isEqualTo(PostStatus.ACCEPTED);
    }

    private void assertFlushed(IbvCompletionQueue its) {
        assertThat(its.poll(completions)).isEqualTo(1);
        assertThat(completions.get(0).wrId()).isEqualTo(7);
        assertThat(completions.get(0).status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
    }
}
