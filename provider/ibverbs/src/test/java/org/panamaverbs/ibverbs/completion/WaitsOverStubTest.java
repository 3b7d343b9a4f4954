package org.panamaverbs.ibverbs.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;
import org.panamaverbs.testkit.Background;
import org.panamaverbs.testkit.Waits;

/** Waits for events end by an interrupt, which is not taken for anything else, and lose no event. */
class WaitsOverStubTest extends OverStub {
    private static final int KEPT = 4096;
    private static final int EVENTS = 5000;

    // Contexts that other tests have lost on purpose wait for ever.
    private int others;
    private IbvCompletionChannel channel;
    private CompletionQueue queue;

    @Override
    protected StubVerbs opened() {
        others = Stub.settledPolls();
        return super.opened();
    }

    @BeforeEach
    void open() {
        channel = IbvCompletionChannel.create(verbs.context());
        queue = CompletionQueueMaker.make(
                verbs.context(), CompletionQueueConfig.of(16).withChannel(channel));
        Stub.await("the thread of the asynchronous events waits", () -> Stub.polls() == others + 1);
    }

    @AfterEach
    void close() {
        queue.close();
        channel.close();
    }

    /** A thread whose wait ends by an interrupt. */
    private static final class Waiter {
        private final AtomicBoolean flagged = new AtomicBoolean();
        private final Background<Void> background;
        private volatile @Nullable Thread thread;

        Waiter(Callable<?> wait) {
            CountDownLatch begun = new CountDownLatch(1);
            background = Background.start("waiter", () -> {
                thread = Thread.currentThread();
                begun.countDown();
                try {
                    wait.call();
                } finally {
                    flagged.set(Thread.currentThread().isInterrupted());
                }
                return null;
            });
            try {
                begun.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void expectInterrupted() {
            Objects.requireNonNull(thread).interrupt();
            assertThatThrownBy(() -> background.await(Waits.deadline())).isInstanceOf(WaitInterruptedException.class);
            assertThat(flagged).isTrue();
        }
    }

    @Test
    void interruptEndsTheWaitForACompletionEvent() {
        Waiter waiter = new Waiter(() -> channel.await(Deadline.never()));
        Stub.await("it waits", () -> Stub.polls() == others + 2);
        waiter.expectInterrupted();
        assertGoesOn();
    }

    @Test
    void interruptEndsTheWaitForATurn() {
        Waiter first = new Waiter(() -> channel.await(Deadline.never()));
        Stub.await("it waits", () -> Stub.polls() == others + 2);
        Waiter second = new Waiter(() -> channel.await(Deadline.never()));
        second.expectInterrupted();
        first.expectInterrupted();
        assertGoesOn();
    }

    @Test
    void threadThatIsInterruptedBeforeDoesNotWait() {
        queue.arm(false);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> channel.await(Deadline.never())).isInstanceOf(WaitInterruptedException.class);
        assertThatThrownBy(() -> verbs.context().asyncEvent(Deadline.never()))
                .isInstanceOf(WaitInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(channel.await(Waits.deadline())).contains(queue);
        assertGoesOn();
    }

    @Test
    void interruptEndsTheWaitForAnAsynchronousEvent() {
        Waiter waiter = new Waiter(() -> verbs.context().asyncEvent(Deadline.never()));
        waiter.expectInterrupted();
        Stub.asyncEvents(1);
        assertThat(verbs.context().asyncEvent(Waits.deadline())).isPresent();
    }

    @Test
    void closingEndsTheWaitOtherwiseThanAnInterrupt() {
        queue.close();
        Background<Optional<CompletionQueue>> waiting =
                Background.start("waiter", () -> channel.await(Deadline.never()));
        Stub.await("it waits", () -> Stub.polls() == others + 2);
        channel.close();
        assertThatThrownBy(() -> waiting.await(Waits.deadline()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(channel.resourceName());
    }

    @Test
    void asynchronousEventsComeAfterAWaitThatFailed() {
        Stub.fail("poll", Errno.ENOMEM, 1);
        Stub.asyncEvents(1); // which ends the wait that is under way
        assertThat(verbs.context().asyncEvent(Waits.deadline())).isPresent();
        Stub.asyncEvents(1);
        assertThat(verbs.context().asyncEvent(Waits.deadline())).isPresent();
    }

    @Test
    void keepsTheEarliestEventsAndSaysHowManyItDropped() {
        int before = Stub.asyncTaken();
        Stub.asyncEvents(EVENTS);
        Stub.await("all are seen", () -> Stub.asyncTaken() == before + EVENTS && Stub.polls() == others + 1);
        for (int i = 0; i < KEPT; i++) {
            AsyncEvent event = verbs.context().asyncEvent(Waits.deadline()).orElseThrow();
            assertThat(event.detail()).isEqualTo("device stub0 port 1");
        }
        assertThat(verbs.context().asyncEvent(Deadline.now())).isEmpty();
        Stub.asyncEvents(2);
        assertThat(verbs.context().asyncEvent(Waits.deadline()).orElseThrow().detail())
                .isEqualTo("device stub0 port 1 (" + (EVENTS - KEPT) + " earlier events were dropped)");
        assertThat(verbs.context().asyncEvent(Waits.deadline()).orElseThrow().detail())
                .isEqualTo("device stub0 port 1");
    }

    /** The next event is found, and a wait without one ends by its deadline and not before. */
    private void assertGoesOn() {
        queue.arm(false);
        assertThat(channel.await(Waits.deadline())).contains(queue);
        Deadline brief = Waits.brief();
        assertThat(channel.await(brief)).isEmpty();
        assertThat(brief.passed()).isTrue();
    }
}
