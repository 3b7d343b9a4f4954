package org.panamaverbs.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.process.Allocation;

/** A channel finds the queue of an event by the cookie that the queue was made with. */
class ChannelPlacesOverStubTest extends OverStub {
    private static final int EVENTS = 1_000;
    private static final int ROUNDS = 12;

    @Test
    void eventsOfAlternatingQueuesAllocateNothing() {
        try (IbvCompletionChannel channel = IbvCompletionChannel.create(verbs.context());
                IbvCompletionQueue first = queue(channel, 0);
                IbvCompletionQueue second = queue(channel, 0)) {
            Deadline deadline = Waits.deadline();
            Allocation.expectNone(EVENTS, ROUNDS, () -> {
                for (int i = 0; i < EVENTS; i++) {
                    IbvCompletionQueue raised = (i & 1) == 0 ? first : second;
                    raised.arm(false); // the stub raises the event at once
                    if (channel.await(deadline).orElse(null) != raised) {
                        throw new AssertionError("the event of another queue");
                    }
                }
            });
        }
    }

    @Test
    void placeOfAClosedQueueIsTheNextOnes() {
        try (IbvCompletionChannel channel = IbvCompletionChannel.create(verbs.context())) {
            for (int life = 0; life < 20; life++) {
                try (IbvCompletionQueue first = queue(channel, 0);
                        IbvCompletionQueue second = queue(channel, 0)) {
                    second.arm(false);
                    assertThat(channel.await(Waits.deadline())).containsSame(second);
                    first.arm(false);
                    assertThat(channel.await(Waits.deadline())).containsSame(first);
                }
            }
            assertThat(channel.places().take().cookie()).isEqualTo(1);
        }
    }

    @Test
    void queueThatCannotBeMadeLeavesItsPlace() {
        try (IbvCompletionChannel channel = IbvCompletionChannel.create(verbs.context())) {
            Stub.fail("ibv_create_cq", 12, 1);
            try (IbvCompletionQueue never = queue(channel, 0)) {
                throw new AssertionError(never + " was made");
            } catch (ResourceException e) {
                assertThat(channel.places().take().cookie()).isEqualTo(1);
            }
        }
    }

    @Test
    void queueIsMadeWithItsCompletionVector() {
        try (IbvCompletionChannel channel = IbvCompletionChannel.create(verbs.context());
                IbvCompletionQueue first = queue(channel, 1)) {
            assertThat(Stub.vector()).as("%s", first).isEqualTo(1);
            try (IbvCompletionQueue second = queue(channel, 0)) {
                assertThat(Stub.vector()).as("%s", second).isZero();
            }
        }
    }

    private IbvCompletionQueue queue(IbvCompletionChannel channel, int vector) {
        CompletionQueueConfig config =
                CompletionQueueConfig.of(16).withChannel(channel).withCompletionVector(vector);
        return CompletionQueueMaker.make(verbs.context(), config);
    }
}
