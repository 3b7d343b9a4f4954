package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.ReceiveQueue;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SendQueue;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.PairConfig;

/** Of several faults of one post the same one is told on every device: the first in the order of {@link PostStatus}. */
@ApiCase
public abstract class FaultOrderConformance extends Conformance {
    /** For subclasses. */
    protected FaultOrderConformance() {}

    @Test
    void sendsTellTheirFaultsInOrder() {
        expectSendsInOrder(queuePair -> queuePair);
    }

    @Test
    void sendsInABatchTellTheirFaultsInOrder() {
        expectSendsInOrder(QueuePair::batch);
    }

    private void expectSendsInOrder(Function<QueuePair, SendQueue> queueOf) {
        ConnectedPair pair = pair(PairConfig.defaults().withQueuePairA(config -> config.withDepth(4, 4)));
        Endpoint a = pair.a();
        QueuePair unconnected = a.newQueuePair(config -> config.withDepth(4, 4));
        PostFaults faults = new PostFaults(a.capabilities(), unconnected.config(), a.buffer());
        SendQueue queue = queueOf.apply(unconnected);
        faults.expectInOrder(queue, PostFaults.State.NOT_CONNECTED);
        unconnected.close();
        faults.expectInOrder(queue, PostFaults.State.CLOSED);

        SendQueue ready = queueOf.apply(pair.qpA());
        faults.expectInOrder(ready, PostFaults.State.READY);
        assertThat(pair.qpA().batch().pending()).isZero();
        a.inbox().expectNothing();
        pair.barrier();

        // Where a request that is done frees its place no queue pair stays full; a batch does.
        if (!ready.equals(pair.qpA()) || a.keeps(Guarantee.PLACES_UNTIL_POLLED)) {
            PostFaults.fill(() -> ready.write(1, a.buffer(), 0, 0, pair.b().remote(), 0, SendFlag.NONE));
            faults.expectInOrder(ready, PostFaults.State.FULL);
            pair.qpA().batch().discard();
        }
        a.inbox().expectNothing();
    }

    @Test
    void receivesTellTheirFaultsInOrder() {
        Endpoint side = sideA();
        QueuePair queuePair = side.newQueuePair(config -> config.withDepth(4, 4));
        ReceiveFaults faults = new ReceiveFaults(queuePair.config().maxRecvSge(), side.buffer());
        expectReceivesInOrder(side, faults, queuePair);
        queuePair.close();
        faults.expectInOrder(queuePair, ReceiveFaults.State.CLOSED);
    }

    @Test
    void sharedReceivesTellTheirFaultsInOrder() {
        Endpoint side = sideA(Feature.SHARED_RECEIVE_QUEUE);
        SharedReceiveQueue shared = resources()
                .add(side.domain()
                        .sharedReceiveQueue(SharedReceiveQueueConfig.of(4)
                                .withSge(Math.min(2, side.capabilities().maxSge()))));
        ReceiveFaults faults = new ReceiveFaults(shared.config().maxSge(), side.buffer());
        expectReceivesInOrder(side, faults, shared);
        QueuePair queuePair = side.newQueuePair(config -> config.withSrq(shared));
        faults.expectInOrder(queuePair, ReceiveFaults.State.SHARED);
        assertThatThrownBy(() -> queuePair.recv(1, side.buffer(), 0, 8))
                .hasMessage("queue pair " + queuePair.number() + " uses a shared receive queue; remedy: post its"
                        + " receives there");
        queuePair.close();
        faults.expectInOrder(queuePair, ReceiveFaults.State.CLOSED);
        shared.close();
        faults.expectInOrder(shared, ReceiveFaults.State.CLOSED);
    }

    private static void expectReceivesInOrder(Endpoint side, ReceiveFaults faults, ReceiveQueue queue) {
        faults.expectInOrder(queue, ReceiveFaults.State.READY);
        PostFaults.fill(() -> queue.recv(1, side.buffer(), 0, 8));
        faults.expectInOrder(queue, ReceiveFaults.State.FULL);
        side.inbox().expectNothing();
    }

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    void bindTellsItsFaultsInOrder(MemoryWindow.Type type) {
        Endpoint side = sideA(feature(type));
        expectBindsInOrder(side, queuePair -> queuePair, type);
    }

    /** A type 1 bind need not be in a batch: libibverbs posts it by a call of its own. */
    @Test
    @Needs(Feature.MEMORY_WINDOW_TYPE_2)
    void bindInABatchTellsItsFaultsInOrder() {
        Endpoint side = sideA();
        expectBindsInOrder(side, QueuePair::batch, MemoryWindow.Type.TYPE_2);
    }

    private void expectBindsInOrder(Endpoint side, Function<QueuePair, SendQueue> queueOf, MemoryWindow.Type type) {
        ProtectionDomain another = resources().add(side.verbs().protectionDomain());
        BindFaults.expectInOrder(side.domain(), another, () -> side.newQueuePair(config -> config), queueOf, type);
    }

    @Test
    void bindTellsThatThereAreNoWindowsBeforeItLooksAtThem() {
        Endpoint side = sideA();
        requires(side.capabilities().maxMw() == 0, side.verbs(), "has memory windows");
        QueuePair queuePair = side.newQueuePair(config -> config);
        int access = Access.mask(Access.LOCAL_WRITE);
        assertThatThrownBy(() -> queuePair.post(WorkRequest.of(SendOpcode.BIND_WINDOW)
                        .wrId(1)
                        .window(new BindFaults.Foreign(), side.buffer(), -1, 8, access)
                        .flags(SIGNALED)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("MEMORY_WINDOW");
    }

    @Test
    void closedQueuePairIsToldBeforeAnOperationTheDeviceLacks() {
        Endpoint side = sideA();
        Map<Feature, ToIntFunction<QueuePair>> posts = Map.of(
                Feature.SEND_WITH_INVALIDATE,
                its -> its.sendWithInvalidate(
                        1, side.buffer(), 0, 8, side.buffer().rkey(), SIGNALED),
                Feature.SEND_WITH_IMMEDIATE,
                its -> its.sendWithImmediate(1, side.buffer(), 0, 8, 1, SIGNALED),
                Feature.STANDALONE_IMMEDIATE,
                its -> its.immediate(1, 1, SIGNALED),
                Feature.MASKED_ATOMICS,
                its -> its.post(WorkRequest.of(SendOpcode.MASKED_FETCH_ADD)
                        .wrId(1)
                        .local(0, Long.BYTES, 0)
                        .add(1)
                        .flags(SIGNALED)),
                Feature.LOCAL_INVALIDATE,
                its -> its.localInvalidate(1, side.buffer().rkey(), SIGNALED),
                Feature.MEMORY_WINDOW_TYPE_1,
                its -> its.post(WorkRequest.of(SendOpcode.BIND_WINDOW)
                        .wrId(1)
                        .window(new BindFaults.Foreign(), side.buffer(), 0, 8, 0)
                        .flags(SIGNALED)));
        boolean lacks =
                posts.keySet().stream().anyMatch(feature -> !side.capabilities().has(feature));
        requires(lacks, side.verbs(), "has every operation");
        QueuePair queuePair = side.newQueuePair(config -> config);
        queuePair.close();
        posts.forEach((feature, post) -> assertThatThrownBy(() -> post.applyAsInt(queuePair))
                .as("%s", feature)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair"));
    }

    private static Feature feature(MemoryWindow.Type type) {
        return type == MemoryWindow.Type.TYPE_1 ? Feature.MEMORY_WINDOW_TYPE_1 : Feature.MEMORY_WINDOW_TYPE_2;
    }
}
