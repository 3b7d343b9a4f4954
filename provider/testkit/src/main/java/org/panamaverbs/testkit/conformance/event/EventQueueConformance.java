package org.panamaverbs.testkit.conformance.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.Event;
import org.panamaverbs.api.EventQueue;
import org.panamaverbs.api.Events;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.Listener;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Waits;
import org.panamaverbs.testkit.process.Allocation;

/** Event queues: what they tell of whom, how their waits end, and that they lose nothing. */
public abstract class EventQueueConformance extends Conformance {
    private static final int ROUNDS = 200;
    private static final int ALLOCATION_ROUNDS = 40;

    /** For subclasses. */
    protected EventQueueConformance() {}

    private EventTaker taker(Endpoint side) {
        return new EventTaker(side, resources(), poller());
    }

    /** Connections whose receives at B complete in queues of one channel, which is a member of an event queue. */
    private final class Receivers {
        final ConnectedPair pair = pair();
        final EventTaker taker = taker(pair.b());
        final CompletionChannel channel = resources().add(pair.b().verbs().completionChannel());
        final List<CompletionQueue> queues = new ArrayList<>();
        final List<Link> links = new ArrayList<>();

        Receivers(int count) {
            for (int i = 0; i < count; i++) {
                CompletionQueue queue =
                        pair.b().newQueue(CompletionQueueConfig.of(64).withChannel(channel));
                queues.add(queue);
                links.add(pair.connect(
                        pair.a().newQueuePair(config -> config),
                        pair.b().newQueuePair(config -> config.withRecvCq(queue))));
                queue.arm(false);
            }
        }

        void send(int index, long wrId) {
            accepted(links.get(index).qpB().recv(wrId, pair.b().buffer(), 0, 8));
            accepted(links.get(index).qpA().send(wrId, pair.a().buffer(), 0, 8, SendFlag.SIGNALED));
            pair.a().inbox().takeOk(wrId);
        }
    }

    @Test
    void tellsTheEndOfConnectionsOnce() {
        ConnectedPair pair = pair();
        EventTaker taker = taker(pair.b());
        Connection end = pair.link().b();
        taker.queue.add(end, "mine");
        assertThat(taker.isEmpty()).isTrue();
        if (pair.b().keeps(Guarantee.FAILURE_ENDS_PEER)) {
            pair.link().a().close();
        } else {
            disconnect(pair.link().a());
        }
        EventTaker.Seen seen = taker.next(Event.Type.DISCONNECTED);
        assertThat(seen.attachment()).isEqualTo("mine");
        assertThat(seen.source()).isSameAs(end);
        assertThat(seen.subject()).isSameAs(end);
        assertThat(taker.isEmpty()).isTrue();
        assertThat(taker.queue.size()).isZero();
        // What has happened before counts.
        taker.queue.add(end, "again");
        assertThat(taker.next(Event.Type.DISCONNECTED).attachment()).isEqualTo("again");
    }

    @Test
    void tellsWhichQueuesHaveCompletions() {
        Receivers receivers = new Receivers(2);
        receivers.taker.queue.add(receivers.channel, "channel");
        receivers.send(1, 10);
        EventTaker.Seen seen = receivers.taker.next(Event.Type.COMPLETION);
        assertThat(seen.subject()).isSameAs(receivers.queues.get(1));
        assertThat(seen.source()).isSameAs(receivers.channel);
        assertThat(seen.attachment()).isEqualTo("channel");
        receivers.send(0, 11);
        assertThat(receivers.taker.next(Event.Type.COMPLETION).subject()).isSameAs(receivers.queues.get(0));
        // Neither is armed.
        receivers.send(0, 12);
        receivers.send(1, 13);
        poller().pollAWhile();
        assertThat(receivers.taker.isEmpty()).isTrue();
    }

