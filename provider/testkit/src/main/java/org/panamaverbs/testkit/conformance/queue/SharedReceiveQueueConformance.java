package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.SharedReceiveQueue;
import org.panamaverbs.api.SharedReceiveQueueConfig;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Completion;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Needs;
import org.panamaverbs.testkit.Posts;
import org.panamaverbs.testkit.Requirement;
import org.panamaverbs.testkit.Waits;

/** Receives that several queue pairs share. */
public abstract class SharedReceiveQueueConformance extends Conformance {
    private static final int MESSAGES = 2_000;

    /** For subclasses. */
    protected SharedReceiveQueueConformance() {}

    @Test
    void messagesOfSeveralConnectionsTakeReceivesInPostingOrder() {
        Shared shared = new Shared(3);
        for (int i = 0; i < 9; i++) {
            shared.recv(i);
        }
        shared.expectAvailable(9);
        for (int i = 0; i < 9; i++) {
            Link link = shared.links.get(i % 3);
            shared.send(link, 100 + i);
            Completion received = shared.pair.b().inbox().takeOk(i);
            assertThat(received.qpNumber()).isEqualTo(link.qpB().number());
            assertThat(shared.pair.b().getLong(i * 8L)).isEqualTo(100 + i);
            shared.expectAvailable(8 - i);
        }
    }

    @Test
    @Requirement("RDMAP-8.1.2-8-01")
    void completionsTellWhichConnectionTookHowManyReceives() {
        Shared shared = new Shared(2);
        for (int i = 0; i < 8; i++) {
            shared.recv(i);
        }
        for (int i = 0; i < 8; i++) {
            shared.send(shared.links.get(i < 2 ? 0 : 1), i);
        }
        Map<Integer, Integer> taken = new HashMap<>();
        shared.pair.b().inbox().take(8).forEach(completion -> taken.merge(completion.qpNumber(), 1, Integer::sum));
        assertThat(taken)
                .containsEntry(shared.links.get(0).qpB().number(), 2)
                .containsEntry(shared.links.get(1).qpB().number(), 6);
    }

    @Test
    @Requirement({"RDMAP-8.1.2-8-01", "SEC-6.4.3.1-01"})
    void limitRaisesOneEventAndIsDisarmed() {
        Shared shared = new Shared(1);
        for (int i = 0; i < 8; i++) {
            shared.recv(i);
        }
        shared.queue.armLimit(4);
        assertThat(shared.queue.limit()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            shared.sendAndTake(i);
        }
        assertThat(shared.limitEvent(Deadline.now())).isEmpty();

        shared.sendAndTake(4);
        AsyncEvent event = shared.awaitLimitEvent();
        assertThat(event.source()).isSameAs(shared.queue);
        assertThat(shared.queue.limit()).isZero();

        shared.sendAndTake(5);
        shared.sendAndTake(6);
        poller().pollAWhile();
        assertThat(shared.limitEvent(Deadline.now())).isEmpty();
    }

    @Test
    void limitCanBeArmedAgain() {
        Shared shared = new Shared(1);
        for (int round = 0; round < 3; round++) {
            shared.recv(2 * round);
            shared.recv(2 * round + 1);
            shared.queue.armLimit(2);
            shared.sendAndTake(2 * round);
            shared.awaitLimitEvent();
            shared.sendAndTake(2 * round + 1);
        }
    }

    @Test
    @Requirement("DDP-7.1-U2-01")
    void emptyQueueFailsOnlyTheConnectionThatNeededIt() {
        Shared shared = new Shared(2, Feature.NO_RECEIVER_RETRY);
        Link poor = shared.links.get(0);
        accepted(poor.qpA().send(1, shared.pair.a().buffer(), 0, 8, SIGNALED));
        shared.pair.awaitDown(poor);
        shared.pair.expectTerminate(poor, "1/2/02");
        shared.pair.a().inbox().take();

        shared.recv(5);
        shared.send(shared.links.get(1), 9);
        shared.pair.b().inbox().takeOk(5);
    }

    @Test
    @Requirement("RDMAP-6.2.1-02")
    void failedConnectionLeavesTheReceivesToTheOthers() {
        Shared shared = new Shared(2);
        for (int i = 0; i < 4; i++) {
            shared.recv(i);
        }
        shared.links.get(0).a().close();
        poller().await(
                        "the end of the first connection",
                        () -> ConnectedPair.isDown(shared.links.get(0).b()));
        for (int i = 0; i < 4; i++) {
            shared.send(shared.links.get(1), i);
            shared.pair.b().inbox().takeOk(i);
        }
    }

