package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.Deadline;

@Timeout(60)
class WaitsTest {
    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean done;

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    @Test
    void endsWhenItIsNotified() throws InterruptedException {
        Thread other = Thread.ofPlatform().start(() -> {
            synchronized (monitor) {
                done = true;
                monitor.notifyAll();
            }
        });
        synchronized (monitor) {
            assertThat(Waits.uninterruptibly(() -> done, Deadline.never(), monitor))
                    .isTrue();
        }
        other.join();
    }

    @Test
    void endsWhenItIsSignalled() throws InterruptedException {
        Thread other = Thread.ofPlatform().start(() -> {
            lock.lock();
            try {
                done = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        });
        lock.lock();
        try {
            assertThat(Waits.interruptibly(() -> done, Deadline.never(), changed))
                    .isTrue();
        } finally {
            lock.unlock();
        }
        other.join();
    }

    @Test
    void endsByTheDeadline() throws InterruptedException {
        synchronized (monitor) {
            assertThat(Waits.interruptibly(() -> false, Deadline.now(), monitor))
                    .isFalse();
            assertThat(Waits.uninterruptibly(() -> false, Deadline.in(1, TimeUnit.MILLISECONDS), monitor))
                    .isFalse();
        }
    }

    @Test
    void answerComesInTimeOrNot() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        assertThatThrownBy(() -> Waits.uninterruptibly(answer, Deadline.in(1, TimeUnit.MILLISECONDS)))
                .isInstanceOf(TimeoutException.class);
        answer.complete("an answer");
        assertThat(Waits.uninterruptibly(answer, Deadline.never())).isEqualTo("an answer");
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IOException("a failure"));
        assertThatThrownBy(() -> Waits.uninterruptibly(failed, Deadline.never()))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("a failure");
    }

    @Test
    void answerThatIsCancelledEndsItsWait() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        assertThat(answer.cancel(false)).isTrue();
        assertThatThrownBy(() -> Waits.uninterruptibly(answer, Deadline.never()))
                .isInstanceOf(CancellationException.class);
    }

    @Test
    void anInterruptIsKeptByWaitsForAnswersAndForThreads() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread other = Thread.ofPlatform().start(answer::join);
        Thread answering = Thread.ofPlatform().start(() -> answer.complete("an answer"));
        Thread.currentThread().interrupt();
        assertThat(Waits.uninterruptibly(answer, Deadline.never())).isEqualTo("an answer");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        Waits.awaitEnd(other);
        Waits.awaitEnd(answering);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(other.isAlive()).isFalse();
        assertThat(answering.isAlive()).isFalse();
    }

    @Test
    void anInterruptEndsOneAndIsKeptByTheOther() throws InterruptedException {
        synchronized (monitor) {
            Thread.currentThread().interrupt();
            assertThat(Waits.uninterruptibly(() -> false, Deadline.in(1, TimeUnit.MILLISECONDS), monitor))
                    .isFalse();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();

            assertThatThrownBy(() -> Waits.interruptibly(() -> true, Deadline.never(), monitor))
                    .isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }
}
