package org.panamaverbs.ibverbs.entries;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.panamaverbs.api.device.DeviceAttributes.Entry;

/** Collects attributes in order. */
final class Entries {
    private final List<Entry> entries = new ArrayList<>();
    private String group = "";

    /** Starts the entries under the heading {@code name}; an empty name ends them. */
    void group(String name) {
        group = name;
    }

    void text(String name, String value) {
        entries.add(new Entry(group, name, value, List.of()));
    }

    void number(String name, long value) {
        text(name, Long.toString(value));
    }

    /** Adds {@code value} by {@code format}, of {@link java.util.Formatter}. */
    void formatted(String name, String format, long value) {
        text(name, String.format(Locale.ROOT, format, value));
    }

    /** Adds a code with its meaning: {@code PORT_ACTIVE (4)}. */
    void coded(String name, String meaning, long code) {
        text(name, meaning + " (" + code + ")");
    }

    void flags(String name, String value, List<String> flags) {
        entries.add(new Entry(group, name, value, flags));
    }

    List<Entry> list() {
        return List.copyOf(entries);
    }
}