    @Test
    @ApiCase
    void refusesMoreReceivesThanItWasMadeFor() {
        Shared shared = new Shared(1);
        int room = shared.queue.config().maxWr();
        for (int i = 0; i < room; i++) {
            shared.recv(i % 100);
        }
        shared.expectAvailable(room);
        RegisteredBuffer buffer = shared.pair.b().buffer();
        int status = shared.queue.recv(0, buffer, 0, 8);
        for (int i = 0; status >= 0 && i < 8 * room; i++) {
            assertThat(shared.pair.b().keeps(Guarantee.EXACT_DEPTHS)).isFalse();
            status = shared.queue.recv(0, buffer, 0, 8);
        }
        Posts.answered(PostStatus.QUEUE_FULL, status);
        shared.sendAndTake(0);
        shared.recv(1);
    }

    @Test
    @ApiCase
    void queuePairRefusesReceivesOfItsOwn() {
        Shared shared = new Shared(1);
        QueuePair queuePair = shared.links.get(0).qpB();
        assertThatThrownBy(() -> queuePair.recv(1, shared.pair.b().buffer(), 0, 8))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @ApiCase
    void refusesLimitOutOfRange() {
        Shared shared = new Shared(1);
        int room = shared.queue.config().maxWr();
        String device = shared.pair.b().verbs().device().name();
        assertThatThrownBy(() -> shared.queue.armLimit(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limit must be 0 to " + room + " on device " + device + ", got -1");
        assertThatThrownBy(() -> shared.queue.armLimit(room + 1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(shared.queue.limit()).isZero();

        SharedReceiveQueue closed = shared.pair
                .b()
                .domain()
                .sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(1));
        closed.close();
        refusesClosed(() -> closed.armLimit(-1));
        refusesClosed(closed::limit);
        refusesClosed(closed::available);
    }

    private static void refusesClosed(ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shared receive queue")
                .hasMessageContaining("closed");
    }

    @Test
    void refusesToCloseWhileQueuePairsUseIt() {
        Shared shared = new Shared(1);
        assertThatThrownBy(shared.queue::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue pair");
        shared.recv(1);
        shared.send(shared.links.get(0), 1);
        shared.pair.b().inbox().takeOk(1);
    }

    @Test
    @Needs(Feature.SRQ_RESIZE)
    void resizedQueueKeepsItsReceivesInTheirOrder() {
        Shared shared = new Shared(2);
        for (int i = 0; i < 10; i++) {
            shared.recv(i);
        }
        shared.queue.resize(64);
        assertThat(shared.queue.config().maxWr()).isGreaterThanOrEqualTo(64);
        for (int i = 10; i < 64; i++) {
            shared.recv(i);
        }
        for (int i = 0; i < 64; i++) {
            shared.send(shared.links.get(i % 2), 100 + i);
            shared.pair.b().inbox().takeOk(i);
            assertThat(shared.pair.b().getLong(i * 8L)).isEqualTo(100 + i);
        }
    }

    @Test
    @Needs(Feature.SRQ_RESIZE)
    void shrinksAboveWhatItHoldsAndStaysOtherwise() {
        Shared shared = new Shared(1);
        shared.queue.resize(200);
        for (int i = 0; i < 12; i++) {
            shared.recv(i);
        }
        assertThatThrownBy(() -> shared.queue.resize(2)).isInstanceOf(ResourceException.class);
        assertThat(shared.queue.config().maxWr()).isGreaterThanOrEqualTo(200);
        shared.queue.resize(16);
        for (int i = 0; i < 12; i++) {
            shared.sendAndTake(i);
        }
    }

    @Test
    @Needs(Feature.SRQ_RESIZE)
    void resizedQueueKeepsItsLimit() {
        Shared shared = new Shared(1);
        for (int i = 0; i < 8; i++) {
            shared.recv(i);
        }
        shared.queue.armLimit(7);
        assertThatThrownBy(() -> shared.queue.resize(4)).isInstanceOf(ResourceException.class);
        shared.queue.resize(100);
        assertThat(shared.queue.limit()).isEqualTo(7);
        shared.sendAndTake(0);
        assertThat(shared.limitEvent(Deadline.now())).isEmpty();
        shared.sendAndTake(1);
        assertThat(shared.awaitLimitEvent().source()).isSameAs(shared.queue);
    }

    @Test
    @Needs(Feature.SRQ_RESIZE)
    void losesNoReceiveThatIsResizedUnderTraffic() {
        Shared shared = new Shared(1);
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger times = new AtomicInteger();
        AtomicInteger moved = new AtomicInteger();
        Background<Integer> resizing = Background.start("resize", () -> {
            int seen = -1;
            while (!done.get()) {
                if (moved.get() == seen) {
                    // Drivers spin while another thread resizes: on one processor each message would take a time slice.
                    Thread.yield();
                    continue;
                }
                seen = moved.get();
                shared.queue.resize(16 + times.get() % 7 * 50);
                times.incrementAndGet();
            }
            return times.get();
        });
        for (int i = 0; i < 8; i++) {
            shared.recv(i);
        }
        for (int i = 0; i < MESSAGES || (times.get() == 0 && i < 100 * MESSAGES); i++) {
            shared.pair.a().putLong(0, i);
            accepted(shared.links.get(0).qpA().send(i, shared.pair.a().buffer(), 0, 8, SIGNALED));
            shared.pair.a().inbox().takeOk(i);
            shared.pair.b().inbox().takeOk(i % 8);
            assertThat(shared.pair.b().getLong(i % 8 * 8L)).isEqualTo(i);
            shared.recv(i % 8);
            moved.incrementAndGet();
        }
        done.set(true);
        assertThat(resizing.await(Waits.deadline())).isPositive();
    }

    @Test
    @ApiCase
    void refusesSizesThatTheDeviceHasNot() {
        Shared shared = new Shared(1);
        String device = shared.pair.b().verbs().device().name();
        if (!shared.pair.b().capabilities().has(Feature.SRQ_RESIZE)) {
            assertThatThrownBy(() -> shared.queue.resize(64))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("device " + device + " lacks SRQ_RESIZE");
            return;
        }
        int most = shared.pair.b().capabilities().maxSrqWr();
        for (int size : new int[] {0, most + 1}) {
            assertThatThrownBy(() -> shared.queue.resize(size))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("maxWr must be 1 to " + most + " on device " + device + ", got " + size);
        }
        SharedReceiveQueue closed = shared.pair
                .b()
                .domain()
                .sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(1));
        closed.close();
        refusesClosed(() -> closed.resize(0));
    }

    @Test
    @ApiCase
    void refusesMorePiecesThanTheDeviceHas() {
        requires(sideB().verbs(), Feature.SHARED_RECEIVE_QUEUE);
        ProtectionDomain domain = sideB().domain();
        int most = sideB().capabilities().maxSrqSge();
        domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(most)).close();
        assertThatThrownBy(() ->
                        domain.sharedReceiveQueue(SharedReceiveQueueConfig.of(4).withSge(most + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxSge must be 1 to " + most + " on device "
                        + sideB().verbs().device().name() + ", got " + (most + 1));
    }

    /** Connections whose receives at B come from one shared queue. */
    private final class Shared {
        final ConnectedPair pair;
        final SharedReceiveQueue queue;
        final List<Link> links = new ArrayList<>();

        Shared(int connections, Feature... features) {
            pair = pair(features);
            requires(pair.b().verbs(), Feature.SHARED_RECEIVE_QUEUE);
            queue = resources()
                    .add(pair.b()
                            .domain()
                            .sharedReceiveQueue(SharedReceiveQueueConfig.of(16).withSge(1)));
            for (int i = 0; i < connections; i++) {
                links.add(pair.connect(
                        pair.a().newQueuePair(config -> config),
                        pair.b().newQueuePair(config -> config.withSrq(queue))));
            }
        }

        /** Kernels do not tell how many receives are left. */
        void expectAvailable(int count) {
            try {
                assertThat(queue.available()).isEqualTo(count);
            } catch (UnsupportedOperationException e) {
                assertThat(e).hasMessageContaining(pair.b().verbs().device().name());
                assertThat(pair.b().verbs().provider()).isNotEqualTo("iwarp");
            }
        }

        void recv(int wrId) {
            accepted(queue.recv(wrId, pair.b().buffer(), wrId * 8L, 8));
        }

        void send(Link link, long value) {
            pair.a().putLong(0, value);
            accepted(link.qpA().send(value, pair.a().buffer(), 0, 8, SIGNALED));
            pair.a().inbox().takeOk(value);
        }

        void sendAndTake(int wrId) {
            send(links.get(0), wrId);
            pair.b().inbox().takeOk(wrId);
        }

        Optional<AsyncEvent> limitEvent(Deadline deadline) {
            return pair.b()
                    .verbs()
                    .asyncEvent(deadline)
                    .filter(event -> event.type() == AsyncEvent.Type.SRQ_LIMIT_REACHED);
        }

        AsyncEvent awaitLimitEvent() {
            List<AsyncEvent> found = new ArrayList<>();
            poller().await("the limit event", () -> {
                limitEvent(Deadline.now()).ifPresent(found::add);
                return !found.isEmpty();
            });
            return found.get(0);
        }
    }
}
