package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.completion.CompletionQueueMaker;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.testkit.process.Allocation;

/** The fields of completions that no device of the lab has, from a driver in C; its numbers are in stub.c. */
class CompletionFieldsOverStubTest extends OverStub {
    private static final int MESSAGES = 100;
    private static final int ROUNDS = 12;

    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(EnumSet.allOf(Feature.class));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void datagramHasAllThatItsQueueWasMadeWith(boolean kept) {
        try (IbvCompletionQueue queue = queue(WcField.values());
                IbvQueuePair queuePair = receiver(queue, QueuePairType.UD)) {
            Stub.receive(queuePair.number(), 0x55);
            if (kept) {
                queue.keepAll();
            }
            WorkCompletion received = next(queue);
            // The stub's extended polls have no number of the sender.
            assertThat(received.sourceQpNumber()).isZero();
            expectAddress(received);
            assertThat(received.timestamp()).isEqualTo(77);
            assertThat(received.wallclockNanos()).isEqualTo(1_700_000_000_000_000_077L);
            assertThat(received.cvlan()).isEqualTo(0xF123);
            assertThat(received.flowTag()).isEqualTo(0xFABCDE);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void datagramOfAnOrdinaryQueueSaysWhereItCameFrom(boolean kept) {
        try (IbvCompletionQueue queue = queue();
                IbvQueuePair queuePair = receiver(queue, QueuePairType.UD)) {
            Stub.receive(queuePair.number(), 0x55);
            if (kept) {
                queue.keepAll();
            }
            WorkCompletion received = next(queue);
            assertThat(received.sourceQpNumber()).isEqualTo(0x55);
            expectAddress(received);
            assertThat(received.hasCvlan() || received.hasFlowTag()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messageOfAConnectionHasNoAddressWhateverTheDriverSays(boolean kept) {
        try (IbvCompletionQueue queue = queue();
                IbvQueuePair queuePair = receiver(queue, QueuePairType.RC)) {
            Stub.receive(queuePair.number(), 0x55);
            if (kept) {
                queue.keepAll();
            }
            WorkCompletion received = next(queue);
            assertThat(received.sourceQpNumber()).isZero();
            assertThat(received.hasGrh()).isFalse();
            assertThat(received.sourceLid()).isZero();
            assertThat(received.serviceLevel()).isZero();
            assertThat(received.dlidPathBits()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(WcField.class)
    void eachFieldAloneIsReadAloneFromTheDriver(WcField field) {
        // What was not asked for has no function in the stub: to call it would end the process.
        try (IbvCompletionQueue queue = queue(field);
                IbvQueuePair queuePair = receiver(queue, QueuePairType.UD)) {
            Stub.receive(queuePair.number(), 0x55);
            WorkCompletion received = next(queue);
            assertThat(received.hasGrh()).isTrue();
            assertThat(received.sourceLid() != 0).isEqualTo(field == WcField.SOURCE_LID);
            assertThat(received.serviceLevel() != 0).isEqualTo(field == WcField.SERVICE_LEVEL);
            assertThat(received.dlidPathBits() != 0).isEqualTo(field == WcField.DLID_PATH_BITS);
            assertThat(received.hasTimestamp()).isEqualTo(field == WcField.TIMESTAMP);
            assertThat(received.hasWallclock()).isEqualTo(field == WcField.WALLCLOCK);
            assertThat(received.hasCvlan()).isEqualTo(field == WcField.CVLAN);
            assertThat(received.hasFlowTag()).isEqualTo(field == WcField.FLOW_TAG);
        }
    }

    @Test
    void pollingAllFieldsAllocatesNothing() {
        try (IbvCompletionQueue queue = queue(WcField.values());
                IbvQueuePair queuePair = receiver(queue, QueuePairType.RC)) {
            queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
            WorkRequest request = WorkRequest.of(SendOpcode.RDMA_WRITE);
            Allocation.expectNone(MESSAGES, ROUNDS, () -> {
                for (int i = 0; i < MESSAGES; i++) {
                    queuePair.post(request.opcode(SendOpcode.RDMA_WRITE).wrId(i).flags(SendFlag.SIGNALED));
                    if (queue.poll(completions) != 1 || completions.get(0).flowTag() != 0xFABCDE) {
                        throw new AssertionError("no completion with a flow tag");
                    }
                }
            });
        }
    }

    private static void expectAddress(WorkCompletion received) {
        assertThat(received.hasGrh()).isTrue();
        assertThat(received.sourceLid()).isEqualTo(0x1234);
        assertThat(received.serviceLevel()).isEqualTo(5);
        assertThat(received.dlidPathBits()).isEqualTo(0x83);
    }

    private WorkCompletion next(IbvCompletionQueue queue) {
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.get(0).ok()).isTrue();
        return completions.get(0);
    }

    private IbvCompletionQueue queue(WcField... fields) {
        return CompletionQueueMaker.make(
                verbs.context(), CompletionQueueConfig.of(1024).withFields(fields));
    }

    private IbvQueuePair receiver(IbvCompletionQueue queue, QueuePairType type) {
        return verbs.domain().create(QueuePairConfig.of(verbs.domain(), queue).withType(type));
    }
}
