package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.memory.Access;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;

/** Of several faults of one post the same one is told on every device. */
public abstract class FaultOrderConformance extends Conformance {
    /** For subclasses. */
    protected FaultOrderConformance() {}

    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    void bindTellsItsFaultsInOrder(MemoryWindow.Type type) {
        Endpoint side = sideA(feature(type));
        BindFaults.expectInOrder(
                side.domain(), () -> side.newQueuePair(config -> config), queuePair -> queuePair, type);
    }

    /** A type 1 bind need not be in a batch: libibverbs posts it by a call of its own. */
    @Test
    void bindInABatchTellsItsFaultsInOrder() {
        Endpoint side = sideA(Feature.MEMORY_WINDOW_TYPE_2);
        BindFaults.expectInOrder(
                side.domain(), () -> side.newQueuePair(config -> config), QueuePair::batch, MemoryWindow.Type.TYPE_2);
    }

    @Test
    void bindTellsThatThereAreNoWindowsBeforeItLooksAtThem() {
        Endpoint side = sideA();
        requires(side.capabilities().maxMw() == 0, side.verbs(), "has memory windows");
        QueuePair queuePair = side.newQueuePair(config -> config);
        int access = Access.mask(Access.LOCAL_WRITE);
        assertThatThrownBy(
                        () -> queuePair.postBind(1, new BindFaults.Foreign(), side.buffer(), -1, 8, access, SIGNALED))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("MEMORY_WINDOW");
    }

    @Test
    void closedQueuePairIsToldBeforeAnOperationTheDeviceLacks() {
        Endpoint side = sideA();
        Map<Feature, ToIntFunction<QueuePair>> posts = Map.of(
                Feature.SEND_WITH_INVALIDATE,
                its -> its.sendWithInvalidate(
                        1, side.buffer(), 0, 8, side.buffer().stag(), SIGNALED),
                Feature.SEND_WITH_IMMEDIATE,
                its -> its.sendWithImmediate(1, side.buffer(), 0, 8, 1, SIGNALED),
                Feature.STANDALONE_IMMEDIATE,
                its -> its.immediate(1, 1, SIGNALED),
                Feature.MASKED_ATOMICS,
                its -> its.postAtomic(SendOpcode.MASKED_FETCH_ADD, 1, 0, 0, 0, 0, 1, 0, 0, 0, SIGNALED),
                Feature.LOCAL_INVALIDATE,
                its -> its.localInvalidate(1, side.buffer().stag(), SIGNALED),
                Feature.MEMORY_WINDOW_TYPE_1,
                its -> its.postBind(1, new BindFaults.Foreign(), side.buffer(), 0, 8, 0, SIGNALED));
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
