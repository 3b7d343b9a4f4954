package org.panamaverbs.testkit.conformance.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.CompletionWait;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Conformance;
import org.panamaverbs.testkit.Link;
import org.panamaverbs.testkit.Waits;

/** Waits that poll for a while and then sleep. */
public abstract class CompletionWaitConformance extends Conformance {
    private static final long AT_ONCE = 0;
    private static final long SOON_MICROS = 20;
    private static final long HOURS_MICROS = 7_200_000_000L;

    private final WorkCompletions completions = WorkCompletions.ofCapacity(4);

    /** For subclasses. */
    protected CompletionWaitConformance() {}

    private static CompletionWait wait(EventReceiver receiver, long spinMicros) {
        return CompletionWait.of(receiver.queue, receiver.channel, Duration.ofNanos(1_000 * spinMicros));
    }

    private void takes(CompletionWait wait, long wrId) {
        assertThat(wait.await(completions, Waits.deadline())).isEqualTo(1);
        assertThat(completions.get(0).wrId()).isEqualTo(wrId);
        assertThat(completions.get(0).ok()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {AT_ONCE, SOON_MICROS, HOURS_MICROS})
    void takesWhatHasCompletedBefore(long spinMicros) {
        EventReceiver receiver = new EventReceiver(pair(), resources());
        receiver.send(1);
        takes(wait(receiver, spinMicros), 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {AT_ONCE, SOON_MICROS, HOURS_MICROS})
    void takesWhatCompletesWhileItWaits(long spinMicros) {
        EventReceiver receiver = new EventReceiver(pair(), resources());
        CompletionWait wait = wait(receiver, spinMicros);
        for (int i = 0; i < 20; i++) {
            int wrId = i;
            Background<Boolean> waiting = Background.start("wait", () -> {
                takes(wait, wrId);
                return true;
            });
            receiver.send(i);
            poller().await("what completed", waiting::isDone);
            assertThat(waiting.await(Waits.deadline())).isTrue();
        }
    }

    @Test
    void takesWhatCompletesWhileItSleeps() {
        EventReceiver receiver = new EventReceiver(pair(), resources());
        CompletionWait wait = wait(receiver, AT_ONCE);
        AtomicReference<Thread> waiter = new AtomicReference<>();
        Background<Boolean> waiting = Background.start("wait", () -> {
            waiter.set(Thread.currentThread());
            takes(wait, 1);
            return true;
        });
        poller().await("the waiter", () -> waiter.get() != null);
        poller().pollAWhile();
        assertThat(waiting.isDone()).isFalse();
        receiver.send(1);
        poller().await("what completed", waiting::isDone);
        assertThat(waiting.await(Waits.deadline())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {AT_ONCE, SOON_MICROS, HOURS_MICROS})
    void endsByItsDeadlineAndLosesNothing(long spinMicros) {
        EventReceiver receiver = new EventReceiver(pair(), resources());
        CompletionWait wait = wait(receiver, spinMicros);
        assertThatThrownBy(() -> wait.await(completions, Deadline.now())).isInstanceOf(DeadlineExceededException.class);
        assertThatThrownBy(() -> wait.await(completions, Waits.brief())).isInstanceOf(DeadlineExceededException.class);
        receiver.send(1);
        takes(wait, 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {AT_ONCE, HOURS_MICROS})
    void endsByAnInterruptAndLosesNothing(long spinMicros) {
        EventReceiver receiver = new EventReceiver(pair(), resources());
        CompletionWait wait = wait(receiver, spinMicros);
        AtomicReference<Thread> waiter = new AtomicReference<>();
        AtomicBoolean flagged = new AtomicBoolean();
        Background<Integer> waiting = Background.start("wait", () -> {
            waiter.set(Thread.currentThread());
            try {
                return wait.await(completions, Waits.deadline());
            } finally {
                flagged.set(Thread.currentThread().isInterrupted());
            }
        });
        poller().await("the waiter", () -> waiter.get() != null);
        poller().pollAWhile();
        waiter.get().interrupt();
        assertThatThrownBy(() -> waiting.await(Waits.deadline())).isInstanceOf(WaitInterruptedException.class);
        assertThat(flagged).isTrue();
        receiver.send(1);
        takes(wait, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void virtualThreadsThatPollLetOthersRun(boolean spinning) throws InterruptedException {
        EventReceiver receiver = new EventReceiver(pair(), resources());
        CompletionWait wait = wait(receiver, HOURS_MICROS);
        int carriers = Integer.getInteger(
                "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
        CountDownLatch polling = new CountDownLatch(carriers);
        List<Thread> pollers = new ArrayList<>();
        for (int i = 0; i < carriers; i++) {
            pollers.add(Thread.ofVirtual().start(() -> {
                WorkCompletions own = WorkCompletions.ofCapacity(1);
                polling.countDown();
                assertThatThrownBy(() -> {
                            if (spinning) {
                                wait.await(own, Deadline.never());
                            } else {
                                receiver.queue.poll(own, Deadline.never());
                            }
                        })
                        .isInstanceOf(WaitInterruptedException.class);
            }));
        }
        try {
            polling.await();
            // Again and again: it may be that the pollers have not paused yet when the first one is started.
            for (Deadline end = Deadline.in(500, TimeUnit.MILLISECONDS); !end.passed(); ) {
                CountDownLatch ran = new CountDownLatch(1);
                Thread.startVirtualThread(ran::countDown);
                assertThat(ran.await(Waits.deadline().remainingNanos(), TimeUnit.NANOSECONDS))
                        .isTrue();
            }
        } finally {
            pollers.forEach(Thread::interrupt);
            for (Thread poller : pollers) {
                poller.join();
            }
        }
    }

    @Test
    void eventThatAnEarlierWaitLeftDoesNoHarm() {
        EventReceiver receiver = new EventReceiver(pair(), resources());
        CompletionWait wait = wait(receiver, AT_ONCE);
        receiver.queue.arm(false);
        receiver.send(1);
        takes(wait, 1);
        assertThatThrownBy(() -> wait.await(completions, Waits.brief())).isInstanceOf(DeadlineExceededException.class);
        receiver.send(2);
        takes(wait, 2);
    }

    @Test
    void eventOfAnotherQueueIsSaid() {
        EventReceiver receiver = new EventReceiver(pair(), resources());
        CompletionQueue other =
                receiver.pair.b().newQueue(CompletionQueueConfig.of(16).withChannel(receiver.channel));
        Link link = receiver.connect(other);
        other.arm(false);
        receiver.send(link, 1);
        assertThatThrownBy(() -> wait(receiver, AT_ONCE).await(completions, Waits.deadline()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("channel of its own");
    }

    @Test
    @ApiCase
    void refusesToSpinForLessThanNothing() {
        EventReceiver receiver = new EventReceiver(pair(), resources());
        assertThatThrownBy(() -> wait(receiver, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
