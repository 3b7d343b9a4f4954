package org.panamaverbs.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Whether the kernel has RDMA devices, and whether it offers them to programs. */
final class KernelCheck implements Check {
    private static final String DEVICES = "devices";
    private static final String MODULES = "modules";

    @Override
    public void look(MachineTree machine, Findings findings) {
        List<RdmaDevice> devices = RdmaDevice.all(machine);
        if (devices.isEmpty()) {
            noDevice(machine, findings);
            return;
        }
        findings.ok(DEVICES, devices.stream().map(KernelCheck::text).collect(Collectors.joining(", ")));
        modules(machine, findings);
        if (machine.text("sys/module/ib_core/parameters/netns_mode").equals("N")) {
            findings.note(
                    DEVICES,
                    "each device belongs to one network namespace (netns exclusive): containers do not see it",
                    "share the devices, or move one: rdma dev set DEVICE netns NAME",
                    "rdma system set netns shared");
        }
    }

    private static String text(RdmaDevice device) {
        String kind = device.iwarp() ? "iWARP" : "InfiniBand or RoCE";
        return device.name() + " (" + kind + (device.software() ? ", software)" : ")");
    }

    private static void noDevice(MachineTree machine, Findings findings) {
        if (!machine.has("sys/class")) {
            findings.error(
                    DEVICES,
                    "/sys/class, where the kernel lists its devices, does not exist",
                    "mount sysfs (containers have it by default); the provider iwarp needs none",
                    "mount -t sysfs sysfs /sys");
            return;
        }
        String release = machine.text("proc/sys/kernel/osrelease");
        String found = "the kernel has no RDMA device in /sys/class/infiniband";
        if (!machine.has("lib/modules/" + release) && !machine.has("usr/lib/modules/" + release)) {
            findings.error(
                    DEVICES,
                    found,
                    "kernel " + release + " has no modules in /lib/modules, so no driver can be loaded here (in a"
                            + " container: give it the host's device files); the provider iwarp needs none",
                    "");
            return;
        }
        String network = machine.names("sys/class/net").stream()
                .filter(name ->
                        machine.text("sys/class/net/" + name + "/operstate").equals("up"))
                .findFirst()
                .orElse("NETDEV");
        findings.error(
                DEVICES,
                found,
                "load the adapter's driver (lspci -k names it), or create a software device on an Ethernet interface",
                "modprobe rdma_rxe && rdma link add rxe0 type rxe netdev " + network);
    }

    /** Classes tell more than a list of modules: what is built into the kernel is in no list. */
    private static void modules(MachineTree machine, Findings findings) {
        List<String> missing = new ArrayList<>();
        if (!machine.has("sys/class/infiniband_verbs")) {
            missing.add("ib_uverbs");
        }
        if (!machine.has("sys/class/misc/rdma_cm")) {
            missing.add("rdma_ucm");
        }
        if (missing.isEmpty()) {
            findings.ok(MODULES, "ib_uverbs and rdma_ucm are loaded");
            return;
        }
        String names = String.join(" ", missing);
        findings.error(
                MODULES,
                "the kernel's devices are not available to programs: " + String.join(" and ", missing) + " not loaded",
                "load the missing modules; for each boot: lines in /etc/modules-load.d/rdma.conf, or the package"
                        + " rdma-core",
                "modprobe -a " + names);
    }
}
