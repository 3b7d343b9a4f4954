package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.panamaverbs.api.SendFlag.SIGNALED;

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
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.ConnectedPair;
import org.panamaverbs.testkit.Endpoint;
import org.panamaverbs.testkit.Inbox;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Waits;

/** Completion channels: arming, waiting, closing. */
public abstract class CompletionChannelConformance extends Conformance {
    /** For subclasses. */
    protected CompletionChannelConformance() {}

    @Test
    void armedQueueWakesTheWaiter() {
        Channel channel = new Channel();
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
        Channel channel = new Channel();
        channel.queue.arm(false);
        channel.send(1);
        assertThat(channel.channel.await(Waits.deadline())).contains(channel.queue);
        channel.inbox().takeOk(1);
    }

    @Test
    void queueThatIsNotArmedRaisesNoEvent() {
        Channel channel = new Channel();
        Inbox inbox = channel.inbox();
        channel.send(1);
        inbox.takeOk(1);
        assertThat(channel.channel.await(Deadline.now())).isEmpty();
    }

    @Test
    void eachArmingRaisesOneEvent() {
        Channel channel = new Channel();
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
        Channel channel = new Channel();
        accepted(channel.link.qpB().recv(1, channel.pair.b().buffer(), 0, 8));
        channel.queue.arm(true);
        channel.link.qpB().modify(QueuePairAttributes.to(QueuePairState.ERROR));
        poller().await("the event", () -> channel.channel.await(Deadline.now()).isPresent());
        assertThat(channel.inbox().take().ok()).isFalse();
    }

    @Test
    void channelServesSeveralQueues() {
        Channel first = new Channel();
        CompletionQueue second =
                first.pair.b().newQueue(CompletionQueueConfig.of(16).withChannel(first.channel));
        Link link = first.pair.connect(
                first.pair.a().newQueuePair(config -> config),
                first.pair.b().newQueuePair(config -> config.withReceiveQueue(second)));
        first.queue.arm(false);
        second.arm(false);
        accepted(link.qpB().recv(1, first.pair.b().buffer(), 0, 8));
        accepted(link.qpA().send(1, first.pair.a().buffer(), 0, 8, SIGNALED));
        first.pair.a().inbox().takeOk(1);
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
        Channel channel = new Channel();
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
        Channel channel = new Channel();
        assertThatThrownBy(channel.channel::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("completion queue");
        channel.queue.arm(false);
        channel.send(1);
        assertThat(channel.channel.await(Waits.deadline())).contains(channel.queue);
    }

    @Test
    void refusesToArmQueueWithoutChannel() {
        Endpoint side = sideA();
        assertThatThrownBy(() -> side.queue().arm(false)).isInstanceOf(IllegalStateException.class);
    }

    /** A second connection whose receives at B complete in a queue with a channel, which nobody polls at first. */
    private final class Channel {
        final ConnectedPair pair = pair();
        final CompletionChannel channel = resources().add(pair.b().verbs().completionChannel());
        final CompletionQueue queue =
                pair.b().newQueue(CompletionQueueConfig.of(64).withChannel(channel));
        final Link link = pair.connect(
                pair.a().newQueuePair(config -> config),
                pair.b().newQueuePair(config -> config.withReceiveQueue(queue)));

        Inbox inbox() {
            return pair.b().watch(queue);
        }

        void send(long wrId) {
            accepted(link.qpB().recv(wrId, pair.b().buffer(), 0, 8));
            accepted(link.qpA().send(wrId, pair.a().buffer(), 0, 8, SIGNALED));
            pair.a().inbox().takeOk(wrId);
        }
    }
}
