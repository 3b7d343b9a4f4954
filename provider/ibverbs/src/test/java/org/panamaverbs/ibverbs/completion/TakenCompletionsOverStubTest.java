package org.panamaverbs.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.context.Failable;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.ManagedResource;

/** Completions that were taken off a queue, of either kind, by a call that did not end: the next one brings them. */
class TakenCompletionsOverStubTest extends OverStub {
    private static final int POSTED = 5;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.of(Feature.EXTENDED_CQ));
    }

    /** A queue pair for whose failed completions there is no memory, some times. */
    private static final class Forgetful implements Failable {
        private int failures;

        Forgetful(int failures) {
            this.failures = failures;
        }

        @Override
        public boolean completesIn(ManagedResource queue) {
            return true;
        }

        @Override
        public void requestFailed(WcStatus status, int vendorError) {}

        @Override
        public void sawError() {
            if (failures > 0) {
                failures--;
                throw new OutOfMemoryError("none in this test");
            }
        }

        @Override
        public void fail(String cause) {
            // Nothing of it is posted.
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPollThatHadNoMemoryLosesNone(boolean extended) {
        IbvCompletionQueue queue = queue(extended);
        IbvQueuePair queuePair = failed(queue);
        Forgetful forgetful = new Forgetful(2);
        verbs.context().objects().addNumber(queuePair.number(), forgetful);
        WorkCompletions completions = WorkCompletions.ofCapacity(16);

        assertThatThrownBy(() -> queue.poll(completions)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> queue.poll(completions)).isInstanceOf(OutOfMemoryError.class);

        assertThat(taken(queue, completions)).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(forgetful.failures).isZero();
        queuePair.close();
        queue.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDrainThatHadNoMemoryLosesNone(boolean extended) {
        IbvCompletionQueue queue = queue(extended);
        IbvQueuePair queuePair = failed(queue);
        Forgetful forgetful = new Forgetful(2);
        verbs.context().objects().addNumber(queuePair.number(), forgetful);

        assertThatThrownBy(queue::keepAll).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(queue::keepAll).isInstanceOf(OutOfMemoryError.class);
        queue.keepAll();

        assertThat(taken(queue, WorkCompletions.ofCapacity(16))).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(forgetful.failures).isZero();
        queuePair.close();
        queue.close();
    }

    private IbvCompletionQueue queue(boolean extended) {
        CompletionQueueConfig config = CompletionQueueConfig.of(1024);
        return CompletionQueueMaker.make(verbs.context(), extended ? config.withFields(WcField.BYTE_COUNT) : config);
    }

    /** Returns a queue pair whose requests have all failed and wait in {@code queue}. */
    private IbvQueuePair failed(IbvCompletionQueue queue) {
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.hold(queuePair.number(), true);
        for (int i = 0; i < POSTED; i++) {
            assertThat(queuePair.post(
                            WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(i).flags(SendFlag.SIGNALED)))
                    .isEqualTo(PostStatus.ACCEPTED);
        }
        queuePair.fail();
        return queuePair;
    }

    private static List<Long> taken(IbvCompletionQueue queue, WorkCompletions completions) {
        List<Long> ids = new ArrayList<>();
        for (int count = queue.poll(completions); count != 0; count = queue.poll(completions)) {
            for (int i = 0; i < count; i++) {
                ids.add(completions.get(i).wrId());
            }
        }
        return ids;
    }
}
