package org.panamaverbs.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.ProviderReport;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.JsonWriter;
import org.panamaverbs.cli.command.OpenDevice;
import org.panamaverbs.cli.command.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verbs devinfo}: providers, why each is or is not available, devices, capabilities. */
@Command(
        name = "devinfo",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        description = "Show the providers, why each can or cannot be used here, and their devices.",
        footer = "%nExits with 0 if the device that the environment names can be opened, otherwise with 1.")
final class DevinfoCommand extends Subcommand {
    @Option(
            names = {"-v", "--verbose"},
            description = "Also show where each device is, its ports with their tables and capabilities, and what its"
                    + " library says of it.")
    private boolean verbose;

    @Option(names = "--json", description = "Write JSON.")
    private boolean json;

    @Override
    public Integer call() {
        List<ProviderReport> reports = Verbs.providers();
        Choice choice = choice();
        PrintWriter out = out();
        if (json) {
            out.println(json(reports, choice));
        } else {
            print(reports, out);
            if (choice.failure() == null) {
                out.printf("chosen: %s, device %s: %s%n", choice.provider(), choice.device(), choice.reason());
            }
        }
        out.flush();
        RuntimeException failure = choice.failure();
        if (failure != null) {
            throw failure;
        }
        return ExitStatus.OK;
    }

    /** What the other commands would work on; {@code failure} is why they cannot. */
    private record Choice(
            String provider,
            String device,
            String reason,
            @Nullable RuntimeException failure) {}

    private static Choice choice() {
        try (Verbs verbs = OpenDevice.best()) {
            return new Choice(verbs.provider(), verbs.device().name(), verbs.selection(), null);
        } catch (CommandFailure | VerbsException e) {
            return new Choice("", "", "", e);
        }
    }

    private void print(List<ProviderReport> reports, PrintWriter out) {
        if (reports.isEmpty()) {
            out.println("no provider was found on the module or class path");
        }
        for (ProviderReport report : reports) {
            switch (report.availability()) {
                case Availability.Unavailable unavailable -> {
                    out.printf("%s  (priority %d)  not available%n", report.name(), report.priority());
                    out.printf("    reason   %s%n    remedy   %s%n", unavailable.reason(), unavailable.remedy());
                }
                case Availability.Available available -> {
                    out.printf("%s  (priority %d)  available%n", report.name(), report.priority());
                    out.printf("    reason   %s%n", reason(available));
                    for (DeviceInfo device : available.devices()) {
                        print(report.name(), device, out);
                    }
                    available
                            .unusable()
                            .forEach((name, obstacle) -> out.printf(
                                    "    device   %s, not usable%n        reason   %s%n        remedy   %s%n",
                                    name, obstacle.reason(), obstacle.remedy()));
                }
            }
        }
    }

    private void print(String provider, DeviceInfo device, PrintWriter out) {
        out.printf("    device   %s, %s, %s%n", device.name(), device.transport(), device.description());
        if (!verbose) {
            return;
        }
        if (!device.firmware().isEmpty()) {
            out.printf("        firmware          %s%n", device.firmware());
        }
        out.printf("        node GUID         %s%n", guid(device));
        PortList.print(device.location(), out);
        try (Verbs verbs = OpenDevice.named(provider, device.name())) {
            // All is asked before anything is printed.
            PortList ports = PortList.asked(() -> PortList.of(verbs), device);
            DeviceAttributes attributes = verbs.attributes();
            Capabilities capabilities = verbs.capabilities();
            ports.print(out);
            limits(capabilities).forEach((name, value) -> out.printf(Locale.ROOT, "        %-24s %,d%n", name, value));
            out.printf("        services                 %s%n", capabilities.queuePairTypes());
            out.printf(
                    "        features                 %s%n",
                    capabilities.orderedFeatures().stream()
                            .map(Enum::name)
                            .collect(Collectors.joining("\n" + " ".repeat(33))));
            AttributeList.print(attributes, out);
            printCounters(verbs.counters(), out);
        } catch (CommandFailure | VerbsException e) {
            PortList.printDescribed(device, out);
            out.printf("        capabilities      unknown: %s%n", e.getMessage());
        }
    }

    /** Prints the counters that are not 0, of the dozens that a device has. */
    private static void printCounters(SortedMap<String, Long> counters, PrintWriter out) {
        if (counters.isEmpty()) {
            return;
        }
        out.printf("        has counted (%d counters, those that are not 0):%n", counters.size());
        counters.forEach((name, value) -> {
            if (value != 0) {
                out.printf(Locale.ROOT, "          %-40s %s%n", name, Long.toUnsignedString(value));
            }
        });
    }

