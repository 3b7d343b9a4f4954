package org.panamaverbs.api.spi;

import java.util.List;
import org.panamaverbs.api.DeviceInfo;

/** Whether a provider can be used on this machine: a value, never an exception. */
public sealed interface Availability {
    /**
     * It can.
     *
     * @param devices its usable devices, at least one
     * @param why what makes it available, for people: {@code device mlx5_0 with port 1 active}; may be empty
     */
    record Available(List<DeviceInfo> devices, String why) implements Availability {
        /** It can, which needs no words. */
        public Available(List<DeviceInfo> devices) {
            this(devices, "");
        }

        /** Copies the list. */
        public Available {
            devices = List.copyOf(devices);
            if (devices.isEmpty()) {
                throw new IllegalArgumentException("available without a device");
            }
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
