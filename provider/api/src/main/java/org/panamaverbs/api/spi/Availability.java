package org.panamaverbs.api.spi;

import java.util.List;
import java.util.Map;
import org.panamaverbs.api.DeviceInfo;

/** Whether a provider can be used on this machine: a value, never an exception. */
public sealed interface Availability {
    /**
     * It can.
     *
     * @param devices its usable devices, at least one
     * @param why what makes it available, for people: {@code device mlx5_0 with port 1 active}; may be empty
     * @param unusable its other devices by name, each with what is in its way
     */
    record Available(List<DeviceInfo> devices, String why, Map<String, Unavailable> unusable) implements Availability {
        /** It can, which needs no words, with all devices that it has. */
        public Available(List<DeviceInfo> devices) {
            this(devices, "", Map.of());
        }

        /** Copies list and map. */
        public Available {
            devices = List.copyOf(devices);
            unusable = Map.copyOf(unusable);
            if (devices.isEmpty()) {
                throw new IllegalArgumentException("available without a device");
            }
        }

        /** Returns whether the device {@code name} can be used. */
        public boolean has(String name) {
            return devices.stream().anyMatch(device -> device.name().equals(name));
        }
    }

    /**
     * It cannot.
     *
     * @param reason what is missing, for example {@code libibverbs.so.1 not found}
     * @param remedy what to do, for example {@code apt install libibverbs1}
     */
    record Unavailable(String reason, String remedy) implements Availability {}
}
