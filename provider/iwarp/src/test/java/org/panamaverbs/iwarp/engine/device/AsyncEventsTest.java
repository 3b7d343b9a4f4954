package org.panamaverbs.iwarp.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.api.AsyncEvent;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.spi.watch.DeviceWatch;

@Timeout(60)
class AsyncEventsTest {
    private static final int CAPACITY = 4096;

    private static final class Device extends ManagedResource {
        Device() {
            super("device");
        }
    }

    private final Device device = new Device();
    private final AsyncEvents events = new AsyncEvents(device, new DeviceWatch("iwarp", "test0"));

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
}
