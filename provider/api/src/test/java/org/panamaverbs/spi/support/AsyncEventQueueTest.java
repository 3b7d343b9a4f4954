package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.WaitInterruptedException;
import org.panamaverbs.memory.ManagedResource;

@Timeout(60)
class AsyncEventQueueTest {
    private static final class Device extends ManagedResource {
        Device() {
            super("device 1");
        }
    }

    private final Device device = new Device();
    private final AsyncEventQueue events = new AsyncEventQueue(device);

    @AfterEach
    void close() {
        Thread.interrupted();
        device.close();
    }

    private void add(Object source, String detail) {
        events.add(new AsyncEvent(AsyncEvent.Type.QP_FATAL, source, detail));
    }

    private String next() {
        return events.take(Deadline.now()).orElseThrow().detail();
    }

    @Test
    void keepsTheOldestAndSaysHowManyItDropped() {
        for (int i = 0; i < AsyncEventQueue.CAPACITY + 7; i++) {
            add(this, "event " + i);
        }
        events.lost();
        for (int i = 0; i < AsyncEventQueue.CAPACITY; i++) {
            assertThat(next()).isEqualTo("event " + i);
        }
        assertThat(events.take(Deadline.now())).isEmpty();

        add(this, "one");
        add(this, "two");

        assertThat(next()).isEqualTo("one (8 earlier events were dropped)");
        assertThat(next()).isEqualTo("two");
    }

    @Test
    void forgetsWhatIsOfAClosedObject() {
        add("gone", "of the one");
        add("here", "of the other");

        events.forget("gone");

        assertThat(next()).isEqualTo("of the other");
        assertThat(events.take(Deadline.now())).isEmpty();
    }

    @Test
    void wakesWhoWaits() {
        CompletableFuture<Optional<AsyncEvent>> taken =
                CompletableFuture.supplyAsync(() -> events.take(Deadline.never()));

        add(this, "it");

        assertThat(taken.join())
                .hasValueSatisfying(event -> assertThat(event.detail()).isEqualTo("it"));
    }

    @Test
    void closingEndsWaits() throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(1);
        CompletableFuture<Optional<AsyncEvent>> taken =
                CompletableFuture.supplyAsync(() -> events.take(Deadline.never(), (done, deadline) -> {
                    waiting.countDown();
                    while (!done.getAsBoolean()) {
                        Thread.onSpinWait();
                    }
                    return true;
                }));
        waiting.await();

        device.close();
        events.wake();

        assertThatThrownBy(taken::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("device 1");
    }

    @Test
    void anEventThatComesAsTheDeviceClosesIsTaken() {
        Optional<AsyncEvent> taken = events.take(Deadline.never(), (done, deadline) -> {
            add(this, "it");
            device.close();
            return done.getAsBoolean();
        });

        assertThat(taken).hasValueSatisfying(event -> assertThat(event.detail()).isEqualTo("it"));
    }

    @Test
    void anInterruptEndsTheWaitAndTakesNothing() {
        add(this, "it");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> events.take(Deadline.never())).isInstanceOf(WaitInterruptedException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(next()).isEqualTo("it");
    }
}
