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
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeviceInfo;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.spi.Availability;
import org.panamaverbs.api.spi.Availability.Unavailable;

/** Whether there is a usable device here; otherwise the first thing that is in the way, and what helps. */
public final class DeviceAvailability {
    private DeviceAvailability() {}

    /** Returns the answer for all devices of this machine as it is now. */
    public static Availability now() {
        return answered(machine -> devices(machine, DeviceAvailability::examined));
    }

    /**
     * Returns the answer for the device {@code wanted} as it is now, and if that is empty for the first that can be
     * used. No other is opened.
     */
    public static Availability now(String wanted) {
        return answered(machine -> of(machine, wanted));
    }

    /**
     * Returns the answer for whoever asks for no provider and no device: without the connection manager another
     * provider is the better choice.
     */
    public static Availability forAnyUse() {
        return answered(DeviceAvailability::forAnyUse);
    }

    /** Returns that answer for {@code machine}. */
    static Availability forAnyUse(Machine machine) {
        Availability found = of(machine, "");
        Optional<Unavailable> obstacle =
                found instanceof Availability.Available ? DeviceFiles.connectionManager(machine) : Optional.empty();
        return obstacle.isPresent() ? obstacle.get() : found;
    }

    /** Returns the answer for a device of {@code machine}, which has nothing else in the way. */
    static Availability of(Machine machine, String wanted) {
        return devices(machine, (its, names) -> {
            if (wanted.isEmpty()) {
                return firstUsable(its, names);
            }
            return names.contains(wanted) ? named(its, wanted) : examined(its, names);
        });
    }

    private static Availability answered(Function<Machine, Availability> question) {
        try {
            Machine machine = Machine.current();
            Optional<Unavailable> obstacle = Obstacles.before(machine);
            return obstacle.isPresent() ? obstacle.get() : question.apply(machine);
        } catch (RuntimeException | LinkageError e) {
            return new Unavailable(
                    "the RDMA devices cannot be examined: " + e, "report this: availability never throws");
        }
    }

    private static Availability devices(Machine machine, BiFunction<Machine, List<String>, Availability> question) {
        List<String> names;
        try (DeviceList devices = DeviceList.get()) {
            names = devices.names();
        } catch (ResourceException e) {
            return Obstacles.listing(machine, e.errno());
        }
        return names.isEmpty()
                ? DeviceFiles.hidden(machine).orElseGet(() -> Obstacles.noDevice(machine))
                : question.apply(machine, names);
    }

    /** Also one whose port is about to be active, which the application may wait for. */
    private static Availability named(Machine machine, String name) {
        Optional<Unavailable> obstacle = DeviceFiles.obstacle(machine, List.of(name));
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        try (OpenedDevice device = BoundedOpen.open(name, BoundedOpen.WANTED_SECONDS, opened -> false)) {
            DeviceInfo info = device.info();
            return device.isUsable() || device.isTraining()
                    ? new Availability.Available(List.of(info), why(info), Map.of())
                    : Obstacles.noActivePort(info);
        } catch (ResourceException e) {
            return Obstacles.failure(name, e);
        }
    }

    private static Availability firstUsable(Machine machine, List<String> names) {
        Map<String, Unavailable> unusable = new LinkedHashMap<>();
        for (String name : names) {
            Optional<Unavailable> obstacle = DeviceFiles.obstacle(machine, List.of(name));
            if (obstacle.isPresent()) {
                unusable.put(name, obstacle.get());
                continue;
            }
            List<DeviceInfo> usable = new ArrayList<>();
            judge(
                    BoundedOpen.of(name, opened -> false),
                    Deadline.in(BoundedOpen.SECONDS, TimeUnit.SECONDS),
                    usable,
                    unusable);
            if (!usable.isEmpty()) {
                return answer(usable, unusable);
            }
        }
        return together(machine, names, unusable);
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
    private static Availability examined(Machine machine, List<String> names) {
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
        return usable.isEmpty() ? together(machine, names, unusable) : answer(usable, unusable);
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
            return "device " + device.name() + " (" + device.transport() + ") with no port active yet: wait for"
                    + " PORT_ACTIVE";
        }
        return "device " + device.name() + " (" + device.transport() + ") with port "
                + device.ports().stream()
                        .filter(DeviceInfo.Port::active)
                        .map(port -> Integer.toString(port.number()))
                        .collect(Collectors.joining(" and "))
                + " active";
    }
}