    @Test
    void whatHappenedBeforeTheMemberWasAddedCounts() {
        Receivers receivers = new Receivers(2);
        receivers.send(0, 1);
        receivers.send(1, 2);
        poller().pollAWhile();
        receivers.taker.queue.add(receivers.channel, null);
        Set<Object> told = new HashSet<>();
        told.add(receivers.taker.next(Event.Type.COMPLETION).subject());
        told.add(receivers.taker.next(Event.Type.COMPLETION).subject());
        assertThat(told).containsExactlyInAnyOrderElementsOf(receivers.queues);
    }

    @Test
    void eventsBeyondTheListComeWithTheNextCall() {
        Receivers receivers = new Receivers(3);
        for (int i = 0; i < 3; i++) {
            receivers.send(i, i);
        }
        receivers.taker.queue.add(receivers.channel, null);
        Events one = Events.ofCapacity(1);
        Set<Object> told = new HashSet<>();
        poller().await("the events of all", () -> {
            if (receivers.taker.queue.poll(one) == 1) {
                told.add(one.get(0).completionQueue());
            }
            return told.size() == 3;
        });
        assertThat(receivers.taker.isEmpty()).isTrue();
        assertThat(one.count()).isOne();
        assertThat(receivers.taker.queue.poll(one)).isZero();
        assertThat(one.count()).isZero();
    }

    @Test
    void waiterSleepsUntilACompletionComes() {
        Receivers receivers = new Receivers(1);
        EventQueue queue = receivers.taker.queue;
        queue.add(receivers.channel, null);
        Events events = Events.ofCapacity(8);
        WorkCompletions completions = WorkCompletions.ofCapacity(8);
        for (int i = 0; i < ROUNDS; i++) {
            long wrId = i;
            receivers.send(0, wrId);
            assertThat(queue.await(events, Waits.deadline())).as("round %d", i).isOne();
            CompletionQueue raised = events.get(0).completionQueue();
            assertThat(raised.poll(completions, Waits.deadline())).isOne();
            assertThat(completions.get(0).wrId()).isEqualTo(wrId);
            raised.arm(false);
            assertThat(raised.poll(completions)).isZero();
        }
    }

