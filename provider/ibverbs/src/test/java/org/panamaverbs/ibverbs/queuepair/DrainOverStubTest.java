package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.Drained;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.post.IbvSendQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/**
 * How InfiniBand and RoCE tell that all before is done: by the last completion, a bind of ours behind it, or a Write.
 */
@SuppressWarnings("NullAway.Init") // before each
class DrainOverStubTest extends OverStub {
    // A window, and the memory that it is bound to.
    private static final int BIND_OBJECTS = 2;

    private IbvCompletionQueue queue;
    private IbvQueuePair queuePair;
    private int objects;

    @Override
    protected StubVerbs opened() {
        return new StubVerbs(Transport.ROCE, Set.of(Feature.MEMORY_WINDOW_TYPE_1));
    }

    @BeforeEach
    void ready() {
        Stub.silent(true);
        queue = verbs.queue(1024);
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        objects = Stub.objects();
    }

    @Test
    void nothingIsPostedBehindASignaledRequest() {
        Stub.hold(queuePair.number(), true);
        write(1, SendFlag.NONE);
        write(2, SendFlag.SIGNALED);
        int polls = Stub.completionPolls();
        Background<Drained> draining = Background.start("drain", () -> queuePair.drain(Waits.deadline()));
        Stub.await("it waits", () -> Stub.completionPolls() > polls + 1);
        assertThat(draining.isDone()).isFalse();
        assertThat(Stub.held(queuePair.number())).isEqualTo(1);
        Stub.hold(queuePair.number(), false);
        assertThat(draining.await(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(Stub.objects()).isEqualTo(objects);
        assertCompleted(2);
    }

    @Test
    void nothingIsPostedWhereNothingWas() {
        Stub.hold(queuePair.number(), true);
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(Stub.held(queuePair.number())).isZero();
    }

    @Test
    void completionThatWasPolledBeforeCounts() {
        write(1, SendFlag.SIGNALED);
        assertCompleted(1);
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
    }

    /** The count of what is done may run ahead where a driver frees places before their completions are polled. */
    @Test
    void moreCompletionsThanTheQueueHasPlacesAreAllAwaited() {
        int depth = queuePair.config().maxSendWr();
        for (int i = 0; i < 3 * depth; i++) {
            write(i, SendFlag.SIGNALED);
        }
        Stub.hold(queuePair.number(), true);
        write(3L * depth, SendFlag.SIGNALED);
        assertThat(queuePair.drain(Waits.brief())).isEqualTo(Drained.LATE);
        Stub.hold(queuePair.number(), false);
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
    }

    @Test
    void failureBeforeTheLastCompletionIsTold() {
        Stub.hold(queuePair.number(), true);
        write(1, SendFlag.SIGNALED);
        Background<Drained> draining = Background.start("drain", () -> queuePair.drain(Waits.deadline()));
        Stub.fault(queuePair.number());
        assertThat(draining.await(Waits.deadline())).isEqualTo(Drained.FAILED);
    }

    /** A window of type 1 is bound by a call of its own, which is a request like others. */
    @Test
    void failureBeforeABindHasCompletedIsTold() {
        Stub.hold(queuePair.number(), true);
        try (RegisteredBuffer memory = verbs.domain().allocate(4096, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
                MemoryWindow window = verbs.domain().memoryWindow(MemoryWindow.Type.TYPE_1)) {
            assertThat(queuePair.bind(1, window, memory, 0, 64, SendFlag.SIGNALED, Access.REMOTE_READ))
                    .isEqualTo(PostStatus.ACCEPTED);
            queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
            assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.FAILED);
        }
    }

    @Test
    void oneWindowIsBoundBehindUnsignaledRequests() {
        for (int round = 0; round < 3; round++) {
            write(1, SendFlag.NONE);
            assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
            assertThat(Stub.objects()).isEqualTo(objects + BIND_OBJECTS);
        }
        assertThat(queue.poll(WorkCompletions.ofCapacity(4))).isZero();
        queuePair.close();
        assertThat(Stub.objects()).isEqualTo(objects - 1);
    }

    @Test
    void windowWhoseBindWasFlushedIsReplaced() {
        Stub.hold(queuePair.number(), true);
        write(1, SendFlag.NONE);
        assertThat(queuePair.drain(Waits.brief())).isEqualTo(Drained.LATE);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERROR));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.hold(queuePair.number(), false);
        assertThat(queuePair.drain(Waits.deadline()))
                .as("nothing was posted since")
                .isEqualTo(Drained.DONE);
        write(2, SendFlag.NONE);
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(Stub.objects()).isEqualTo(objects + BIND_OBJECTS);
    }

