package org.panamaverbs.ibverbs.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.Availability.Unavailable;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.spi.support.Creation;

/** Whether there is a usable device here; otherwise the first thing that is in the way, and what helps. */
public final class DeviceAvailability {
    /**
     * What was found, and the device that is to be opened, which is open already.
     *
     * @param availability whether there is a usable device
     * @param device the caller's to close; null if none can be used, or all were asked for
     */
    public record Examined(
            Availability availability, @Nullable OpenedDevice device) {
        private static Examined none(Availability availability) {
            return new Examined(availability, null);
        }
    }

    private DeviceAvailability() {}

    /** Returns the answer for all devices of this machine as it is now. */
    public static Availability now() {
        return answered(machine -> devices(machine, DeviceAvailability::all)).availability();
    }

    /**
     * Returns the answer for the device {@code wanted} as it is now, and if that is empty for the first that can be
     * used. No other is opened.
     */
    public static Examined examine(String wanted) {
        return answered(machine -> of(machine, wanted));
    }

    /**
     * Returns the answer for whoever asks for no provider and no device: without the connection manager another
     * provider is the better choice.
     */
    public static Examined forAnyUse() {
        return answered(DeviceAvailability::forAnyUse);
    }

    /** Returns that answer for {@code machine}. */
    static Examined forAnyUse(Machine machine) {
        Examined found = of(machine, "");
        OpenedDevice device = found.device();
        if (device == null) {
            return found;
        }
        return Creation.of(
                () -> device,
                opened -> {
                    Optional<Unavailable> obstacle = DeviceFiles.connectionManager(machine);
                    if (obstacle.isEmpty()) {
                        return found;
                    }
                    opened.close();
                    return Examined.none(obstacle.get());
                },
                OpenedDevice::close);
    }

    /** Returns the answer for a device of {@code machine}, which has nothing else in the way. */
    static Examined of(Machine machine, String wanted) {
        return devices(machine, (its, names) -> {
            if (wanted.isEmpty()) {
                return firstUsable(its, names);
            }
            return names.contains(wanted) ? named(its, wanted) : all(its, names);
        });
    }

    private static Examined answered(Function<Machine, Examined> question) {
        try {
            Machine machine = Machine.current();
            Optional<Unavailable> obstacle = Obstacles.before(machine);
            return obstacle.isPresent() ? Examined.none(obstacle.get()) : question.apply(machine);
        } catch (RuntimeException | LinkageError e) {
            return Examined.none(new Unavailable("the RDMA devices cannot be examined: " + e, "report this as a bug"));
        }
    }

    private static Examined devices(Machine machine, BiFunction<Machine, List<String>, Examined> question) {
        List<String> names;
        try (DeviceList devices = DeviceList.get()) {
            names = devices.names();
        } catch (ResourceException e) {
            return Examined.none(Obstacles.listing(machine, e.errno()));
        }
        return names.isEmpty()
                ? Examined.none(DeviceFiles.hidden(machine).orElseGet(() -> Obstacles.noDevice(machine)))
                : question.apply(machine, names);
    }

    /** Also one whose port is about to be active, which the application may wait for. */
    private static Examined named(Machine machine, String name) {
        Optional<Unavailable> obstacle = DeviceFiles.obstacle(machine, List.of(name));
        if (obstacle.isPresent()) {
            return Examined.none(obstacle.get());
        }
        try {
            return Creation.of(
                    () -> BoundedOpen.open(
                            name, BoundedOpen.WANTED_SECONDS, opened -> opened.isUsable() || opened.isTraining()),
                    device -> {
                        DeviceInfo info = device.info();
                        if (device.isUsable() || device.isTraining()) {
                            return new Examined(new Availability.Available(List.of(info), why(info), Map.of()), device);
                        }
                        device.close();
                        return Examined.none(Obstacles.noActivePort(info));
                    },
                    OpenedDevice::close);
        } catch (ResourceException e) {
            return Examined.none(Obstacles.failure(name, e));
        }
    }

    private static Examined firstUsable(Machine machine, List<String> names) {
        Map<String, Unavailable> unusable = new LinkedHashMap<>();
        int seconds = BoundedOpen.seconds(names);
        for (String name : names) {
            Optional<Unavailable> obstacle = DeviceFiles.obstacle(machine, List.of(name));
            if (obstacle.isPresent()) {
                unusable.put(name, obstacle.get());
                continue;
            }
            try {
                Optional<Examined> found = Creation.of(
                        () -> BoundedOpen.open(name, seconds, OpenedDevice::isUsable),
                        device -> {
                            DeviceInfo info = device.info();
                            if (device.isUsable()) {
                                return Optional.of(new Examined(answer(List.of(info), unusable), device));
                            }
                            device.close();
                            unusable.put(name, Obstacles.noActivePort(info));
                            return Optional.empty();
                        },
                        OpenedDevice::close);
                if (found.isPresent()) {
                    return found.get();
                }
            } catch (ResourceException e) {
                unusable.put(name, Obstacles.failure(name, e));
            }
        }
        return Examined.none(together(machine, names, unusable));
    }

    /** Returns what is in the way of all: files of all of them are told at once. */
    private static Availability together(Machine machine, List<String> names, Map<String, Unavailable> unusable) {
        return names.stream()
                        .allMatch(name ->
                                DeviceFiles.obstacle(machine, List.of(name)).isPresent())
                ? DeviceFiles.obstacle(machine, names).orElseThrow()
                : answer(List.of(), unusable);
    }

    /** Examines all side by side. */
    private static Examined all(Machine machine, List<String> names) {
        Map<String, Unavailable> unusable = new LinkedHashMap<>();
        Map<String, BoundedOpen> begun = new LinkedHashMap<>();
        for (String name : names) {
            DeviceFiles.obstacle(machine, List.of(name))
                    .ifPresentOrElse(
                            obstacle -> unusable.put(name, obstacle),
                            () -> begun.put(name, BoundedOpen.of(name, opened -> false)));
        }
        List<DeviceInfo> usable = new ArrayList<>();
        Deadline deadline = Deadline.in(BoundedOpen.SECONDS, TimeUnit.SECONDS);
        begun.values().forEach(opening -> judge(opening, deadline, usable, unusable));
        return Examined.none(usable.isEmpty() ? together(machine, names, unusable) : answer(usable, unusable));
    }

    private static void judge(
            BoundedOpen opening, Deadline deadline, List<DeviceInfo> usable, Map<String, Unavailable> unusable) {
        try (OpenedDevice device = opening.await(deadline)) {
            judge(device.info(), usable, unusable);
        } catch (ResourceException e) {
            unusable.put(opening.name(), Obstacles.failure(opening.name(), e));
        }
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
        if (device.ports().stream().noneMatch(DeviceInfo.Port::active)) {
            return "device " + device.name() + " (" + device.transport() + ") with no port active yet, which"
                    + " PORT_ACTIVE will report";
        }
        return "device " + device.name() + " (" + device.transport() + ") with port "
                + device.ports().stream()
                        .filter(DeviceInfo.Port::active)
                        .map(port -> Integer.toString(port.number()))
                        .collect(Collectors.joining(" and "))
                + " active";
    }
}
