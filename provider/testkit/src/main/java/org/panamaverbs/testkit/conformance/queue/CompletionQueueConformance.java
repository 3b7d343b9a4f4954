package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Inbox;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;

/** Completion queues: polling, sizes, overrun and its isolation. */
public abstract class CompletionQueueConformance extends Conformance {
    /** For subclasses. */
    protected CompletionQueueConformance() {}

    @Test
    @ApiCase
    @Requirement("MPA-7.1.2-10-02")
    void emptyQueueHasNothing() {
        Endpoint side = sideA();
        WorkCompletions completions = WorkCompletions.ofCapacity(4);
        assertThat(side.queue().poll(completions)).isZero();
        assertThat(completions.count()).isZero();
        assertThatThrownBy(() -> side.queue().poll(completions, Waits.brief()))
                .isInstanceOf(DeadlineExceededException.class);
    }

    @Test
    void pollTakesNoMoreThanItsHolderHolds() {
        ConnectedPair pair = pair();
        CompletionQueue queue = pair.b().newQueue(64);
        Link link = pair.connect(
                pair.a().newQueuePair(config -> config), pair.b().newQueuePair(config -> config.withRecvCq(queue)));
        for (int i = 0; i < 10; i++) {
            accepted(link.qpB().recv(i, pair.b().buffer(), 0, 8));
            accepted(link.qpA().send(i, pair.a().buffer(), 0, 8, SIGNALED));
        }
        for (int i = 0; i < 10; i++) {
            pair.a().inbox().takeOk(i);
        }
        WorkCompletions three = WorkCompletions.ofCapacity(3);
        List<Long> taken = new ArrayList<>();
        poller().await("ten completions", () -> {
            int count = queue.poll(three);
            assertThat(count).isBetween(0, 3).isEqualTo(three.count());
            for (int i = 0; i < count; i++) {
                taken.add(three.get(i).wrId());
            }
            return taken.size() >= 10;
        });
        assertThat(taken).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    @ApiCase
    @Requirement({"RDMAP-8.1.2-5-01", "SEC-6.4.3.2-01"})
    void holdsAtLeastWhatItWasMadeFor() {
        Endpoint side = sideA();
        assertThat(side.newQueue(1).capacity()).isGreaterThanOrEqualTo(1);
        assertThat(side.newQueue(100).capacity()).isGreaterThanOrEqualTo(100);
        assertThatThrownBy(() -> side.verbs().completionQueue(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> side.verbs().completionQueue(-1)).isInstanceOf(IllegalArgumentException.class);
        int tooMany = side.capabilities().maxCqe() + 1;
        requires(tooMany > 0, side.verbs(), "has no limit on completions");
        assertThatThrownBy(() -> side.verbs().completionQueue(tooMany)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Requirement("SEC-6.4.3.2-01")
    void fullQueueIsNotOverrun() {
        Overrun overrun = new Overrun();
        overrun.receive(overrun.queue.capacity());
        WorkCompletions completions = WorkCompletions.ofCapacity(overrun.queue.capacity());
        assertThat(overrun.queue.poll(completions, Waits.deadline())).isEqualTo(overrun.queue.capacity());
        assertThat(overrun.link.qpB().state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    @Requirement({"RDMAP-8.1.1-10-01", "SEC-6.4.6-01"})
    void overrunFailsItsQueuePairsAndLeavesOthersAlone() {
        Overrun overrun = new Overrun();
        overrun.receive(overrun.queue.capacity());
        // A queue may have a little more room than it says.
        int beyond = overrun.pair.b().keeps(Guarantee.EXACT_DEPTHS) ? 1 : 3;
        for (int i = 0; i < beyond; i++) {
            accepted(overrun.link.qpA().send(i, overrun.pair.a().buffer(), 0, 0, SIGNALED));
        }
        List<AsyncEvent> events = new ArrayList<>();
        poller().await("the event of the overrun", () -> {
            overrun.pair
                    .b()
                    .verbs()
                    .asyncEvent(Deadline.now())
                    .filter(event -> event.type() == AsyncEvent.Type.CQ_ERROR)
                    .ifPresent(events::add);
            return !events.isEmpty();
        });
        assertThat(events.get(0).source()).isSameAs(overrun.queue);
        poller().await("the queue pair's failure", () -> overrun.link.qpB().state() == QueuePairState.ERROR);
        assertThatThrownBy(() -> drain(overrun.queue)).isInstanceOf(IllegalStateException.class);

        if (!overrun.pair.a().keeps(Guarantee.FAILURE_ENDS_PEER)) {
            overrun.link.qpA().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        }
        if (overrun.pair.a().keeps(Guarantee.FLUSH_AFTER_FAILURE)) {
            overrun.sender.take(beyond);
        }
        overrun.pair.barrier();
    }

    @Test
    @Needs(Feature.CQ_RESIZE)
    void resizedQueueKeepsItsCompletions() {
        ConnectedPair pair = pair();
        CompletionQueue queue = pair.b().newQueue(16);
        Link link = pair.connect(
                pair.a().newQueuePair(config -> config), pair.b().newQueuePair(config -> config.withRecvCq(queue)));
        for (int i = 0; i < 8; i++) {
            accepted(link.qpB().recv(i, pair.b().buffer(), 0, 8));
            accepted(link.qpA().send(i, pair.a().buffer(), 0, 8, SIGNALED));
            pair.a().inbox().takeOk(i);
        }
        accepted(link.qpA().read(99, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
        pair.a().inbox().takeOk(99);
        queue.resize(100);
        assertThat(queue.capacity()).isGreaterThanOrEqualTo(100);
        Inbox inbox = pair.b().watch(queue);
        for (int i = 0; i < 8; i++) {
            inbox.takeOk(i);
        }
    }

    @Test
    @Needs(Feature.CQ_RESIZE)
    void refusesToShrinkBelowWhatItHolds() {
        Overrun overrun = new Overrun();
        int held = overrun.queue.capacity();
        overrun.receive(held);
        requires(held > 1, overrun.pair.b().verbs(), "rounds a capacity of 4 down to 1");
        assertThatThrownBy(() -> overrun.queue.resize(1)).isInstanceOf(ResourceException.class);
        assertThat(drain(overrun.queue)).isEqualTo(held);
    }

    @Test
    @ApiCase
    void refusesResizeAndModerationWhereTheDeviceHasNone() {
        Endpoint side = sideA();
        boolean resize = side.capabilities().has(Feature.CQ_RESIZE);
        boolean moderation = side.capabilities().has(Feature.CQ_MODERATION);
        requires(!resize || !moderation, side.verbs(), "has CQ_RESIZE and CQ_MODERATION");
        if (!resize) {
            assertThatThrownBy(() -> side.queue().resize(64))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(side.verbs().device().name());
        }
        if (!moderation) {
            assertThatThrownBy(() -> side.queue().moderate(1, 1))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(side.verbs().device().name());
        }
    }

    @Test
    void everyCompletionVectorTellsOfCompletions() {
        ConnectedPair pair = pair();
        CompletionChannel channel = resources().add(pair.b().verbs().completionChannel());
        int last = pair.b().capabilities().completionVectors() - 1;
        assertThat(last).isNotNegative();
        // Some devices have one for each processor.
        for (int vector : IntStream.of(0, last / 2, last).distinct().toArray()) {
            CompletionQueue queue = pair.b()
                    .newQueue(CompletionQueueConfig.of(16).withChannel(channel).withCompletionVector(vector));
            Link link = pair.connect(
                    pair.a().newQueuePair(config -> config), pair.b().newQueuePair(config -> config.withRecvCq(queue)));
            queue.arm(false);
            accepted(link.qpB().recv(1, pair.b().buffer(), 0, 8));
            accepted(link.qpA().send(2, pair.a().buffer(), 0, 8, SIGNALED));
            assertThat(channel.await(Waits.deadline())).as("vector %d", vector).containsSame(queue);
            assertThat(queue.poll(WorkCompletions.ofCapacity(1))).isEqualTo(1);
        }
    }

    @Test
    @ApiCase
    void refusesCompletionVectorsThatTheDeviceHasNot() {
        Endpoint side = sideA();
        int count = side.capabilities().completionVectors();
        for (int vector : new int[] {-1, count}) {
            CompletionQueueConfig config = CompletionQueueConfig.of(16).withCompletionVector(vector);
            assertThatThrownBy(() -> side.verbs().completionQueue(config))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("completionVector must be 0 to " + (count - 1) + " on device "
                            + side.verbs().device().name() + ", got " + vector);
        }
    }

    private static int drain(CompletionQueue queue) {
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        int taken = 0;
        Deadline deadline = Waits.brief();
        while (!deadline.passed()) {
            taken += queue.poll(completions);
        }
        return taken;
    }

    /** A second connection whose receives at B complete in a small queue that nobody polls. */
    private final class Overrun {
        final ConnectedPair pair;
        final CompletionQueue queue;
        final Inbox sender;
        final Link link;

        Overrun() {
            pair = pair();
            queue = pair.b().newQueue(4);
            CompletionQueue sent = pair.a().newQueue(64);
            sender = pair.a().watch(sent);
            int depth = queue.capacity() + 4;
            requires(depth <= pair.b().capabilities().maxQpWr(), pair.b().verbs(), "has no queue that small");
            link = pair.connect(
                    pair.a()
                            .newQueuePair(config ->
                                    QueuePairConfig.of(config.domain(), sent).withSge(1, 1)),
                    pair.b().newQueuePair(config -> config.withRecvCq(queue).withDepth(4, depth)));
            for (int i = 0; i < depth; i++) {
                accepted(link.qpB().recv(i, pair.b().buffer(), 0, 8));
            }
        }

        /** Has {@code count} messages arrive: the read behind them shows that the peer has taken them. */
        void receive(int count) {
            for (int i = 0; i < count; i++) {
                accepted(link.qpA().send(i, pair.a().buffer(), 0, 0, SIGNALED));
                sender.takeOk(i);
            }
            accepted(link.qpA().read(1000, pair.a().buffer(), 0, 8, pair.b().remote(), 0, SIGNALED));
            sender.takeOk(1000);
        }
    }
}
