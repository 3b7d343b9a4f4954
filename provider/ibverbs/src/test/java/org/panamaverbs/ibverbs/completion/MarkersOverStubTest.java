package org.panamaverbs.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Queue pairs that share a completion queue are drained without each other. */
class MarkersOverStubTest extends OverStub {
    // As much as the two queue pairs of a test can have outstanding; and as one can.
    private static final int ROOMY = 1024;
    private static final int TIGHT = 256;

    @Test
    void drainsOneWhileAnotherIsStuck() {
        IbvCompletionQueue queue = verbs.queue(ROOMY);
        IbvQueuePair stuck = ready(queue);
        IbvQueuePair other = ready(queue);
        Stub.hold(stuck.number(), true);
        Background<Drained> waiting = Background.start("drain", () -> stuck.drain(Waits.deadline()));
        Stub.await("the marker is posted", () -> Stub.held(stuck.number()) == 1);

        assertThat(other.drain(Waits.deadline())).isEqualTo(Drained.DONE);

        Stub.hold(stuck.number(), false);
        assertThat(waiting.await(Waits.deadline())).isEqualTo(Drained.DONE);
    }

    @Test
    void waitsForRoomNoLongerThanItsDeadline() {
        IbvCompletionQueue queue = verbs.queue(TIGHT);
        IbvQueuePair stuck = ready(queue);
        IbvQueuePair other = ready(queue);
        Stub.hold(stuck.number(), true);
        Background<Drained> waiting = Background.start("drain", () -> stuck.drain(Waits.deadline()));
        Stub.await("the marker is posted", () -> Stub.held(stuck.number()) == 1);

        assertThat(other.drain(Waits.brief())).isEqualTo(Drained.LATE);

        Stub.hold(stuck.number(), false);
        assertThat(waiting.await(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(other.drain(Waits.deadline())).isEqualTo(Drained.DONE);
    }

    @Test
    void waitForRoomEndsWithTheFailureOfItsQueuePair() {
        IbvCompletionQueue queue = verbs.queue(TIGHT);
        IbvQueuePair stuck = ready(queue);
        IbvQueuePair other = ready(queue);
        Stub.hold(stuck.number(), true);
        assertThat(stuck.drain(Waits.brief())).isEqualTo(Drained.LATE);
        Background<Drained> waiting = Background.start("drain", () -> other.drain(Waits.deadline()));
        other.fail();
        assertThat(waiting.await(Waits.deadline())).isEqualTo(Drained.DONE);
    }

    @Test
    void markerThatWasGivenUpKeepsItsRoomUntilItCompletes() {
        IbvCompletionQueue queue = verbs.queue(TIGHT);
        IbvQueuePair stuck = ready(queue);
        IbvQueuePair other = ready(queue);
        Stub.hold(stuck.number(), true);
        assertThat(stuck.drain(Waits.brief())).isEqualTo(Drained.LATE);
        assertThat(other.drain(Waits.brief())).isEqualTo(Drained.LATE);
        stuck.fail(); // which flushes the marker
        assertThat(other.drain(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(queue.poll(WorkCompletions.ofCapacity(4))).isZero();
    }

    @Test
    void closedQueuePairGivesItsRoomBack() {
        IbvCompletionQueue queue = verbs.queue(TIGHT);
        IbvQueuePair stuck = ready(queue);
        IbvQueuePair other = ready(queue);
        Stub.hold(stuck.number(), true);
        assertThat(stuck.drain(Waits.brief())).isEqualTo(Drained.LATE);
        stuck.close();
        assertThat(other.drain(Waits.deadline())).isEqualTo(Drained.DONE);
    }

    @Test
    void resetQueuePairGivesItsRoomBack() {
        IbvCompletionQueue queue = verbs.queue(TIGHT);
        IbvQueuePair stuck = ready(queue);
        IbvQueuePair other = ready(queue);
        Stub.hold(stuck.number(), true);
        assertThat(stuck.drain(Waits.brief())).isEqualTo(Drained.LATE);
        stuck.modify(QueuePairAttributes.to(QueuePairState.RESET));
        assertThat(other.drain(Waits.deadline())).isEqualTo(Drained.DONE);
    }

    @Test
    void markerOfAClosedQueuePairSaysNothingOfItsSuccessor() {
        IbvCompletionQueue queue = verbs.queue(ROOMY);
        IbvQueuePair first = ready(queue);
        Stub.hold(first.number(), true);
        assertThat(first.drain(Waits.brief())).isEqualTo(Drained.LATE);
        first.fail();
        first.close();
        Stub.nextQpNumber(first.number());
        IbvQueuePair second = ready(queue);
        assertThat(second.number()).isEqualTo(first.number());
        Stub.hold(second.number(), true);
        assertThat(second.drain(Waits.brief())).isEqualTo(Drained.LATE);
        assertThat(queue.poll(WorkCompletions.ofCapacity(4))).isZero();
    }

    @Test
    void keepsWhatItFindsForTheApplication() {
        IbvCompletionQueue queue = verbs.queue(ROOMY);
        IbvQueuePair queuePair = ready(queue);
        for (int i = 0; i < 100; i++) {
            assertThat(write(queuePair, i)).isEqualTo(PostStatus.ACCEPTED);
        }
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(write(queuePair, 100)).isEqualTo(PostStatus.ACCEPTED);
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        int next = 0;
        for (int count = queue.poll(completions); count != 0; count = queue.poll(completions)) {
            for (int i = 0; i < count; i++) {
                assertThat(completions.get(i).wrId()).isEqualTo(next++);
            }
        }
        assertThat(next).isEqualTo(101);
    }

    @Test
    void readsNothingOfAQueueThatIsClosedMeanwhile() {
        IbvCompletionQueue queue = verbs.queue(ROOMY);
        AtomicInteger posts = new AtomicInteger();
        Drained drained = MarkerWait.await(
                queue,
                1,
                id -> posts.incrementAndGet(),
                () -> {
                    queue.close(); // between two steps of who waits
                    return false;
                },
                Waits.brief());
        assertThat(drained).isEqualTo(Drained.LATE);
        assertThat(posts).hasValue(0);
    }

    private IbvQueuePair ready(IbvCompletionQueue queue) {
        IbvQueuePair made = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
        made.modify(QueuePairAttributes.to(QueuePairState.RTS));
        return made;
    }

    private static int write(IbvQueuePair queuePair, long wrId) {
        return queuePair.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(wrId).flags(SendFlag.SIGNALED));
    }
}