    @Test
    void emptyWriteStandsInForAWindowThatIsNotMade() {
        write(1, SendFlag.NONE);
        Stub.fail("ibv_alloc_mw", Errno.ENOMEM, 1);
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(Stub.objects()).isEqualTo(objects);
    }

    @Test
    void emptyWriteStandsInForABindThatIsRefused() {
        write(1, SendFlag.NONE);
        Stub.fail("ibv_post_send", Errno.EOPNOTSUPP, 1);
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
    }

    /** Whoever has the native queue may have polled it, so that completions are not all seen here. */
    @Test
    void completionsOfAQueueThatWasLentAreNotCounted() {
        write(1, SendFlag.SIGNALED);
        assertThat(queue.<Boolean>withNative(handle -> true)).isTrue();
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(Stub.objects()).isEqualTo(objects + BIND_OBJECTS);
    }

    @Test
    void lentQueueIsCountedWhereThereIsNoWindow() {
        Stub.hold(queuePair.number(), true);
        write(1, SendFlag.SIGNALED);
        assertThat(queue.<Boolean>withNative(handle -> true)).isTrue();
        Stub.fail("ibv_alloc_mw", Errno.ENOMEM, 1);
        assertThat(queuePair.drain(Waits.brief())).isEqualTo(Drained.LATE);
        assertThat(Stub.held(queuePair.number())).as("no empty Write").isEqualTo(1);
    }

    @Test
    void resetEndsTheWaitForTheLastCompletion() {
        Stub.hold(queuePair.number(), true);
        write(1, SendFlag.SIGNALED);
        int polls = Stub.completionPolls();
        Background<Drained> draining = Background.start("drain", () -> queuePair.drain(Waits.deadline()));
        Stub.await("it waits", () -> Stub.completionPolls() > polls + 1);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        assertThat(draining.await(Waits.deadline())).isEqualTo(Drained.FAILED);
    }

    /** The next marker replaces the window that this one was to bind. */
    @Test
    void resetEndsTheWaitForAPlaceOfTheMarker() {
        write(1, SendFlag.NONE);
        Stub.fail("ibv_post_send", Errno.ENOMEM, Integer.MAX_VALUE);
        int posts = Stub.calls("ibv_post_send");
        Background<Drained> draining = Background.start("drain", () -> queuePair.drain(Waits.deadline()));
        Stub.await("it waits", () -> Stub.calls("ibv_post_send") > posts + 1);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        assertThat(draining.await(Waits.deadline())).isEqualTo(Drained.FAILED);
    }

    /** As where the queue pair is closed while a drain that has begun makes its first marker. */
    @Test
    void windowIsNotMadeOnceTheSendQueueHasEnded() {
        write(1, SendFlag.NONE);
        ((IbvSendQueue) queuePair.target()).end();
        queuePair.drain(Waits.deadline());
        assertThat(Stub.objects()).isEqualTo(objects);
    }

    /** Whoever deregisters a large buffer holds them for long. */
    @Test
    void markersDoNotWaitForTheRegistrations() {
        write(1, SendFlag.NONE);
        synchronized (verbs.domain().registrations()) {
            Background<Drained> draining = Background.start("drain", () -> queuePair.drain(Waits.deadline()));
            assertThat(draining.await(Waits.deadline())).isEqualTo(Drained.DONE);
        }
        assertThat(Stub.objects()).isEqualTo(objects + BIND_OBJECTS);
    }

    /** Where more completions wait than the queue has places, its refusal has overwritten what is noted of one. */
    @Test
    void refusedSignaledRequestIsNotTakenForTheLast() {
        queuePair = verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue).withDepth(1, 1));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS));
        objects = Stub.objects();
        write(1, SendFlag.SIGNALED);
        write(2, SendFlag.SIGNALED);
        Stub.fail("ibv_post_send", Errno.ENOMEM, 1);
        assertThat(queuePair.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(3).flags(SendFlag.SIGNALED)))
                .isEqualTo(PostStatus.QUEUE_FULL);
        write(4, SendFlag.NONE);
        assertThat(queue.poll(WorkCompletions.ofCapacity(1))).isEqualTo(1);
        assertThat(queuePair.drain(Waits.deadline())).isEqualTo(Drained.DONE);
        assertThat(Stub.objects()).isEqualTo(objects + BIND_OBJECTS);
    }

    private void write(long wrId, int flags) {
        assertThat(queuePair.post(
                        WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(wrId).flags(flags)))
                .isEqualTo(PostStatus.ACCEPTED);
    }

    private void assertCompleted(long wrId) {
        WorkCompletions completions = WorkCompletions.ofCapacity(4);
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.get(0).wrId()).isEqualTo(wrId);
    }
}