    private String json(List<ProviderReport> reports, Choice choice) {
        JsonWriter writer = new JsonWriter();
        writer.object().field("version", BuildVersion.text());
        writer.field("jdk", Runtime.version().toString()).name("providers").array();
        for (ProviderReport report : reports) {
            writer.object().field("name", report.name()).field("priority", report.priority());
            switch (report.availability()) {
                case Availability.Unavailable unavailable ->
                    writer.field("available", false)
                            .field("reason", unavailable.reason())
                            .field("remedy", unavailable.remedy());
                case Availability.Available available -> {
                    writer.field("available", true).field("reason", reason(available));
                    writer.name("devices").array();
                    available.devices().forEach(device -> json(report.name(), device, writer));
                    writer.end().name("unusable").array();
                    available
                            .unusable()
                            .forEach((name, obstacle) -> writer.object()
                                    .field("name", name)
                                    .field("reason", obstacle.reason())
                                    .field("remedy", obstacle.remedy())
                                    .end());
                    writer.end();
                }
            }
            writer.end();
        }
        writer.end();
        RuntimeException failure = choice.failure();
        if (failure == null) {
            writer.name("chosen").object().field("provider", choice.provider());
            writer.field("device", choice.device())
                    .field("reason", choice.reason())
                    .end();
        } else {
            writer.field("failure", String.valueOf(failure.getMessage()));
        }
        return writer.end().toString();
    }

    private static String reason(Availability.Available available) {
        int count = available.devices().size();
        String has = "has " + count + (count == 1 ? " usable device" : " usable devices");
        return available.why().isEmpty() ? has : has + ": " + available.why();
    }

    private void json(String provider, DeviceInfo device, JsonWriter writer) {
        writer.object()
                .field("name", device.name())
                .field("transport", device.transport().name())
                .field("description", device.description())
                .field("firmware", device.firmware())
                .field("nodeGuid", guid(device));
        if (verbose) {
            jsonDetails(provider, device, writer);
        }
        writer.end();
    }

    private static void jsonDetails(String provider, DeviceInfo device, JsonWriter writer) {
        PortList.json(device.location(), writer);
        try (Verbs verbs = OpenDevice.named(provider, device.name())) {
            PortList ports = PortList.asked(() -> PortList.of(verbs), device);
            DeviceAttributes attributes = verbs.attributes();
            ports.json(writer);
            jsonCapabilities(verbs.capabilities(), writer);
            AttributeList.json(attributes, writer);
            writer.name("counters").object();
            verbs.counters().forEach(writer::field);
            writer.end();
        } catch (CommandFailure | VerbsException e) {
            PortList.jsonDescribed(device, writer);
            writer.name("capabilities").object();
            writer.field("failure", String.valueOf(e.getMessage())).end();
        }
    }

    private static void jsonCapabilities(Capabilities capabilities, JsonWriter writer) {
        writer.name("capabilities").object();
        limits(capabilities).forEach(writer::field);
        writer.name("queuePairTypes").array();
        capabilities.queuePairTypes().stream().sorted().forEach(type -> writer.value(type.name()));
        writer.end().name("features").array();
        capabilities.orderedFeatures().forEach(feature -> writer.value(feature.name()));
        writer.end().end();
    }

    private static String guid(DeviceInfo device) {
        return String.format(Locale.ROOT, "%016x", device.nodeGuid());
    }

    /** Returns each limit under the name of its record component, in the order of declaration. */
    private static Map<String, Long> limits(Capabilities capabilities) {
        Map<String, Long> limits = new LinkedHashMap<>();
        limits.put("maxQp", (long) capabilities.maxQp());
        limits.put("maxQpWr", (long) capabilities.maxQpWr());
        limits.put("maxSge", (long) capabilities.maxSge());
        limits.put("maxSgeRead", (long) capabilities.maxSgeRead());
        limits.put("maxInlineBytes", (long) capabilities.maxInlineBytes());
        new TreeMap<>(capabilities.inlineBytesByType())
                .forEach((type, bytes) -> limits.put("maxInlineBytes." + type, (long) bytes));
        limits.put("maxCq", (long) capabilities.maxCq());
        limits.put("maxCqe", (long) capabilities.maxCqe());
        limits.put("maxMr", (long) capabilities.maxMr());
        limits.put("maxMrBytes", capabilities.maxMrBytes());
        limits.put("maxMw", (long) capabilities.maxMw());
        limits.put("maxPd", (long) capabilities.maxPd());
        limits.put("maxSrq", (long) capabilities.maxSrq());
        limits.put("maxSrqWr", (long) capabilities.maxSrqWr());
        limits.put("maxSrqSge", (long) capabilities.maxSrqSge());
        limits.put("maxInitiatorDepth", (long) capabilities.maxInitiatorDepth());
        limits.put("maxResponderResources", (long) capabilities.maxResponderResources());
        limits.put("maxMessageBytes", capabilities.maxMessageBytes());
        limits.put("maxPrivateData", (long) capabilities.maxPrivateData());
        limits.put("maxAcceptPrivateData", (long) capabilities.maxAcceptPrivateData());
        limits.put("maxRejectPrivateData", (long) capabilities.maxRejectPrivateData());
        limits.put("completionVectors", (long) capabilities.completionVectors());
        limits.put("immediateBytes", (long) capabilities.immediateBytes());
        return limits;
    }
}
