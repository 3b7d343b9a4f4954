package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;

/** The stub leaves completions of a queue pair that was destroyed, as rxe does, and gives out numbers as it is told. */
class AttachmentsOverStubTest extends OverStub {
    private final WorkCompletions completions = WorkCompletions.ofCapacity(8);
    private IbvCompletionQueue queue;

    @BeforeEach
    void open() {
        queue = verbs.queue(1024);
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairType.class,
            mode = Mode.EXCLUDE,
            names = {"XRC_SEND", "XRC_RECV", "DRIVER"})
    void completionsThatAreLeftHaveWhatTheirQueuePairWasGiven(QueuePairType type) {
        IbvQueuePair closed = made(type, 0, "closed");
        Stub.receive(closed.number(), 1);
        closed.close();
        Stub.receive(made(type, closed.number(), "next").number(), 2);
        expect("closed", "next");
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairType.class,
            mode = Mode.EXCLUDE,
            names = {"XRC_SEND", "XRC_RECV", "DRIVER"})
    void nextOfTheNumberHasNoneIfItWasGivenNone(QueuePairType type) {
        IbvQueuePair closed = made(type, 0, "closed");
        Stub.receive(closed.number(), 1);
        closed.close();
        Stub.receive(made(type, closed.number(), null).number(), 2);
        expect("closed", null);
    }

    @ParameterizedTest
    @EnumSource(
            value = QueuePairType.class,
            mode = Mode.EXCLUDE,
            names = {"XRC_SEND", "XRC_RECV", "DRIVER"})
    void numberThatIsGivenOutBeforeItsOwnerIsForgottenIsTheNextOnes(QueuePairType type) {
        IbvQueuePair first = made(type, 0, "first");
        Stub.receive(first.number(), 1);
        // As when another thread makes one between the destruction and what follows it.
        IbvQueuePair second = made(type, first.number(), "second");
        Stub.receive(second.number(), 2);
        first.close();
        Stub.hold(second.number(), false);
        assertThat(queue.poll(completions)).isPositive();
        assertThat(completions.get(0).attachment()).isEqualTo("first");
        for (int more = queue.poll(completions); more != 0; more = queue.poll(completions)) {
            assertThat(completions.get(more - 1).attachment()).isEqualTo("second");
        }
        Stub.receive(second.number(), 3);
        expect("second");
    }

    private void expect(@Nullable Object... attachments) {
        for (int next = 0; next < attachments.length; ) {
            int count = queue.poll(completions);
            assertThat(count).isPositive();
            for (int i = 0; i < count; i++) {
                assertThat(completions.get(i).attachment()).isEqualTo(attachments[next++]);
            }
        }
        assertThat(queue.poll(completions)).isZero();
    }

    /** Makes a queue pair with {@code number}, 0 for any. */
    private IbvQueuePair made(QueuePairType type, int number, @Nullable Object attachment) {
        if (number != 0) {
            Stub.nextQpNumber(number);
        }
        IbvQueuePair made = verbs.queuePair(
                QueuePairConfig.of(verbs.domain(), queue).withType(type).withAttachment(attachment));
        assertThat(number == 0 || made.number() == number).isTrue();
        return made;
    }
}
