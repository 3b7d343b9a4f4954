package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionQueueFlag;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WcField;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Inbox;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.process.Allocation;

/** Extended completion queues ({@code ibv_create_cq_ex}). */
@Needs(Feature.EXTENDED_CQ)
public abstract class ExtendedQueueConformance extends Conformance {
    private static final CompletionQueueConfig QUEUE = CompletionQueueConfig.of(256);
    private static final WcField[] EVERYTHING = {WcField.BYTE_COUNT, WcField.IMMEDIATE, WcField.SOURCE_QP};
    private static final int OPERATIONS = 500;
    private static final int ROUNDS = Integer.getInteger("verbs.test.rounds", 12);

    /** For subclasses. */
    protected ExtendedQueueConformance() {}

    @Test
    @Needs(Feature.SEND_WITH_IMMEDIATE)
    void completesAsAnOrdinaryQueue() {
        ConnectedPair pair = pair();
        Side a = side(pair.a(), QUEUE.withFields(EVERYTHING));
        Side b = side(pair.b(), QUEUE.withFlags(CompletionQueueFlag.SINGLE_THREADED));
        pair.connect(a.qp(), b.qp());

        for (int i = 0; i < 20; i++) {
            accepted(b.qp().recv(100 + i, pair.b().buffer(), 0, 1000));
        }
        for (int i = 0; i < 20; i++) {
            accepted(a.qp().sendWithImmediate(i, pair.a().buffer(), 0, 10 + i, 0xF0 + i, SendFlag.SIGNALED));
        }
        for (int i = 0; i < 20; i++) {
            Completion received = b.inbox().takeOk(100 + i);
            assertThat(received.byteCount()).isEqualTo(10 + i);
            assertThat(received.immediate()).isEqualTo(0xF0 + i);
            assertThat(received.qpNumber()).isEqualTo(b.qp().number());
            a.inbox().takeOk(i);
        }
        b.inbox().expectNothing();
        a.inbox().expectNothing();
    }

    @Test
    @Needs(Feature.SEND_WITH_IMMEDIATE)
    void leavesOutWhatWasNotWanted() {
        ConnectedPair pair = pair();
        Side a = side(pair.a(), QUEUE);
        Side b = side(pair.b(), QUEUE.withFields(WcField.SOURCE_QP));
        pair.connect(a.qp(), b.qp());
        accepted(b.qp().recv(1, pair.b().buffer(), 0, 1000));
        accepted(a.qp().sendWithImmediate(2, pair.a().buffer(), 0, 10, 5, SendFlag.SIGNALED));
        Completion received = b.inbox().takeOk(1);
        assertThat(received.byteCount()).isZero();
        assertThat(received.hasImmediate()).isFalse();
        a.inbox().takeOk(2);
    }

    @Test
    void flushesAndDisconnects() {
        ConnectedPair pair = pair();
        Side a = side(pair.a(), QUEUE.withFields(WcField.BYTE_COUNT));
        Side b = side(pair.b(), QUEUE.withFields(WcField.BYTE_COUNT));
        Link link = pair.connect(a.qp(), b.qp());
        accepted(b.qp().recv(7, pair.b().buffer(), 0, 1000));
        accepted(a.qp().write(1, pair.a().buffer(), 0, 10, pair.b().remote(), 0, SendFlag.SIGNALED));
        // Disconnecting polls the queue for its marker and keeps what it finds.
        disconnect(link.a());
        a.inbox().takeOk(1);
        a.inbox().expectNothing();
        assertThat(b.inbox().take().status()).isEqualTo(WcStatus.WR_FLUSH_ERROR);
    }

