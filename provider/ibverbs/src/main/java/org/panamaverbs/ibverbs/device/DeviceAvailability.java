package org.panamaverbs.ibverbs.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
                return DeviceFiles.hidden(machine).orElseGet(() -> Obstacles.noDevice(machine));
            }
            return examined(machine, devices);
        }
    }

    private static Availability examined(Machine machine, DeviceList devices) {
        if (devices.names().stream()
                .allMatch(name -> DeviceFiles.obstacle(machine, List.of(name)).isPresent())) {
            return DeviceFiles.obstacle(machine, devices.names()).orElseThrow();
        }
        List<DeviceInfo> usable = new ArrayList<>();
        Map<String, Unavailable> unusable = new LinkedHashMap<>();
        for (String name : devices.names()) {
            Optional<Unavailable> obstacle = DeviceFiles.obstacle(machine, List.of(name));
            if (obstacle.isPresent()) {
                unusable.put(name, obstacle.get());
                continue;
            }
            try (OpenedDevice device = OpenedDevice.open(devices, name)) {
                judge(device.info(), usable, unusable);
            } catch (ResourceException e) {
                unusable.put(name, Obstacles.failure(name, e));
            }
        }
        return answer(usable, unusable);
    }

    /** Adds {@code device} to {@code usable} if traffic can flow, else to {@code unusable} with the reason. */
    static void judge(DeviceInfo device, List<DeviceInfo> usable, Map<String, Unavailable> unusable) {
        if (device.ports().stream().anyMatch(DeviceInfo.Port::active)) {
            usable.add(device);
        } else {
            unusable.put(device.name(), Obstacles.noActivePort(device));
        }
    }

    /** Returns the answer for these devices, of which there is at least one. */
    static Availability answer(List<DeviceInfo> usable, Map<String, Unavailable> unusable) {
        return usable.isEmpty()
                ? Obstacles.together(List.copyOf(unusable.values()))
                : new Availability.Available(
                        usable,
                        usable.stream().map(DeviceAvailability::why).collect(Collectors.joining(", ")),
                        unusable);
    }

    /** Returns {@code device mlx5_0 (INFINIBAND) with port 1 active}. */
    public static String why(DeviceInfo device) {
        return "device " + device.name() + " (" + device.transport() + ") with port "
                + device.ports().stream()
                        .filter(DeviceInfo.Port::active)
                        .map(port -> Integer.toString(port.number()))
                        .collect(Collectors.joining(" and "))
                + " active";
    }
}
