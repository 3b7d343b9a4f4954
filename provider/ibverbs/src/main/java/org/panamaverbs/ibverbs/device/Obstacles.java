package org.panamaverbs.ibverbs.device;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Availability.Unavailable;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.bindings.Errno;

/** What can be in the way of using a device, each with its reason and its remedy. */
final class Obstacles {
    private static final String REMEDY = "; remedy: ";

    /**
     * The least memory that must be lockable. Hardware drivers also lock the rings of queues, so that less would let
     * the first queue pair fail.
     */
    static final long LEAST_MEMLOCK = 1L << 20;

    private static final String SOFTWARE_DEVICE = "or add a software device: rdma link add rxe0 type rxe netdev eth0";

    private Obstacles() {}

    /** Returns what is in the way before any device is looked at. */
    static Optional<Unavailable> before(Machine machine) {
        if (machine.mismatch().isPresent()) {
            return machine.mismatch().map(Obstacles::split);
        }
        if (machine.missingFlag().isPresent() && machine.sysfs().devices().isEmpty()) {
            // Nothing native is touched where it would be in vain, so that the JDK does not warn of it.
            Unavailable none = noDevice(machine);
            String flag = "; and start java with " + machine.missingFlag().get();
            return Optional.of(new Unavailable(none.reason(), none.remedy() + flag));
        }
        return machine.absences().stream()
                .flatMap(absence -> absence.get().stream())
                .findFirst()
                .map(Obstacles::split)
                .or(() -> memlock(machine));
    }

    /** Cuts {@code reason: remedy}, as the bindings have it, in two. */
    private static Unavailable split(String absence) {
        int cut = absence.indexOf(REMEDY);
        return cut < 0
                ? new Unavailable(absence, "use the provider in Java (-Dverbs.provider=iwarp)")
                : new Unavailable(absence.substring(0, cut), absence.substring(cut + REMEDY.length()));
    }

    private static Optional<Unavailable> memlock(Machine machine) {
        if (machine.memlockBytes().isEmpty() || machine.memlockBytes().getAsLong() >= LEAST_MEMLOCK) {
            return Optional.empty();
        }
        return Optional.of(new Unavailable(
                "the memlock limit is " + (machine.memlockBytes().getAsLong() >>> 10)
                        + " KiB, and registration needs at least " + (LEAST_MEMLOCK >>> 10) + " KiB",
                "ulimit -l unlimited; permanently: memlock in /etc/security/limits.conf, LimitMEMLOCK=infinity (systemd),"
                        + " --ulimit memlock=-1 (containers)"));
    }

    /** Returns why {@code ibv_get_device_list(3)} failed with {@code errno}. */
    static Unavailable listing(Machine machine, int errno) {
        return errno == Errno.ENOSYS
                ? noDevice(machine)
                : new Unavailable(
                        "the RDMA devices cannot be listed: " + Errno.describe(errno),
                        "check `ibv_devices` and dmesg, and whether /sys is mounted");
    }

    /** Returns why the library knows no device. */
    static Unavailable noDevice(Machine machine) {
        if (!machine.sysfs().isMounted()) {
            return new Unavailable(
                    "no RDMA device can be found: " + machine.sysfs().classes() + " is not there",
                    "mount sysfs at /sys (containers have it by default)");
        }
        List<String> kernels = machine.sysfs().devices();
        if (kernels.isEmpty()) {
            return new Unavailable(
                    "no RDMA device: the kernel has none in /sys/class/infiniband",
                    "load the adapter's driver, " + SOFTWARE_DEVICE);
        }
        if (!machine.sysfs().hasUverbs()) {
            return new Unavailable(
                    "the kernel's devices " + kernels + " are not available to programs: module ib_uverbs is not"
                            + " loaded",
                    "modprobe -a ib_uverbs rdma_ucm");
        }
        return new Unavailable(
                "libibverbs has no driver for the kernel's devices " + kernels,
                "apt install ibverbs-providers (Debian, Ubuntu) / dnf install libibverbs (RHEL, Fedora)");
    }

    /** Returns that {@code device} has no active port. */
    static Unavailable noActivePort(DeviceInfo device) {
        return new Unavailable(
                "device " + device.name() + " has no active port",
                switch (device.transport()) {
                    case INFINIBAND -> "plug the cable in, and check that a subnet manager runs (opensm)";
                    default -> "bring its network interface up (rdma link shows which): ip link set NETDEV up";
                });
    }

    /** Returns why {@code device} cannot be opened or asked. */
    static Unavailable failure(String device, ResourceException e) {
        String text = String.valueOf(e.getMessage());
        int cut = text.indexOf(REMEDY);
        return new Unavailable(
                "device " + device + " cannot be used: " + (cut < 0 ? text : text.substring(0, cut)),
                cut < 0 ? "check `ibv_devinfo -v` and dmesg" : text.substring(cut + REMEDY.length()));
    }

    /** Returns several as one, at least one. */
    static Unavailable together(List<Unavailable> obstacles) {
        return new Unavailable(
                obstacles.stream().map(Unavailable::reason).distinct().collect(Collectors.joining("; ")),
                obstacles.stream().map(Unavailable::remedy).distinct().collect(Collectors.joining("; ")));
    }
}
