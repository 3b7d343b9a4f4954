package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.NONE;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.completion.IbvCompletionQueue;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;

/** An address handle may be closed under requests that name it: the device's is destroyed when they are done. */
class ClosedHandlesOverStubTest extends OverStub {
    private static final AddressHandleConfig SOMEWHERE = AddressHandleConfig.to(new Gid(1, 2));

    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);
    private final SgList nothing = SgList.ofCapacity(1);
    private IbvCompletionQueue queue;
    private IbvQueuePair queuePair;
    private int inUseBefore;

    @BeforeEach
    void open() {
        inUseBefore = Stub.addressHandlesInUse();
        queue = verbs.queue(1024);
        queuePair = datagrams();
    }

    @AfterEach
    void noneWasDestroyedInUse() {
        assertThat(Stub.addressHandlesInUse()).isEqualTo(inUseBefore);
    }

    private IbvQueuePair datagrams() {
        IbvQueuePair made =
                verbs.queuePair(QueuePairConfig.of(verbs.domain(), queue).withType(QueuePairType.UD));
        made.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.hold(made.number(), true);
        return made;
    }

    private AddressHandle handle() {
        return verbs.domain().addressHandle(SOMEWHERE);
    }

    private static int post(IbvQueuePair from, SgList list, AddressHandle to, int flags) {
        return from.post(WorkRequest.of(SendOpcode.SEND)
                .wrId(1)
                .local(list)
                .destination(to, 2, 3)
                .flags(flags));
    }

    private void posted(IbvQueuePair from, AddressHandle to, int flags) {
        assertThat(post(from, nothing, to, flags)).isEqualTo(PostStatus.ACCEPTED);
    }

    private void complete(IbvQueuePair pair) {
        Stub.hold(pair.number(), false);
        assertThat(queue.poll(completions)).isPositive();
    }

    /** Looks at those that were closed, as whatever is made does. */
    private void expectLeft(int handles) {
        try (AddressHandle another = handle()) {
            assertThat(another.config()).isEqualTo(SOMEWHERE);
        }
        assertThat(Stub.addressHandles()).isEqualTo(handles);
    }

    @Test
    void handleThatNothingNamesIsDestroyedAtOnce() {
        AddressHandle handle = handle();
        assertThat(Stub.addressHandles()).isEqualTo(1);
        posted(queuePair, handle, SIGNALED);
        complete(queuePair);
        handle.close();
        assertThat(Stub.addressHandles()).isZero();
    }

    @Test
    void handleIsDestroyedOnceTheCompletionWasPolled() {
        AddressHandle handle = handle();
        posted(queuePair, handle, SIGNALED);
        handle.close();
        assertThatThrownBy(() -> post(queuePair, nothing, handle, SIGNALED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("address handle [0-9]+ is closed");
        expectLeft(1);
        Stub.hold(queuePair.number(), false);
        expectLeft(1);
        assertThat(queue.poll(completions)).isEqualTo(1);
        expectLeft(0);
    }

    @Test
    void unsignaledRequestIsDoneWithALaterOne() {
        Stub.silent(true);
        AddressHandle handle = handle();
        posted(queuePair, handle, NONE);
        handle.close();
        expectLeft(1);
        try (AddressHandle other = handle()) {
            posted(queuePair, other, SIGNALED);
            complete(queuePair);
        }
        expectLeft(0);
    }

    @Test
    void allQueuePairsThatNameItCount() {
        IbvQueuePair second = datagrams();
        AddressHandle handle = handle();
        posted(queuePair, handle, SIGNALED);
        posted(second, handle, SIGNALED);
        complete(queuePair);
        handle.close();
        expectLeft(1);
        complete(second);
        expectLeft(0);
    }

    @Test
    void resetAndCloseEndWhatWasPosted() {
        IbvQueuePair second = datagrams();
        AddressHandle ofFirst = handle();
        AddressHandle ofSecond = handle();
        posted(queuePair, ofFirst, SIGNALED);
        posted(second, ofSecond, SIGNALED);
        ofFirst.close();
        ofSecond.close();
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET));
        expectLeft(1);
        second.close();
        assertThat(Stub.addressHandles()).isZero();
    }

    @Test
    void postThatIsRefusedNamesNothing() {
        AddressHandle handle = handle();
        Stub.fail("ibv_post_send", Errno.ENOMEM, 1);
        assertThat(post(queuePair, nothing, handle, SIGNALED)).isEqualTo(PostStatus.QUEUE_FULL);
        handle.close();
        assertThat(Stub.addressHandles()).isZero();
    }

    @Test
    void handleThatCannotBeDestroyedIsTriedAgainAndKeepsItsDomain() {
        AddressHandle handle = handle();
        posted(queuePair, handle, SIGNALED);
        handle.close();
        complete(queuePair);
        Stub.fail("ibv_destroy_ah", Errno.EBUSY, 1);
        queuePair.close();
        assertThat(Stub.addressHandles()).isEqualTo(1);
        Stub.fail("ibv_destroy_ah", Errno.EBUSY, 1);
        assertThatThrownBy(verbs.domain()::close)
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("address handle")
                .hasMessageContaining("EBUSY");
        Stub.forget();
        verbs.domain().close();
        assertThat(Stub.addressHandles()).isZero();
    }

    private static void collected(Batch batch, SgList list, AddressHandle to) {
        assertThat(batch.post(WorkRequest.of(SendOpcode.SEND)
                        .wrId(1)
                        .local(list)
                        .destination(to, 2, 3)
                        .flags(SIGNALED)))
                .isEqualTo(PostStatus.ACCEPTED);
    }

    @Test
    void handleThatABatchNamesIsKeptUntilItsRequestIsDone() {
        Batch batch = queuePair.batch();
        AddressHandle handle = handle();
        collected(batch, nothing, handle);
        handle.close();
        expectLeft(1);
        assertThat(batch.submit()).isEqualTo(1);
        expectLeft(1);
        complete(queuePair);
        expectLeft(0);
    }

    @Test
    void handleOfWhatTheQueueDidNotTakeIsKept() {
        Stub.depth(queuePair.number(), 1);
        Batch batch = queuePair.batch();
        AddressHandle first = handle();
        AddressHandle second = handle();
        collected(batch, nothing, first);
        collected(batch, nothing, second);
        first.close();
        second.close();
        assertThat(batch.submit()).isEqualTo(1);
        complete(queuePair);
        expectLeft(1);
        assertThat(batch.submit()).isEqualTo(1);
        complete(queuePair);
        expectLeft(0);
    }

    @Test
    void discardedRequestNamesNothing() {
        Batch batch = queuePair.batch();
        AddressHandle handle = handle();
        posted(queuePair, handle, SIGNALED);
        collected(batch, nothing, handle);
        handle.close();
        complete(queuePair);
        expectLeft(1);
        batch.discard();
        expectLeft(0);
    }
}
