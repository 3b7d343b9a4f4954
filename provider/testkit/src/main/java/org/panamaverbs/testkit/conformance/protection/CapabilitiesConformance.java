package org.panamaverbs.testkit.conformance.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.EnumMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairFlag;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Requirement;

/** Capabilities say what there is, and what there is not is refused by naming it. */
@ApiCase
public abstract class CapabilitiesConformance extends Conformance {
    /** For subclasses. */
    protected CapabilitiesConformance() {}

    @Test
    @Needs(types = QueuePairType.RC)
    void limitsAreUsable() {
        Verbs verbs = openA();
        Capabilities can = verbs.capabilities();
        assertThat(can.queuePairTypes()).contains(QueuePairType.RC);
        assertThat(can.maxQp()).isPositive();
        assertThat(can.maxQpWr()).isPositive();
        assertThat(can.maxSge()).isPositive();
        assertThat(can.maxSgeRead()).isPositive();
        assertThat(can.maxInlineBytes()).isNotNegative();
        assertThat(can.maxCq()).isPositive();
        assertThat(can.maxCqe()).isPositive();
        assertThat(can.maxMr()).isPositive();
        assertThat(can.maxMrBytes()).isPositive();
        assertThat(can.maxPd()).isPositive();
        assertThat(can.maxInitiatorDepth()).isPositive();
        assertThat(can.maxResponderResources()).isPositive();
        assertThat(can.maxMessageBytes()).isBetween(1L, 1L << 32);
        assertThat(can.maxPrivateData()).isGreaterThanOrEqualTo(24);
        assertThat(can.maxAcceptPrivateData()).isGreaterThanOrEqualTo(can.maxPrivateData());
        assertThat(can.maxRejectPrivateData()).isGreaterThanOrEqualTo(can.maxPrivateData());
    }

    @Test
    @Requirement({"EXT-1.1-01", "EXT-1.1-02"})
    void featuresAndLimitsAgree() {
        Capabilities can = openA().capabilities();
        boolean windows = can.has(Feature.MEMORY_WINDOW_TYPE_1) || can.has(Feature.MEMORY_WINDOW_TYPE_2);
        assertThat(can.maxMw() > 0).isEqualTo(windows);
        assertThat(can.maxSrq() > 0).isEqualTo(can.has(Feature.SHARED_RECEIVE_QUEUE));
        assertThat(can.maxSrqWr() > 0).isEqualTo(can.has(Feature.SHARED_RECEIVE_QUEUE));
        assertThat(can.maxSrqSge() > 0).isEqualTo(can.has(Feature.SHARED_RECEIVE_QUEUE));
        boolean immediate = can.has(Feature.SEND_WITH_IMMEDIATE)
                || can.has(Feature.WRITE_WITH_IMMEDIATE)
                || can.has(Feature.STANDALONE_IMMEDIATE);
        assertThat(can.immediateBytes()).isIn(immediate ? new Integer[] {4, 8} : new Integer[] {0});
        if (can.has(Feature.MASKED_ATOMICS) || can.has(Feature.GLOBAL_ATOMICS)) {
            assertThat(can.has(Feature.ATOMICS)).isTrue();
        }
    }

    @Test
    void deviceNamesItselfAndWhyItWasChosen() {
        Verbs verbs = openA();
        assertThat(verbs.provider()).isNotBlank();
        assertThat(verbs.selection()).isNotBlank();
        assertThat(verbs.device().name()).isNotBlank();
        assertThat(verbs.device().description()).isNotBlank();
        assertThat(verbs.device().ports()).isNotEmpty().anyMatch(port -> port.active());
    }

    @Test
    void refusesEachOperationTheDeviceLacks() {
        ConnectedPair pair = pair();
        Map<Feature, ThrowingCallable> posts = operations(pair);
        Capabilities can = pair.a().capabilities();
        String device = pair.a().verbs().device().name();
        long lacking =
                posts.keySet().stream().filter(feature -> !can.has(feature)).count();
        requires(lacking > 0, pair.a().verbs(), "has every operation");
        posts.forEach((feature, post) -> {
            if (!can.has(feature)) {
                assertThatThrownBy(post)
                        .as("%s", feature)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(device)
                        .hasMessageContaining(feature.name());
            }
        });
        for (SendOpcode operation : SendOpcode.values()) {
            if (!can.has(operation)) {
                assertThatThrownBy(
                                () -> pair.qpA().post(WorkRequest.of(operation).flags(SIGNALED)))
                        .as("%s", operation)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(device)
                        .hasMessageContaining(
                                operation.features().iterator().next().name());
            }
        }
        pair.a().inbox().expectNothing();
        pair.barrier();
    }

