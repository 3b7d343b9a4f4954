package org.panamaverbs.ibverbs.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.panamaverbs.api.DeviceInfo;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.spi.Availability;
import org.panamaverbs.api.spi.Availability.Unavailable;

/** Whether there is a usable device here; otherwise the first thing that is in the way, and what helps. */
public final class DeviceAvailability {
    private DeviceAvailability() {}

    /** Returns the answer for this machine as it is now. */
    public static Availability now() {
        try {
            Machine machine = Machine.current();
            Optional<Unavailable> obstacle = Obstacles.before(machine);
            return obstacle.isPresent() ? obstacle.get() : devices(machine);
        } catch (RuntimeException | LinkageError e) {
            return new Unavailable(
                    "the RDMA devices cannot be examined: " + e, "report this: availability never throws");
        }
    }

    private static Availability devices(Machine machine) {
        DeviceList devices;
        try {
            devices = DeviceList.get();
        } catch (ResourceException e) {
            return Obstacles.listing(machine, e.errno());
        }
        try (devices) {
            if (devices.names().isEmpty()) {
                return Obstacles.noDevice(machine);
            }
            return examined(machine, devices);
        }
    }

    private static Availability examined(Machine machine, DeviceList devices) {
        List<DeviceInfo> usable = new ArrayList<>();
        List<Unavailable> unusable = new ArrayList<>();
        for (String name : devices.names()) {
            Optional<Unavailable> obstacle = Obstacles.atFile(machine, name);
            if (obstacle.isPresent()) {
                unusable.add(obstacle.get());
                continue;
            }
            try (OpenedDevice device = OpenedDevice.open(devices, name)) {
                DeviceInfo info = device.info();
                if (device.isUsable()) {
                    usable.add(info);
                } else {
                    unusable.add(Obstacles.noActivePort(info));
                }
            } catch (ResourceException e) {
                unusable.add(Obstacles.failure(name, e));
            }
        }
        return usable.isEmpty() ? Obstacles.together(unusable) : new Availability.Available(usable, why(usable));
    }

    /** Returns {@code device mlx5_0 with port 1 active} for each. */
    private static String why(List<DeviceInfo> usable) {
        return usable.stream()
                .map(device -> "device " + device.name() + " (" + device.transport() + ") with port "
                        + device.ports().stream()
                                .filter(DeviceInfo.Port::active)
                                .map(port -> Integer.toString(port.number()))
                                .collect(Collectors.joining(" and "))
                        + " active")
                .collect(Collectors.joining(", "));
    }
}
