package org.panamaverbs.cli.doctor;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.JsonWriter;
import org.panamaverbs.cli.doctor.RdmaDevice.Port;

/** What a machine is made of, as JSON: system, libraries, adapters with their drivers, and settings that matter. */
final class MachineFacts {
    private static final List<String> DEVICE_FILES = List.of("hca_type", "board_id", "hw_rev");
    /** Which part it is, not which specimen. */
    private static final List<String> PCI_FILES = List.of(
            "vendor",
            "device",
            "subsystem_vendor",
            "subsystem_device",
            "revision",
            "numa_node",
            "current_link_speed",
            "current_link_width",
            "max_link_speed",
            "max_link_width");

    private static final List<String> PORT_FILES = List.of("state", "phys_state", "link_layer", "rate");
    /** Modules of the kernel whose versions differ between its own and a vendor's, beside the drivers. */
    private static final List<String> MODULES =
            List.of("ib_core", "ib_uverbs", "rdma_cm", "rdma_ucm", "iw_cm", "mlx5_core", "mlx4_core", "ice", "bnxt_en");

    private static final List<String> SETTINGS = List.of(
            "sys/module/ib_core/parameters/netns_mode",
            "sys/kernel/mm/transparent_hugepage/enabled",
            "sys/devices/system/clocksource/clocksource0/current_clocksource",
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
            "sys/devices/system/cpu/smt/control",
            "sys/devices/system/cpu/isolated",
            "sys/devices/system/node/online");

    private final MachineTree machine;
    private final JsonWriter json = new JsonWriter();

    private MachineFacts(MachineTree machine) {
        this.machine = machine;
    }

    /** Returns the facts of {@code machine}; {@code environment} is that of this process. */
    static String json(MachineTree machine, Map<String, String> environment) {
        return new MachineFacts(machine).all(environment);
    }

    private String all(Map<String, String> environment) {
        json.object().field("version", BuildVersion.text());
        json.field("date", LocalDate.now(ZoneOffset.UTC).toString());
        json.field("kernel", machine.text("proc/sys/kernel/osrelease"));
        json.field("system", assigned("etc/os-release", "PRETTY_NAME", "="));
        json.field("processor", assigned("proc/cpuinfo", "model name", ":"));
        json.field("memory", assigned("proc/meminfo", "MemTotal", ":"));
        if (machine.live()) {
            json.field("architecture", System.getProperty("os.arch", ""));
            json.field("processors", Runtime.getRuntime().availableProcessors());
            json.field("jdk", Runtime.version().toString());
            json.field("jdkVendor", System.getProperty("java.vendor", ""));
            json.name("environment").array();
            Redaction.settings(environment.keySet()).forEach(json::value);
            json.end();
        }
        json.name("libraries").object();
        LibraryCheck.versions(machine).forEach(json::field);
        json.end().name("libraryDrivers").array();
        machine.names("etc/libibverbs.d").forEach(json::value);
        json.end().name("modules").object();
        MODULES.stream()
                .filter(name -> machine.has("sys/module/" + name))
                .forEach(name -> json.field(name, module(name)));
        json.end().name("settings").object();
        SETTINGS.forEach(path -> addIfThere(path, path));
        json.end().name("devices").array();
        RdmaDevice.all(machine).forEach(this::device);
        return json.end().end().toString();
    }

    private void device(RdmaDevice device) {
        String directory = device.directory();
        String driver = machine.target(directory + "/device/driver");
        json.object().field("name", device.name()).field("firmware", machine.text(directory + "/fw_ver"));
        json.field("driver", driver);
        if (!driver.isEmpty()) {
            json.field("driverVersion", module(driver));
        }
        DEVICE_FILES.forEach(name -> addIfThere(name, directory + "/" + name));
        json.name("pci").object();
        PCI_FILES.forEach(name -> addIfThere(name, directory + "/device/" + name));
        json.end().name("ports").array();
        device.ports().forEach(this::port);
        json.end().end();
    }

    private void port(Port port) {
        json.object().field("number", port.number());
        PORT_FILES.forEach(name -> addIfThere(name, port.directory() + "/" + name));
        addIfThere("mtu", "sys/class/net/" + port.interfaceName() + "/mtu");
        json.name("gidTypes").array();
        port.gids()
                .forEach(gid -> json.value(
                        gid.type() + (gid.linkLocal() ? ", link-local" : "") + (gid.ipv4() ? ", IPv4" : "")));
        json.end().end();
    }

    /** Returns a module's own version; those of the kernel have none. */
    private String module(String name) {
        String version = machine.text("sys/module/" + name + "/version");
        return version.isEmpty() ? "of the kernel" : version;
    }

    private void addIfThere(String name, String path) {
        String text = machine.text(path);
        if (!text.isEmpty()) {
            json.field(name, text);
        }
    }

    /** Returns what the first line of a file that begins with {@code name} has behind {@code sign}. */
    private String assigned(String path, String name, String sign) {
        return machine.text(path)
                .lines()
                .filter(line -> line.startsWith(name) && line.contains(sign))
                .findFirst()
                .map(line -> line.substring(line.indexOf(sign) + 1).strip().replace("\"", ""))
                .orElse("");
    }
}
