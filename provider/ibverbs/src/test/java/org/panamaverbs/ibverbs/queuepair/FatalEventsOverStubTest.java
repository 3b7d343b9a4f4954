package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.spi.support.AsyncEventQueue;
import org.panamaverbs.testkit.Waits;

/** Events that say that something failed reach who asks for them, whatever else fails. */
class FatalEventsOverStubTest extends OverStub {
    private static final int IBV_EVENT_QP_FATAL = 1; // infiniband/verbs.h: enum ibv_event_type

    private IbvQueuePair queuePair() {
        return verbs.domain().create(QueuePairConfig.of(verbs.domain(), verbs.queue(16)));
    }

    private Optional<AsyncEvent> event() {
        return verbs.context().asyncEvent(Waits.deadline());
    }

    private void raise(IbvQueuePair queuePair, int type) {
        int before = Stub.asyncTaken();
        Stub.asyncEvent(queuePair.number(), type);
        Stub.await("the event is taken", () -> Stub.asyncTaken() > before);
    }

    /** The failure itself may be why the driver does not tell the state. */
    @ParameterizedTest
    @CsvSource({"1, QP_FATAL", "2, QP_REQUEST_ERROR", "3, QP_ACCESS_ERROR"})
    void eventOfAQueuePairThatCannotBeQueriedIsReported(int number, AsyncEvent.Type type) {
        reopen(Transport.INFINIBAND);
        try (IbvQueuePair queuePair = queuePair()) {
            Stub.fail("ibv_query_qp", Errno.EINVAL, Integer.MAX_VALUE);
            raise(queuePair, number);
            AsyncEvent event = event().orElseThrow();
            assertThat(event.type()).isEqualTo(type);
            assertThat(event.source()).isSameAs(queuePair);
            assertThat(queuePair.entered()).isEqualTo(QueuePairState.ERROR);
        }
    }

    @Test
    void eventOfAPortNamesIt() {
        Stub.asyncEvents(1);
        assertThat(event().orElseThrow().port()).isOne();
        try (IbvQueuePair queuePair = queuePair()) {
            raise(queuePair, IBV_EVENT_QP_FATAL);
            assertThat(event().orElseThrow().port()).isZero();
        }
    }

    @Test
    void eventsOfAClosedQueuePairAreForgotten() {
        IbvQueuePair closed = queuePair();
        try (IbvQueuePair open = queuePair()) {
            raise(closed, IBV_EVENT_QP_FATAL);
            raise(open, IBV_EVENT_QP_FATAL);
            closed.close();
            assertThat(event().orElseThrow().source()).isSameAs(open);
            assertThat(verbs.context().asyncEvent(Waits.brief())).isEmpty();
        }
    }

    @Test
    void fatalEventFindsAPlaceAmongTheManyThatNobodyTook() {
        int before = Stub.asyncTaken();
        int many = AsyncEventQueue.CAPACITY + 100;
        Stub.asyncEvents(many);
        Stub.await("they are taken", () -> Stub.asyncTaken() == before + many);
        try (IbvQueuePair queuePair = queuePair()) {
            raise(queuePair, IBV_EVENT_QP_FATAL);
            raise(queuePair, IBV_EVENT_QP_FATAL); // and no more than one
            for (int i = 0; i < AsyncEventQueue.CAPACITY; i++) {
                assertThat(event().orElseThrow().type()).isEqualTo(AsyncEvent.Type.LID_CHANGE);
            }
            AsyncEvent last = event().orElseThrow();
            assertThat(last.type()).isEqualTo(AsyncEvent.Type.QP_FATAL);
            assertThat(last.detail()).contains("earlier events were dropped");
            assertThat(verbs.context().asyncEvent(Waits.brief())).isEmpty();
        }
    }
}