    @Test
    @Needs(Feature.CQ_RESIZE)
    void raisesEventsOnItsChannelAndIsResized() {
        ConnectedPair pair = pair();
        var channel = resources().add(pair.a().verbs().completionChannel());
        CompletionQueue queue = pair.a().newQueue(QUEUE.withFields(EVERYTHING).withChannel(channel));
        QueuePair qp = resources().add(pair.a().domain().queuePair(config(pair.a(), queue)));
        pair.connect(qp, pair.b().newQueuePair(config -> config));
        queue.resize(1000);
        assertThat(queue.capacity()).isGreaterThanOrEqualTo(1000);
        queue.arm(false);
        accepted(qp.write(3, pair.a().buffer(), 0, 10, pair.b().remote(), 0, SendFlag.SIGNALED));
        assertThat(channel.await(Waits.deadline())).containsSame(queue);
        WorkCompletions completions = WorkCompletions.ofCapacity(4);
        assertThat(queue.poll(completions)).isEqualTo(1);
        assertThat(completions.get(0).wrId()).isEqualTo(3);
    }

    @Test
    void allocatesNothing() {
        ConnectedPair pair = pair();
        guaranteed(pair, Guarantee.NO_GARBAGE);
        CompletionQueue queue = pair.a().newQueue(QUEUE.withFields(EVERYTHING));
        QueuePair qp = resources().add(pair.a().domain().queuePair(config(pair.a(), queue)));
        // Where only polls make progress, the peer's takes what is written.
        CompletionQueue theirs = pair.b().newQueue(QUEUE.withFields(EVERYTHING));
        pair.connect(qp, resources().add(pair.b().domain().queuePair(config(pair.b(), theirs))));
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        WorkCompletions nothing = WorkCompletions.ofCapacity(1);
        RegisteredBuffer local = pair.a().buffer();
        RemoteBuffer remote = pair.b().remote();
        Allocation.expectNone(OPERATIONS, ROUNDS, () -> {
            for (int i = 0; i < OPERATIONS; i++) {
                if (qp.write(i, local, 0, 8, remote, 0, SendFlag.SIGNALED) < 0) {
                    throw new AssertionError("write " + i + " was not taken");
                }
                while (queue.poll(completions) == 0) {
                    theirs.poll(nothing);
                }
            }
        });
    }

    @Test
    @ApiCase
    void hasEachFieldThatItClaimsAndNamesThoseThatItLacks() {
        Endpoint a = sideA();
        for (WcField field : WcField.values()) {
            if (a.capabilities().has(field.feature())) {
                a.newQueue(QUEUE.withFields(field));
            } else {
                assertThatThrownBy(() -> a.newQueue(QUEUE.withFields(field)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(
                                "device " + a.verbs().device().name() + " lacks [" + field.feature() + "]");
            }
        }
    }

    @Test
    @Needs(Feature.COMPLETION_TIMESTAMP)
    void stampsCompletions() {
        ConnectedPair pair = pair();
        CompletionQueue queue = pair.a().newQueue(QUEUE.withFields(WcField.TIMESTAMP));
        QueuePair qp = resources().add(pair.a().domain().queuePair(config(pair.a(), queue)));
        pair.connect(qp, pair.b().newQueuePair(config -> config));
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        accepted(qp.write(1, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SendFlag.SIGNALED));
        queue.poll(completions, Waits.deadline());
        assertThat(completions.get(0).hasTimestamp()).isTrue();
        long first = completions.get(0).timestamp();
        accepted(qp.write(2, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SendFlag.SIGNALED));
        queue.poll(completions, Waits.deadline());
        assertThat(completions.get(0).timestamp()).isNotEqualTo(first);
    }

    private record Side(QueuePair qp, Inbox inbox) {}

    private Side side(Endpoint endpoint, CompletionQueueConfig config) {
        CompletionQueue queue = endpoint.newQueue(config);
        return new Side(resources().add(endpoint.domain().queuePair(config(endpoint, queue))), endpoint.watch(queue));
    }

    private static QueuePairConfig config(Endpoint endpoint, CompletionQueue queue) {
        return QueuePairConfig.of(endpoint.domain(), queue)
                .withDepth(32, 32)
                .withSge(1, 1)
                .withAllRemoteAccess();
    }
}