    @Test
    void completionsOfAlternatingQueuesAllocateNothing() {
        Receivers receivers = new Receivers(2);
        guaranteed(receivers.pair, Guarantee.NO_GARBAGE);
        EventQueue queue = receivers.taker.queue;
        queue.add(receivers.channel, null);
        Events events = Events.ofCapacity(8);
        WorkCompletions completions = WorkCompletions.ofCapacity(8);
        Deadline deadline = Deadline.never();
        Allocation.expectNone(ROUNDS, ALLOCATION_ROUNDS, () -> {
            for (int i = 0; i < ROUNDS; i++) {
                Link link = receivers.links.get(i & 1);
                require(link.qpB().recv(i, receivers.pair.b().buffer(), 0, 8) >= 0);
                require(link.qpA().send(i, receivers.pair.a().buffer(), 0, 8, SendFlag.SIGNALED) >= 0);
                while (receivers.pair.a().queue().poll(completions) == 0) {
                    Thread.onSpinWait();
                }
                require(queue.await(events, deadline) == 1);
                CompletionQueue raised = events.get(0).completionQueue();
                require(raised.poll(completions) == 1);
                raised.arm(false);
                require(raised.poll(completions) == 0);
            }
        });
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new AssertionError("an operation failed, was refused or did not complete");
        }
    }

    @Test
    void tellsAsynchronousEvents() {
        Receivers receivers = new Receivers(1);
        CompletionQueue small = receivers.queues.get(0);
        receivers.taker.queue.addAsyncEvents("device");
        Link link = receivers.pair.connect(
                receivers.pair.a().newQueuePair(config -> config.withDepth(128, 128)),
                receivers
                        .pair
                        .b()
                        .newQueuePair(config -> config.withRecvCq(small).withDepth(128, 128)));
        requires(
                link.qpB().config().maxRecvWr() > small.capacity() + 3,
                receivers.pair.b().verbs(),
                "has no queue that could be overrun");
        for (int i = 0; i < small.capacity() + 3; i++) {
            accepted(link.qpB().recv(i, receivers.pair.b().buffer(), 0, 8));
        }
        for (int i = 0; i < small.capacity() + 3; i++) {
            accepted(link.qpA()
                    .send(i, receivers.pair.a().buffer(), 0, 0, i % 8 == 7 ? SendFlag.SIGNALED : SendFlag.NONE));
        }
        EventTaker.Seen seen = receivers.taker.next(Event.Type.ASYNC);
        while (((AsyncEvent) seen.subject()).type() != AsyncEvent.Type.CQ_ERROR) {
            seen = receivers.taker.next(Event.Type.ASYNC);
        }
        assertThat(seen.attachment()).isEqualTo("device");
        assertThat(seen.source()).isSameAs(small);
        assertThat(receivers.taker.queue.remove(receivers.taker.queue)).isTrue();
        assertThat(receivers.taker.queue.size()).isZero();
    }

    @Test
    void waitEndsByItsDeadline() {
        EventTaker taker = taker(sideA());
        long start = System.nanoTime();
        assertThat(taker.await(Waits.brief())).isZero();
        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(90));
        assertThat(taker.await(Deadline.now())).isZero();
    }

    @Test
    void wakeupEndsTheWaitUnderWayOrTheNextOne() {
        EventTaker taker = taker(sideA());
        taker.queue.wakeup();
        taker.queue.wakeup();
        assertThat(taker.await(Deadline.never())).isZero();
        assertThat(taker.await(Waits.brief())).isZero();
        Background<Integer> waiting = Background.start("await", () -> taker.await(Deadline.never()));
        poller().pollAWhile();
        taker.queue.wakeup();
        assertThat(waiting.await(Waits.deadline())).isZero();
    }

    @Test
    void pollTakesTheWakeupAndDoesNotWait() {
        EventTaker taker = taker(sideA());
        taker.queue.wakeup();
        assertThat(taker.isEmpty()).isTrue();
        assertThat(taker.await(Waits.brief())).isZero();
    }

    @Test
    void interruptEndsTheWaitAndLosesNoEvent() {
        Receivers receivers = new Receivers(1);
        receivers.taker.queue.add(receivers.channel, null);
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Background<Boolean> waiting = Background.start("await", () -> {
            waiter.set(Thread.currentThread());
            assertThatThrownBy(() -> receivers.taker.await(Waits.deadline()))
                    .isInstanceOf(WaitInterruptedException.class);
            return Thread.currentThread().isInterrupted();
        });
        poller().await("the waiter", () -> waiter.get() != null);
        poller().pollAWhile();
        waiter.get().interrupt();
        assertThat(waiting.await(Waits.deadline())).isTrue();
        receivers.send(0, 1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> receivers.taker.await(Waits.deadline())).isInstanceOf(WaitInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(receivers.taker.next(Event.Type.COMPLETION).subject()).isSameAs(receivers.queues.get(0));
    }

    @Test
    void closingEndsTheWaitAndFreesTheMembers() {
        Endpoint side = sideB();
        EventTaker first = taker(side);
        EventTaker second = taker(side);
        Listener listener = resources().add(side.verbs().listen(provider().listenAddress()));
        first.queue.add(listener, null);
        Background<Boolean> waiting = Background.start("await", () -> {
            assertThatThrownBy(() -> first.await(Deadline.never())).isInstanceOf(IllegalStateException.class);
            return true;
        });
        poller().pollAWhile();
        first.queue.close();
        assertThat(waiting.await(Waits.deadline())).isTrue();
        assertThatThrownBy(() -> first.queue.add(listener, null)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(first::isEmpty).isInstanceOf(IllegalStateException.class);
        second.queue.add(listener, null);
        assertThat(second.queue.size()).isOne();
    }

    @Test
    void closedMembersLeaveWhileTheyAreWaitedFor() {
        ConnectedPair pair = pair();
        EventTaker taker = taker(pair.b());
        Listener listener = resources().add(pair.b().verbs().listen(provider().listenAddress()));
        CompletionChannel channel = resources().add(pair.b().verbs().completionChannel());
        taker.queue.add(listener, null);
        taker.queue.add(channel, null);
        taker.queue.add(pair.link().b(), null);
        assertThat(taker.queue.size()).isEqualTo(3);
        Background<Integer> waiting =
                Background.start("await", () -> taker.await(Deadline.in(300, TimeUnit.MILLISECONDS)));
        poller().pollAWhile();
        listener.close();
        channel.close();
        pair.link().b().close();
        assertThat(waiting.await(Waits.deadline())).isLessThanOrEqualTo(1);
        assertThat(taker.queue.size()).isZero();
        assertThatThrownBy(() -> taker.queue.add(listener, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void memberIsOneOfOneQueueAtATime() {
        Receivers receivers = new Receivers(1);
        EventTaker other = taker(receivers.pair.b());
        receivers.taker.queue.add(receivers.channel, null);
        assertThatThrownBy(() -> other.queue.add(receivers.channel, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("member");
        assertThatThrownBy(() -> receivers.taker.queue.add(receivers.channel, null))
                .isInstanceOf(IllegalStateException.class);
        assertThat(receivers.taker.queue.remove(receivers.channel)).isTrue();
        assertThat(receivers.taker.queue.remove(receivers.channel)).isFalse();
        receivers.send(0, 1);
        poller().pollAWhile();
        assertThat(receivers.taker.isEmpty()).isTrue();
        other.queue.add(receivers.channel, "other");
        assertThat(other.next(Event.Type.COMPLETION).attachment()).isEqualTo("other");
    }

    /** A provider whose queues wait for their own device alone says so; another one's serve all. */
    @Test
    @ApiCase
    void objectsOfOtherDevicesAreRefusedOrMembersLikeOthers() {
        Endpoint a = sideA();
        Endpoint b = sideB();
        EventTaker taker = taker(a);
        CompletionChannel channel = resources().add(b.verbs().completionChannel());
        IllegalArgumentException refusal =
                catchThrowableOfType(IllegalArgumentException.class, () -> taker.queue.add(channel, null));
        if (refusal != null) {
            assertThat(refusal).hasMessageContainingAll("device", "remedy: ");
            assertThatThrownBy(() -> taker.queue.addAsyncEvents(b.verbs(), null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("device");
            assertThat(taker.queue.size()).isZero();
            return;
        }
        taker.queue.addAsyncEvents(b.verbs(), null);
        assertThat(taker.queue.size()).isEqualTo(2);
        channel.close();
        assertThat(taker.queue.size()).isOne();
        assertThat(taker.queue.remove(b.verbs())).isTrue();
    }

    @Test
    @ApiCase
    void deviceIsClosedAfterItsEventQueues() {
        Endpoint side = sideA();
        EventQueue queue = resources().add(EventTaker.queueOf(side.verbs()));
        assertThatThrownBy(side.verbs()::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("event queue");
        queue.close();
        queue.close();
    }

    @Test
    void manyVirtualThreadsWaitAndLeaveTheirCarriersToOthers() throws InterruptedException {
        Endpoint side = sideA();
        int count = 2 * Runtime.getRuntime().availableProcessors() + 2;
        List<EventQueue> queues = new ArrayList<>();
        List<Thread> waiting = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            EventQueue queue = resources().add(EventTaker.queueOf(side.verbs()));
            queues.add(queue);
            waiting.add(Thread.ofVirtual().start(() -> {
                begun.countDown();
                queue.await(Events.ofCapacity(1), Deadline.never());
            }));
        }
        assertThat(begun.await(30, TimeUnit.SECONDS))
                .as("all have begun to wait")
                .isTrue();
        Thread other = Thread.ofVirtual().start(() -> queues.forEach(EventQueue::wakeup));
        assertThat(other.join(Duration.ofSeconds(30)))
                .as("another has a carrier")
                .isTrue();
        for (Thread each : waiting) {
            assertThat(each.join(Duration.ofSeconds(30))).as("woken up").isTrue();
        }
    }
}
