package org.panamaverbs.cli;

import java.io.PrintWriter;
import java.util.List;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.DeviceAttributes.Entry;
import org.panamaverbs.cli.command.JsonWriter;

/** What a device's library says of it, written for people and as JSON. */
final class AttributeList {
    private static final String INDENT = " ".repeat(8);
    private static final int COLUMN = 34;

    private AttributeList() {}

    /** Prints {@code name: value} for each attribute, flags one a line below their value; nothing if there is none. */
    static void print(DeviceAttributes attributes, PrintWriter out) {
        if (attributes.device().isEmpty() && attributes.ports().isEmpty()) {
            return;
        }
        out.printf("%sthe provider says:%n", INDENT);
        print(attributes.device(), INDENT + "  ", out);
        for (DeviceAttributes.Port port : attributes.ports()) {
            out.printf("%s  port: %d%n", INDENT, port.number());
            print(port.entries(), INDENT + "    ", out);
        }
    }

    private static void print(List<Entry> entries, String indent, PrintWriter out) {
        String group = "";
        for (Entry entry : entries) {
            if (!entry.group().equals(group) && !entry.group().isEmpty()) {
                out.printf("%s%s:%n", indent, entry.group());
            }
            group = entry.group();
            String deeper = group.isEmpty() ? indent : indent + "  ";
            String name = entry.name() + ":";
            out.println(
                    entry.value().isEmpty()
                            ? deeper + name
                            : String.format("%-" + COLUMN + "s %s", deeper + name, entry.value()));
            entry.flags().forEach(flag -> out.printf("%s  %s%n", deeper, flag));
        }
    }

    /** Adds {@code attributes}, an object with the arrays {@code device} and {@code ports}. */
    static void json(DeviceAttributes attributes, JsonWriter writer) {
        writer.name("attributes").object().name("device");
        json(attributes.device(), writer);
        writer.name("ports").array();
        for (DeviceAttributes.Port port : attributes.ports()) {
            writer.object().field("number", port.number()).name("entries");
            json(port.entries(), writer);
            writer.end();
        }
        writer.end().end();
    }

    private static void json(List<Entry> entries, JsonWriter writer) {
        writer.array();
        for (Entry entry : entries) {
            writer.object();
            if (!entry.group().isEmpty()) {
                writer.field("group", entry.group());
            }
            writer.field("name", entry.name()).field("value", entry.value());
            if (!entry.flags().isEmpty()) {
                writer.name("flags").array();
                entry.flags().forEach(writer::value);
                writer.end();
            }
            writer.end();
        }
        writer.end();
    }
}
