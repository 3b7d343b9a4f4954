package org.panamaverbs.api.device;

import java.util.List;
import java.util.Map;

/** Whether a provider is usable on this machine: a value, never an exception. */
public sealed interface Availability {
    /**
     * The provider is usable.
     *
     * @param devices its usable devices, at least one
     * @param why what makes it available, for people: {@code device mlx5_0 with port 1 active}; may be empty
     * @param unusable its other devices by name, with the reasons
     */
    record Available(List<DeviceInfo> devices, String why, Map<String, Unavailable> unusable) implements Availability {
        /** Creates an availability without words, in which all devices are usable. */
        public Available(List<DeviceInfo> devices) {
            this(devices, "", Map.of());
        }

        /**
         * Copies list and map.
         *
         * @throws IllegalArgumentException if there is no device
         */
        public Available {
            devices = List.copyOf(devices);
            unusable = Map.copyOf(unusable);
            if (devices.isEmpty()) {
                throw new IllegalArgumentException("available without a device");
            }
        }

        /** Returns whether device {@code name} is usable. */
        public boolean has(String name) {
            return devices.stream().anyMatch(device -> device.name().equals(name));
        }
    }

    /**
     * The provider is not usable.
     *
     * @param reason what is missing, for example {@code libibverbs.so.1 not found}
     * @param remedy what to do, for example {@code apt install libibverbs1}
     */
    record Unavailable(String reason, String remedy) implements Availability {}
}
