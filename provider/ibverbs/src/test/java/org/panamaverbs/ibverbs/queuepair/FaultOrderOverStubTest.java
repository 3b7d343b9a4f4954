package org.panamaverbs.ibverbs.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AddressHandle;
import org.panamaverbs.api.AddressHandleConfig;
import org.panamaverbs.api.Batch;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.ReceiveQueue;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.conformance.connection.DatagramFaults;
import org.panamaverbs.testkit.conformance.protection.PostFaults;
import org.panamaverbs.testkit.conformance.protection.ReceiveFaults;

/** Of several faults of one post the same one is told as on every device, whatever the driver would say. */
@SuppressWarnings("NullAway.Init") // by open, which every test begins with
class FaultOrderOverStubTest extends OverStub {
    private static final int DEPTH = 4;
    private static final int INLINE = 64;

    private RegisteredBuffer buffer;

    private void open(Set<Feature> features) {
        reopen(features);
        buffer = verbs.domain().allocate(4096, Access.LOCAL_WRITE);
    }

    @AfterEach
    void close() {
        buffer.close();
    }

    @Test
    void sendsTellTheirFaultsInOrder() {
        open(EnumSet.noneOf(Feature.class));
        expectSendsInOrder(its -> its);
    }

    /** Masked atomics are not among what the provider says of any device. */
    @Test
    void sendsOfAnAbleDeviceTellTheirFaultsInOrder() {
        open(EnumSet.complementOf(EnumSet.of(Feature.MASKED_ATOMICS)));
        expectSendsInOrder(its -> its);
    }

    @Test
    void sendsInABatchTellTheirFaultsInOrder() {
        open(EnumSet.of(Feature.ATOMICS, Feature.STANDALONE_IMMEDIATE, Feature.LOCAL_INVALIDATE));
        expectSendsInOrder(QueuePair::batch);
    }

    private void expectSendsInOrder(Function<QueuePair, SendQueue> queueOf) {
        QueuePairConfig config = config(QueuePairType.RC);
        PostFaults faults = new PostFaults(verbs.context().capabilities(), config, buffer);
        IbvQueuePair unconnected = verbs.queuePair(config);
        SendQueue queue = queueOf.apply(unconnected);
        faults.expectInOrder(queue, PostFaults.State.NOT_CONNECTED);
        unconnected.close();
        faults.expectInOrder(queue, PostFaults.State.CLOSED);

        IbvQueuePair ready = verbs.queuePair(config);
        ready.modify(QueuePairAttributes.to(QueuePairState.RTS));
        Stub.hold(ready.number(), true);
        Stub.depth(ready.number(), DEPTH);
        SendQueue sends = queueOf.apply(ready);
        faults.expectInOrder(sends, PostFaults.State.READY);
        assertThat(Stub.held(ready.number())).isZero();
        assertThat(ready.batch().pending()).isZero();
        for (int i = 0; i < DEPTH; i++) {
            assertThat(sends.post(WorkRequest.of(SendOpcode.RDMA_WRITE).wrId(i)))
                    .isEqualTo(PostStatus.ACCEPTED);
        }
        faults.expectInOrder(sends, PostFaults.State.FULL);
        ready.batch().discard();
    }

    @Test
    void receivesTellTheirFaultsInOrder() {
        open(EnumSet.of(Feature.SHARED_RECEIVE_QUEUE));
        IbvQueuePair queuePair = verbs.queuePair(config(QueuePairType.RC));
        ReceiveFaults faults = new ReceiveFaults(2, buffer);
        expectReceivesInOrder(queuePair, faults);
        queuePair.close();
        faults.expectInOrder(queuePair, ReceiveFaults.State.CLOSED);

        SharedReceiveQueue shared = verbs.domain()
                .sharedReceiveQueue(SharedReceiveQueueConfig.of(DEPTH).withSge(2));
        expectReceivesInOrder(shared, faults);
        IbvQueuePair sharing = verbs.domain().create(config(QueuePairType.RC).withSrq(shared));
        faults.expectInOrder(sharing, ReceiveFaults.State.SHARED);
        assertThatThrownBy(() -> sharing.postRecv(1, 0, 0, 0))
                .hasMessage("queue pair " + sharing.number() + " uses a shared receive queue; remedy: post its"
                        + " receives there");
        sharing.close();
        faults.expectInOrder(sharing, ReceiveFaults.State.CLOSED);
        shared.close();
        faults.expectInOrder(shared, ReceiveFaults.State.CLOSED);
    }

    private static void expectReceivesInOrder(ReceiveQueue queue, ReceiveFaults faults) {
        Stub.receiveRoom(DEPTH);
        faults.expectInOrder(queue, ReceiveFaults.State.READY);
        assertThat(Stub.receives()).isZero();
        Stub.receiveRoom(0);
        faults.expectInOrder(queue, ReceiveFaults.State.FULL);
    }

    @Test
    void whatIsClosedIsToldBeforeWhatIsWrongWithItsUse() {
        open(EnumSet.of(Feature.SHARED_RECEIVE_QUEUE));
        SharedReceiveQueue shared = verbs.domain()
                .sharedReceiveQueue(SharedReceiveQueueConfig.of(DEPTH).withSge(2));
        assertThatThrownBy(() -> shared.armLimit(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("limit must be 0 to [0-9]+ on device stub0, got -1");
        shared.close();
        List<ThrowingCallable> uses = List.of(() -> shared.armLimit(-1), shared::limit, shared::available);
        assertThat(uses)
                .allSatisfy(use -> assertThatThrownBy(use)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageMatching("shared receive queue [0-9]+ is closed"));
        IbvQueuePair queuePair = verbs.queuePair(config(QueuePairType.RC));
        Batch batch = queuePair.batch();
        queuePair.close();
        assertThatThrownBy(batch::submit)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("queue pair [0-9]+ is closed");
    }

    @Test
    void datagramsTellTheirFaultsInOrder() {
        open(EnumSet.noneOf(Feature.class));
        IbvQueuePair closed = verbs.queuePair(config(QueuePairType.UD));
        closed.close();
        IbvQueuePair unconnected = verbs.queuePair(config(QueuePairType.UD));
        IbvQueuePair ready = verbs.queuePair(config(QueuePairType.UD));
        ready.modify(QueuePairAttributes.to(QueuePairState.RTS));
        AddressHandle closedHandle = verbs.domain().addressHandle(AddressHandleConfig.to(new byte[16]));
        closedHandle.close();
        try (AddressHandle ours = verbs.domain().addressHandle(AddressHandleConfig.to(new byte[16]))) {
            new DatagramFaults(closed, unconnected, ready, ours, closedHandle).expectInOrder();
        }
    }

    private QueuePairConfig config(QueuePairType type) {
        return QueuePairConfig.of(verbs.domain(), verbs.queue(1024))
                .withType(type)
                .withDepth(DEPTH, DEPTH)
                .withSge(2, 2)
                .withInline(INLINE);
    }
}