    @Test
    void refusesEachCreateFlagTheDeviceLacks() {
        Endpoint side = sideA();
        requires(
                side.capabilities().queuePairTypes().contains(QueuePairType.RC),
                side.verbs(),
                "has no reliable connections");
        for (QueuePairFlag flag : QueuePairFlag.values()) {
            if (!side.capabilities().has(flag.feature())) {
                assertThatThrownBy(() ->
                                side.domain().queuePair(side.queuePairConfig().withFlags(flag)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(side.verbs().device().name())
                        .hasMessageContaining(flag.name());
            }
        }
    }

    @Test
    void queuePairIsOnThePortAskedForWhereThereAreSome() {
        Endpoint side = sideA();
        requires(
                side.capabilities().queuePairTypes().contains(QueuePairType.RC),
                side.verbs(),
                "has no reliable connections");
        int port = side.verbs().device().ports().stream()
                .filter(each -> each.active())
                .findFirst()
                .orElseThrow()
                .number();
        QueuePairConfig config = side.queuePairConfig().withPort(port);
        if (side.capabilities().has(Feature.OUT_OF_BAND)) {
            assertThat(resources().add(side.domain().queuePair(config)).config().port())
                    .isEqualTo(port);
        } else {
            assertThatThrownBy(() -> side.domain().queuePair(config))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(side.verbs().device().name());
        }
    }

    @Test
    void refusesDatagramsWhereThereAreNone() {
        ConnectedPair pair = pair();
        boolean datagrams = pair.a().capabilities().queuePairTypes().contains(QueuePairType.UD);
        requires(!datagrams, pair.a().verbs(), "has datagrams");
        assertThatThrownBy(() -> pair.a().newQueuePair(config -> config.withType(QueuePairType.UD)))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> pair.qpA().attachMulticast(new byte[16], 0))
                .isInstanceOf(UnsupportedOperationException.class);
        pair.barrier();
    }

    private static Map<Feature, ThrowingCallable> operations(ConnectedPair pair) {
        var a = pair.a();
        var qp = pair.qpA();
        var raw = pair.b().buffer();
        Map<Feature, ThrowingCallable> more = new EnumMap<>(Map.of(
                Feature.SEND_WITH_INVALIDATE,
                () -> qp.sendWithInvalidate(1, a.buffer(), 0, 8, raw.rkey(), SIGNALED),
                Feature.SEND_WITH_IMMEDIATE,
                () -> qp.sendWithImmediate(1, a.buffer(), 0, 8, 1, SIGNALED),
                Feature.WRITE_WITH_IMMEDIATE,
                () -> qp.writeWithImmediate(1, a.buffer(), 0, 8, pair.b().remote(), 0, 1, SIGNALED),
                Feature.STANDALONE_IMMEDIATE,
                () -> qp.immediate(1, 1, SIGNALED),
                Feature.ATOMICS,
                () -> OneSided.FETCH_ADD.post(pair, 1, raw.rkey(), raw.iova()),
                Feature.LOCAL_INVALIDATE,
                () -> qp.localInvalidate(1, a.buffer().rkey(), SIGNALED),
                Feature.MEMORY_WINDOW_TYPE_1,
                () -> a.domain().memoryWindow(MemoryWindow.Type.TYPE_1),
                Feature.MEMORY_WINDOW_TYPE_2,
                () -> a.domain().memoryWindow(MemoryWindow.Type.TYPE_2),
                Feature.SHARED_RECEIVE_QUEUE,
                () -> a.domain().sharedReceiveQueue(SharedReceiveQueueConfig.of(4))));
        more.put(Feature.MASKED_ATOMICS, () -> OneSided.SWAP.post(pair, 1, raw.rkey(), raw.iova()));
        return more;
    }
}
