package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ReceiveList;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.Drained;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.testkit.Waits;

/** A shared receive queue that is resized: what the driver is told, and what is counted of it. */
class ResizedSharedQueueOverStubTest extends OverStub {
    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.SHARED_RECEIVE_QUEUE, Feature.SRQ_RESIZE));
    }

    @Test
    void driverIsAskedAndItsRefusalLeavesTheQueueAsItWas() {
        try (SharedReceiveQueue shared =
                verbs.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(2))) {
            shared.resize(100);
            assertThat(Stub.sharedMaxWr()).isEqualTo(100);
            assertThat(shared.config())
                    .isEqualTo(SharedReceiveQueueConfig.of(100).withSge(2));
            shared.armLimit(100);

            Stub.fail("ibv_modify_srq", Errno.EINVAL, 1);
            assertThatThrownBy(() -> shared.resize(50))
                    .isInstanceOf(ResourceException.class)
                    .hasMessageContaining("to 50 receives");
            assertThat(shared.config().maxWr()).isEqualTo(100);
        }
    }

    @Test
    void listsOfALargerQueueGoWithFewerDoorbells() {
        try (SharedReceiveQueue shared =
                verbs.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(1))) {
            ReceiveList list = ReceiveList.ofCapacity(64);
            while (list.count() < 64) {
                list.add(list.count(), 0, 0, 0);
            }
            Stub.receiveRoom(-1);
            assertThat(shared.recv(list)).isEqualTo(64);
            assertThat(Stub.receiveCalls()).isEqualTo(16);
            shared.resize(64);
            Stub.receiveRoom(-1);
            assertThat(shared.recv(list)).isEqualTo(64);
            assertThat(Stub.receiveCalls()).isEqualTo(1);
        }
    }

    @Test
    void completionQueueKeepsRoomForWhatTheLargerQueueCanComplete() {
        try (SharedReceiveQueue shared = verbs.domain()
                        .sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(1));
                // Beside two queue pairs' sends, 16 each, there is room for 4 receives and for some markers.
                IbvCompletionQueue queue = verbs.queue(2 * 16 + 4 + 8);
                IbvQueuePair stuck = ready(queue, shared);
                IbvQueuePair other = ready(queue, shared)) {
            Stub.hold(stuck.number(), true);
            assertThat(stuck.drain(Waits.brief())).isEqualTo(Drained.LATE);
            assertThat(other.drain(Waits.deadline()))
                    .as("room for a second marker")
                    .isEqualTo(Drained.DONE);

            shared.resize(12);
            assertThat(other.drain(Waits.brief())).as("one entry is ours alone").isEqualTo(Drained.LATE);
            shared.resize(4);
            assertThat(other.drain(Waits.deadline())).isEqualTo(Drained.DONE);

            Stub.fail("ibv_modify_srq", Errno.EINVAL, 1);
            assertThatThrownBy(() -> shared.resize(12)).isInstanceOf(ResourceException.class);
            assertThat(other.drain(Waits.deadline())).isEqualTo(Drained.DONE);
            Stub.hold(stuck.number(), false);
        }
    }

    @Test
    void aDestructionThatIsTriedAgainTakesNothingFromTheOthersThatShare() {
        try (SharedReceiveQueue shared = verbs.domain()
                        .sharedReceiveQueue(SharedReceiveQueueConfig.of(12).withSge(1));
                // Beside two queue pairs' sends, 16 each, there is room for 12 receives and for one marker.
                IbvCompletionQueue queue = verbs.queue(2 * 16 + 12);
                IbvQueuePair stuck = ready(queue, shared);
                IbvQueuePair other = ready(queue, shared)) {
            IbvQueuePair closed = ready(queue, shared);
            Stub.fail("ibv_destroy_qp", Errno.EBUSY, 2);
            assertThatThrownBy(closed::close).isInstanceOf(ResourceException.class);
            assertThatThrownBy(closed::close).isInstanceOf(ResourceException.class);
            closed.close();

            Stub.hold(stuck.number(), true);
            assertThat(stuck.drain(Waits.brief())).isEqualTo(Drained.LATE);
            assertThat(other.drain(Waits.brief())).as("one entry is ours alone").isEqualTo(Drained.LATE);
            Stub.hold(stuck.number(), false);
        }
    }

    private IbvQueuePair ready(IbvCompletionQueue queue, SharedReceiveQueue shared) {
        IbvQueuePair made = verbs.domain()
                .create(QueuePairConfig.of(verbs.domain(), queue)
                        .withSrq(shared)
                        .withDepth(16, 0));
        made.modify(QueuePairAttributes.to(QueuePairState.RTS));
        return made;
    }
}
