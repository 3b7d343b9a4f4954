package org.panamaverbs.ibverbs.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.cm.CmId;
import org.panamaverbs.ibverbs.queuepair.IbvQueuePair;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;

/** Whatever ends an attempt, its queue pair is given back. */
class SetUpOverStubTest extends OverStub {
    private static final long NO_PATIENCE = 0;

    @Test
    void queuePairIsGivenBackAfterAnError() {
        IbvQueuePair queuePair = queuePair();
        SetUp setUp = new SetUp(verbs.cm(), "connect", queuePair, false);
        setUp.claim();
        assertThatThrownBy(() -> verbs.cm().claim(queuePair, "connect"))
                .hasMessageContaining("is already being connected");
        CmId id = setUp.id(verbs.cm().channel().create("a test"));
        OutOfMemoryError error = new OutOfMemoryError();
        assertThatThrownBy(() -> setUp.undone(error)).isSameAs(error);
        assertThat(id.awaitDestroyed(10)).isTrue();
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERROR);
        assertThatThrownBy(() -> verbs.cm().claim(queuePair, "connect")).hasMessageContaining("expected state INIT");
    }

    @Test
    void closedQueuePairIsGivenBackThoughTheKernelDoesNotSayHowAcceptingWent() {
        IbvQueuePair queuePair = queuePair();
        SetUp setUp = accepting(queuePair);
        queuePair.close();
        assertThat(Stub.ids()).isZero();
        IllegalStateException failure = new IllegalStateException("the id is gone");
        assertThat(setUp.undone(failure)).hasCause(failure).hasMessageContaining("was closed during set-up");
        assertGivenBack(queuePair);
    }

    @Test
    void queuePairOfAnAbandonedAcceptIsGivenBackWhenItIsClosed() {
        IbvQueuePair queuePair = queuePair();
        SetUp setUp = accepting(queuePair);
        IllegalStateException failure = new IllegalStateException("late");
        assertThat(setUp.undone(failure)).isSameAs(failure);
        assertThatThrownBy(() -> verbs.cm().claim(queuePair, "accept"))
                .hasMessageContaining("is already being connected");
        queuePair.close();
        assertThat(Stub.ids()).isZero();
        assertGivenBack(queuePair);
    }

    @Test
    void closedQueuePairIsNotAcceptedWith() {
        IbvQueuePair queuePair = queuePair();
        SetUp setUp = new SetUp(verbs.cm(), "accept", queuePair, false);
        setUp.claim();
        setUp.id(verbs.cm().channel().create("a test"));
        queuePair.close();
        assertThatThrownBy(setUp::accepting).hasMessageContaining(queuePair.resourceName() + " is closed");
        setUp.undone(new IllegalStateException("closed"));
        assertGivenBack(queuePair);
    }

    @Test
    void idThatTheKernelRefusesToDestroyIsDestroyedAgainAfterAFailure() {
        SetUp setUp = new SetUp(verbs.cm(), "connect", queuePair(), false);
        setUp.claim();
        CmId id = setUp.id(verbs.cm().channel().create("a test"));
        Stub.fail("rdma_destroy_id", Errno.EBUSY, 2);
        setUp.undone(new IllegalStateException("of a test"));
        assertThat(id.awaitDestroyed(10)).isTrue();
    }

    @Test
    void ownedQueuePairIsClosedBehindAnIdThatTheKernelRefusedToDestroy() {
        IbvQueuePair queuePair = verbs.domain().create(QueuePairConfig.of(verbs.domain(), verbs.queue(1024)));
        SetUp setUp = new SetUp(verbs.cm(), "connect", queuePair, true);
        setUp.claim();
        setUp.id(verbs.cm().channel().create("a test"));
        Stub.fail("rdma_destroy_id", Errno.EBUSY, 2);
        setUp.undone(new IllegalStateException("of a test"));
        Stub.await("the queue pair is closed", () -> !queuePair.isOpen());
        assertThat(Stub.ids()).isZero();
    }

    @Test
    void idThatTheKernelRefusesToDestroyIsDestroyedAgainBeforeItsQueuePair() {
        IbvQueuePair queuePair = queuePair();
        SetUp setUp = new SetUp(verbs.cm(), "connect", queuePair, false);
        setUp.claim();
        setUp.id(verbs.cm().channel().create("a test"));
        Stub.fail("rdma_destroy_id", Errno.EBUSY, 2);
        queuePair.close();
        assertThat(Stub.ids()).isZero();
        setUp.undone(new IllegalStateException("closed"));
        assertGivenBack(queuePair);
    }

    @Test
    void idInWhosePlaceAnotherIsTakenIsDestroyedAgain() {
        SetUp setUp = new SetUp(verbs.cm(), "connect", queuePair(), false);
        setUp.claim();
        CmId before = setUp.id(verbs.cm().channel().create("a test"));
        Stub.fail("rdma_destroy_id", Errno.EBUSY, 2);
        setUp.id(verbs.cm().channel().create("a test"));
        assertThat(before.awaitDestroyed(10)).isTrue();
        setUp.undone(new IllegalStateException("of a test"));
    }

    /** Claims {@code queuePair} for an accept whose outcome nobody will hear of, and is not waited for for long. */
    private SetUp accepting(IbvQueuePair queuePair) {
        SetUp result = new SetUp(verbs.cm(), "accept", queuePair, false, NO_PATIENCE);
        result.claim();
        result.id(verbs.cm().channel().create("a test"));
        result.accepting();
        return result;
    }

    private void assertGivenBack(IbvQueuePair queuePair) {
        assertThatThrownBy(() -> verbs.cm().claim(queuePair, "accept"))
                .hasMessageContaining(queuePair.resourceName() + " is closed");
    }

    private IbvQueuePair queuePair() {
        return verbs.queuePair(QueuePairConfig.of(verbs.domain(), verbs.queue(1024)));
    }
}
