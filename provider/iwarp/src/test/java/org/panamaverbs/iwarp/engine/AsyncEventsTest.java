package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.watch.DeviceWatch;
import org.panamaverbs.iwarp.engine.context.AsyncEvents;
import org.panamaverbs.iwarp.engine.context.WaitPoint;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.testkit.faults.StackEnd;

@Timeout(60)
class AsyncEventsTest {
    private static final int CAPACITY = 4096;
    // As many as there are places for before more are made.
    private static final int PLACES = 16;

    private static final class Device extends ManagedResource {
        Device() {
            super("device");
        }
    }

    private final Device device = new Device();
    private AsyncEvents events = new AsyncEvents(device, new DeviceWatch("iwarp", "test0"));
    private boolean raised;

    @AfterEach
    void close() {
        device.close();
    }

    private void raise(int count) {
        for (int i = 0; i < count; i++) {
            events.raise(AsyncEvent.Type.QP_FATAL, this, "event " + i, null);
        }
    }

    private AsyncEvent next() {
        return events.take(Deadline.now(), WaitPoint::sleepInterruptibly).orElseThrow();
    }

    @Test
    void keepsTheOldestAndSaysHowManyItDropped() {
        raise(CAPACITY + 7);
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(next().detail()).isEqualTo("event " + i);
        }
        assertThat(events.take(Deadline.now(), WaitPoint::sleepInterruptibly)).isEmpty();

        raise(2);

        assertThat(next().detail()).isEqualTo("event 0 (7 earlier events were dropped)");
        assertThat(next().detail()).isEqualTo("event 1");
    }

    @RepeatedTest(3)
    void aCallThatOverflowsHasRaisedNothingAndLostNothing() throws InterruptedException {
        raise(PLACES);
        Runnable raise = () -> {
            events.raise(AsyncEvent.Type.QP_FATAL, this, "one more", null);
            raised = true;
        };
        StackEnd.Outcome outcome = StackEnd.each(raise, () -> {
            for (int i = 0; i < PLACES; i++) {
                assertThat(next().detail()).isEqualTo("event " + i);
            }
            assertThat(events.take(Deadline.now(), WaitPoint::sleepInterruptibly)
                            .isPresent())
                    .isEqualTo(raised);
            raised = false;
            events = new AsyncEvents(device, new DeviceWatch("iwarp", "test0"));
            raise(PLACES);
        });

        assertThat(outcome.overflows()).isPositive();
        assertThat(outcome.tried()).isGreaterThan(outcome.overflows());
    }
}
