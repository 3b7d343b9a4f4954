package org.panamaverbs.cli;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.device.PortAttributes.Speed;
import org.panamaverbs.cli.command.JsonWriter;

/** Where a device is in its machine, and its ports on the fabric, written for people and as JSON. */
final class PortList {
    private static final String INDENT = " ".repeat(8);
    private static final String DEEPER = " ".repeat(12);
    private static final double MEGA_IN_GIGA = 1_000;

    private final List<Answers> ports;
    private final @Nullable Described instead;

    private PortList(List<Answers> ports, @Nullable Described instead) {
        this.ports = ports;
        this.instead = instead;
    }

    /** What is known of ports that were not asked. */
    private record Described(DeviceInfo device, String why) {}

    /** What a port said; the place of a partition key is its index. */
    private record Answers(
            int number, PortAttributes attributes, List<String> addresses, List<GidEntry> gids, List<String> keys) {
        static Answers of(Port port) {
            PortAttributes attributes = port.query();
            return new Answers(
                    port.number(),
                    attributes,
                    port.addresses().stream().map(InetAddress::getHostAddress).toList(),
                    attributes.gidTableLength() == 0 ? List.of() : port.gids(),
                    attributes.pkeyTableLength() == 0
                            ? List.of()
                            : IntStream.of(port.pkeys()).mapToObj(PortList::hex).toList());
        }
    }

    /**
     * Asks each port of {@code verbs}.
     *
     * @throws org.panamaverbs.api.ResourceException if one cannot be asked
     */
    static PortList of(Verbs verbs) {
        return of(verbs.device().ports().stream()
                .map(port -> verbs.port(port.number()))
                .toList());
    }

    static PortList of(List<Port> ports) {
        return new PortList(ports.stream().map(Answers::of).toList(), null);
    }

    /** Returns what {@code asking} returns; where a port cannot be asked or has gone, what describes it, and why. */
    static PortList asked(Supplier<PortList> asking, DeviceInfo device) {
        try {
            return asking.get();
        } catch (VerbsException | IllegalArgumentException e) {
            return new PortList(List.of(), new Described(device, String.valueOf(e.getMessage())));
        }
    }

    /** Prints what is known of {@code location}, a line each. */
    static void print(DeviceInfo.Location location, PrintWriter out) {
        location.index().ifPresent(index -> line(out, INDENT, "index", Integer.toString(index)));
        location.numaNode().ifPresent(node -> line(out, INDENT, "NUMA node", Integer.toString(node)));
        if (!location.pciAddress().isEmpty()) {
            line(out, INDENT, "PCI address", location.pciAddress());
        }
    }

    /** Prints what a device that cannot be opened is described by. */
    static void printDescribed(DeviceInfo device, PrintWriter out) {
        for (DeviceInfo.Port port : device.ports()) {
            String state = port.active() ? "active" : "down";
            String text = state + ", MTU " + port.mtuBytes() + " bytes, " + list(port.addresses());
            line(out, INDENT, "port " + port.number(), text);
        }
    }

    /** Prints a line for each port, below it its LIDs on InfiniBand, its GIDs, and its partition keys. */
    void print(PrintWriter out) {
        if (instead != null) {
            printDescribed(instead.device(), out);
            line(out, INDENT, "ports", "not asked: " + instead.why());
        }
        for (Answers port : ports) {
            PortAttributes attributes = port.attributes();
            // The GIDs of InfiniBand are no IP addresses, and follow.
            String addresses =
                    port.gids().isEmpty() || !port.addresses().isEmpty() ? ", " + list(port.addresses()) : "";
            line(out, INDENT, "port " + port.number(), summary(attributes) + addresses);
            if (attributes.linkLayer() == LinkLayer.INFINIBAND) {
                line(out, DEEPER, "LID", hex(attributes.lid()) + ", LMC " + attributes.lmc());
                line(out, DEEPER, "SM LID", hex(attributes.smLid()));
            }
            for (GidEntry entry : port.gids()) {
                String device = entry.networkDevice().isEmpty() ? "" : ", " + entry.networkDevice();
                line(out, DEEPER, "GID " + entry.index(), entry.gid() + ", " + entry.type() + device);
            }
            for (int index = 0; index < port.keys().size(); index++) {
                String key = port.keys().get(index);
                if (!key.equals(hex(0))) {
                    line(out, DEEPER, "P_Key " + index, key);
                }
            }
        }
    }

