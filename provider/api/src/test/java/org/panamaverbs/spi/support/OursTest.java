package org.panamaverbs.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.panamaverbs.memory.ManagedResource;

class OursTest {
    private record Queue(ManagedResource device) {}

    private static final class Device extends ManagedResource {
        Device(String name) {
            super(name);
        }
    }

    @Test
    void takesWhatIsOfTheDeviceAndNamesTheDeviceOtherwise() {
        try (Device device = new Device("device 1");
                Device other = new Device("device 2")) {
            Queue queue = new Queue(device);

            assertThat(Ours.of("queue", queue, Queue.class, Queue::device, device))
                    .isSameAs(queue);
            assertThatThrownBy(() -> Ours.of("queue", queue, Queue.class, Queue::device, other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the queue does not belong to device 2");
            assertThatThrownBy(() -> Ours.of("queue", "another provider's", Queue.class, Queue::device, device))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the queue does not belong to device 1");
        }
    }

    @Test
    void nothingStaysNothing() {
        try (Device device = new Device("device 1")) {
            assertThat(Ours.orNull("queue", null, Queue.class, Queue::device, device))
                    .isNull();
            assertThatThrownBy(() -> Ours.orNull("queue", "no queue", Queue.class, Queue::device, device))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
