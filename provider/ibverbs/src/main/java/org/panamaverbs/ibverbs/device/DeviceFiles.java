package org.panamaverbs.ibverbs.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.panamaverbs.api.device.Availability.Unavailable;
import org.panamaverbs.bindings.NativeLibrary;

/**
 * The files in {@code /dev/infiniband} that a process opens: each device's, and the connection manager's. What is in
 * the way at several of them is told at once, with one command that mends all.
 */
final class DeviceFiles {
    /** A file, whose it is, and the kernel module that makes it. */
    private record DeviceFile(Path path, String owner, String module) {}

    /** Who may open a file: its mode as {@code ls -l} shows it, such as {@code rw-rw----}, and its group. */
    record Permission(Path path, String mode, String group) {
        /** Tells whether membership in the group is enough, and is no more than that. */
        private boolean isByGroup() {
            return mode.startsWith("rw", "rwx".length()) && !group.equals("root");
        }
    }

    private static final String CONNECTION_MANAGER = "rdma_ucm";

    private DeviceFiles() {}

    /**
     * Returns what is in the way of opening the files of {@code devices}; then also what is in the way of the
     * connection manager's, which by itself is no obstacle: who needs it hears of it there.
     */
    static Optional<Unavailable> obstacle(Machine machine, List<String> devices) {
        List<DeviceFile> missing = new ArrayList<>();
        List<DeviceFile> forbidden = new ArrayList<>();
        boolean usable = true;
        for (DeviceFile file : of(machine, devices)) {
            int before = missing.size() + forbidden.size();
            if (!Files.exists(file.path())) {
                missing.add(file);
            } else if (!machine.mayUse().test(file.path())) {
                forbidden.add(file);
            }
            usable &= file.module().equals(CONNECTION_MANAGER) || missing.size() + forbidden.size() == before;
        }
        if (usable) {
            return Optional.empty();
        }
        List<Unavailable> obstacles = new ArrayList<>();
        if (!missing.isEmpty()) {
            obstacles.add(missing(missing));
        }
        if (!forbidden.isEmpty()) {
            obstacles.add(forbidden(forbidden));
        }
        return obstacles.isEmpty() ? Optional.empty() : Optional.of(Obstacles.together(obstacles));
    }

    /** Returns what is in the way of the connection manager. */
    static Optional<Unavailable> connectionManager(Machine machine) {
        Path file = machine.deviceFiles().resolve("rdma_cm");
        String wrong;
        if (NativeLibrary.RDMACM.absence().isPresent()) {
            wrong = NativeLibrary.RDMACM.fileName() + " cannot be loaded";
        } else if (!Files.exists(file)) {
            wrong = "no file " + file;
        } else if (!machine.mayUse().test(file)) {
            wrong = "no permission on " + file;
        } else {
            return Optional.empty();
        }
        return Optional.of(new Unavailable(
                "there are devices, but no connection manager for connect and listen: " + wrong,
                "run modprobe rdma_ucm, in a container use --device " + file
                        + "; or choose the provider (-Dverbs.provider=ibverbs) for connections out of band, datagrams"
                        + " and raw packets"));
    }

    /** Returns which of the kernel's devices libibverbs does not list, because their files are not there. */
    static Optional<Unavailable> hidden(Machine machine) {
        List<String> hidden = machine.sysfs().devices().stream()
                .filter(device -> {
                    String verbs = machine.sysfs().uverbsName(device);
                    return !verbs.isEmpty()
                            && !Files.exists(machine.deviceFiles().resolve(verbs));
                })
                .toList();
        return hidden.isEmpty() ? Optional.empty() : obstacle(machine, hidden);
    }

    private static List<DeviceFile> of(Machine machine, List<String> devices) {
        List<DeviceFile> files = new ArrayList<>();
        for (String device : devices) {
            String verbs = machine.sysfs().uverbsName(device);
            if (!verbs.isEmpty()) {
                files.add(new DeviceFile(machine.deviceFiles().resolve(verbs), "device " + device, "ib_uverbs"));
            }
        }
        files.add(
                new DeviceFile(machine.deviceFiles().resolve("rdma_cm"), "the connection manager", CONNECTION_MANAGER));
        return files;
    }

    private static Unavailable missing(List<DeviceFile> files) {
        List<String> modules = files.stream().map(DeviceFile::module).distinct().toList();
        return new Unavailable(
                files.stream()
                        .map(file -> file.owner() + " has no file " + file.path())
                        .collect(Collectors.joining("; ")),
                "modprobe " + (modules.size() > 1 ? "-a " : "") + String.join(" ", modules)
                        + "; in a container also "
                        + files.stream().map(file -> "--device " + file.path()).collect(Collectors.joining(" ")));
    }

    private static Unavailable forbidden(List<DeviceFile> files) {
        List<String> reasons = new ArrayList<>();
        List<Permission> permissions = new ArrayList<>();
        for (DeviceFile file : files) {
            String reason = "no permission on " + file.path() + " of " + file.owner() + ": ";
            try {
                PosixFileAttributes attributes = Files.readAttributes(file.path(), PosixFileAttributes.class);
                String mode = PosixFilePermissions.toString(attributes.permissions());
                String group = attributes.group().getName();
                permissions.add(new Permission(file.path(), mode, group));
                reasons.add(reason + "read and write are needed, and it is " + mode + " of user "
                        + attributes.owner().getName() + " and group " + group);
            } catch (IOException e) {
                permissions.add(new Permission(file.path(), "", ""));
                reasons.add(reason + e);
            }
        }
        return new Unavailable(String.join("; ", reasons), grant(permissions, System.getProperty("user.name", "USER")));
    }

    /** Returns how {@code user} gets at all of {@code files}: by joining groups where those may, else by the modes. */
    static String grant(List<Permission> files, String user) {
        if (files.stream().allMatch(Permission::isByGroup)) {
            String groups = files.stream().map(Permission::group).distinct().collect(Collectors.joining(","));
            return "usermod -aG " + groups + " " + user + ", then log in again";
        }
        return "chmod 666 "
                + files.stream().map(file -> file.path().toString()).collect(Collectors.joining(" "))
                + " (until the next boot), or add a udev rule: KERNEL==\"uverbs*|rdma_cm\", MODE=\"0666\"";
    }
}