    private static String summary(PortAttributes port) {
        List<String> words = new ArrayList<>();
        words.add(port.state().name());
        words.add(port.linkLayer().name());
        String most = port.maxMtuBytes() == port.activeMtuBytes() ? "" : " of " + port.maxMtuBytes();
        words.add("MTU " + port.activeMtuBytes() + most + " bytes");
        if (port.activeSpeed() != Speed.UNKNOWN) {
            words.add(port.activeWidth() + "x " + port.activeSpeed()
                    + String.format(Locale.ROOT, " (%.1f Gbit/s)", port.activeMegabits() / MEGA_IN_GIGA));
        }
        return String.join(", ", words);
    }

    private static String list(List<String> addresses) {
        return addresses.isEmpty() ? "no address" : String.join(" ", addresses);
    }

    private static void line(PrintWriter out, String indent, String name, String value) {
        out.printf("%s%-17s %s%n", indent, name, value);
    }

    /** Adds what is known of {@code location} to an object. */
    static void json(DeviceInfo.Location location, JsonWriter writer) {
        location.index().ifPresent(index -> writer.field("index", index));
        location.numaNode().ifPresent(node -> writer.field("numaNode", node));
        writer.field("pciAddress", location.pciAddress());
    }

    /** Adds the array {@code ports} of a device that cannot be opened. */
    static void jsonDescribed(DeviceInfo device, JsonWriter writer) {
        writer.name("ports").array();
        for (DeviceInfo.Port port : device.ports()) {
            json(port.number(), port.active(), port.mtuBytes(), port.addresses(), writer);
            writer.end();
        }
        writer.end();
    }

    void json(JsonWriter writer) {
        if (instead != null) {
            jsonDescribed(instead.device(), writer);
            writer.field("portsFailure", instead.why());
            return;
        }
        writer.name("ports").array();
        for (Answers port : ports) {
            PortAttributes attributes = port.attributes();
            json(port.number(), attributes.isActive(), attributes.activeMtuBytes(), port.addresses(), writer);
            writer.field("state", attributes.state().name())
                    .field("linkLayer", attributes.linkLayer().name())
                    .field("maxMtuBytes", attributes.maxMtuBytes())
                    .field("lid", attributes.lid())
                    .field("lmc", attributes.lmc())
                    .field("smLid", attributes.smLid())
                    .field("activeWidth", attributes.activeWidth())
                    .field("activeSpeed", attributes.activeSpeed().name())
                    .field("activeMegabits", attributes.activeMegabits())
                    .field("gidTableLength", attributes.gidTableLength())
                    .name("gids")
                    .array();
            for (GidEntry entry : port.gids()) {
                writer.object()
                        .field("index", entry.index())
                        .field("gid", entry.gid().toString())
                        .field("type", entry.type().name())
                        .field("networkDevice", entry.networkDevice())
                        .end();
            }
            writer.end().name("pkeys").array();
            port.keys().forEach(writer::value);
            writer.end().end();
        }
        writer.end();
    }

    /** Begins the object of a port with what is known of each. */
    private static void json(int number, boolean active, int mtuBytes, List<String> addresses, JsonWriter writer) {
        writer.object().field("number", number).field("active", active);
        writer.field("mtuBytes", mtuBytes).name("addresses").array();
        addresses.forEach(writer::value);
        writer.end();
    }

    private static String hex(int value) {
        return String.format(Locale.ROOT, "0x%04x", value);
    }
}
