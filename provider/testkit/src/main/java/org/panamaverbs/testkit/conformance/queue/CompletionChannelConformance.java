package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.QueuePairAttributes;
import org.panamaverbs.api.QueuePairState;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.Inbox;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Waits;

/** Completion channels: arming, waiting, closing. */
public abstract class CompletionChannelConformance extends Conformance {
    /** For subclasses. */
    protected CompletionChannelConformance() {}

    @Test
    void armedQueueWakesTheWaiter() {
        EventReceiver channel = new EventReceiver(pair(), resources());
        channel.queue.arm(false);
        Background<CompletionQueue> waiting = Background.start(
                "await", () -> channel.channel.await(Waits.deadline()).orElseThrow());
        channel.send(1);
        poller().await("the event", waiting::isDone);
        assertThat(waiting.await(Waits.deadline())).isSameAs(channel.queue);
        channel.inbox().takeOk(1);
    }

    @Test
    void waiterMakesProgressWithoutAnyPolling() {
        EventReceiver channel = new EventReceiver(pair(), resources());
        channel.queue.arm(false);
        channel.send(1);
        assertThat(channel.channel.await(Waits.deadline())).contains(channel.queue);
        channel.inbox().takeOk(1);
    }

    @Test
    void queueThatIsNotArmedRaisesNoEvent() {
        EventReceiver channel = new EventReceiver(pair(), resources());
        Inbox inbox = channel.inbox();
        channel.send(1);
        inbox.takeOk(1);
        assertThat(channel.channel.await(Deadline.now())).isEmpty();
    }

    @Test
    void eachArmingRaisesOneEvent() {
        EventReceiver channel = new EventReceiver(pair(), resources());
        Inbox inbox = channel.inbox();
        for (long wrId = 0; wrId < 6; wrId += 2) {
            channel.queue.arm(false);
            channel.send(wrId);
            channel.send(wrId + 1);
            inbox.takeAllOk(wrId, wrId + 1);
            poller().await(
                            "the event",
                            () -> channel.channel.await(Deadline.now()).isPresent());
            assertThat(channel.channel.await(Deadline.now())).isEmpty();
        }
    }

    @Test
    void flushedReceiveRaisesEventAlsoWhenArmedForSolicited() {
        EventReceiver channel = new EventReceiver(pair(), resources());
        guaranteed(channel.pair, Guarantee.FAILURES_ARE_SOLICITED);
        accepted(channel.link.qpB().recv(1, channel.pair.b().buffer(), 0, 8));
        channel.queue.arm(true);
        channel.link.qpB().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        poller().await("the event", () -> channel.channel.await(Deadline.now()).isPresent());
        assertThat(channel.inbox().take().ok()).isFalse();
    }

    @Test
    void channelServesSeveralQueues() {
        EventReceiver first = new EventReceiver(pair(), resources());
        CompletionQueue second =
                first.pair.b().newQueue(CompletionQueueConfig.of(16).withChannel(first.channel));
        Link link = first.connect(second);
        first.queue.arm(false);
        second.arm(false);
        first.send(link, 1);
        assertThat(first.channel.await(Waits.deadline())).contains(second);
        first.send(2);
        assertThat(first.channel.await(Waits.deadline())).contains(first.queue);
    }

    @Test
    void waitEndsByItsDeadline() {
        Endpoint side = sideA();
        CompletionChannel channel = resources().add(side.verbs().completionChannel());
        assertThat(channel.await(Deadline.now())).isEmpty();
        assertThat(channel.await(Waits.brief())).isEmpty();
    }

    @Test
    void closingTheChannelEndsTheWait() {
        Endpoint side = sideA();
        CompletionChannel channel = resources().add(side.verbs().completionChannel());
        Background<Boolean> waiting = Background.start("await", () -> {
            assertThatThrownBy(() -> channel.await(Waits.deadline())).isInstanceOf(IllegalStateException.class);
            return true;
        });
        poller().pollAWhile();
        channel.close();
        assertThat(waiting.await(Waits.deadline())).isTrue();
    }

    @Test
    void interruptEndsTheWaitAndLosesNoEvent() {
        EventReceiver channel = new EventReceiver(pair(), resources());
        AtomicReference<Thread> waiter = new AtomicReference<>();
        AtomicBoolean flagged = new AtomicBoolean();
        Background<CompletionQueue> waiting = Background.start("await", () -> {
            waiter.set(Thread.currentThread());
            try {
                return channel.channel.await(Waits.deadline()).orElseThrow();
            } finally {
                flagged.set(Thread.currentThread().isInterrupted());
            }
        });
        poller().await("the waiter", () -> waiter.get() != null);
        poller().pollAWhile();
        waiter.get().interrupt();
        assertThatThrownBy(() -> waiting.await(Waits.deadline())).isInstanceOf(WaitInterruptedException.class);
        assertThat(flagged).isTrue();
        channel.queue.arm(false);
        channel.send(1);
        assertThat(channel.channel.await(Waits.deadline())).contains(channel.queue);
    }

    @Test
    void threadThatIsInterruptedBeforeDoesNotWait() {
        Endpoint side = sideA();
        CompletionChannel channel = resources().add(side.verbs().completionChannel());
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> channel.await(Waits.deadline())).isInstanceOf(WaitInterruptedException.class);
            assertThatThrownBy(() -> side.verbs().asyncEvent(Waits.deadline()))
                    .isInstanceOf(WaitInterruptedException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void refusesToCloseWhileQueuesUseIt() {
        EventReceiver channel = new EventReceiver(pair(), resources());
        assertThatThrownBy(channel.channel::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("completion queue");
        channel.queue.arm(false);
        channel.send(1);
        assertThat(channel.channel.await(Waits.deadline())).contains(channel.queue);
    }

    @Test
    @ApiCase
    void refusesToArmQueueWithoutChannel() {
        Endpoint side = sideA();
        assertThatThrownBy(() -> side.queue().arm(false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "has no completion channel; remedy: create it with CompletionQueueConfig.withChannel");
    }
}
