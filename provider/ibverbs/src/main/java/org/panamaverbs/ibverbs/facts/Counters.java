package org.panamaverbs.ibverbs.facts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the kernel has counted for a device, from sysfs. A counter that cannot be read is left out. */
public final class Counters {
    private static final List<String> GROUPS = List.of("counters", "hw_counters");
    private static final String NOT_A_COUNTER = "lifespan"; // how long the kernel keeps values, in milliseconds

    private Counters() {}

    /** Returns the counters of {@code device} by {@code portN.NAME}. */
    public static SortedMap<String, Long> of(String device) {
        return of(Sysfs.system().classes(), device);
    }

    /** Returns the counters of {@code port} of {@code device} by name. */
    public static SortedMap<String, Long> ofPort(Path classes, String device, int port) {
        SortedMap<String, Long> found = new TreeMap<>();
        addAll(directory(classes, device).resolve("ports").resolve(Integer.toString(port)), "", found);
        return found;
    }

    static SortedMap<String, Long> of(Path classes, String device) {
        SortedMap<String, Long> found = new TreeMap<>();
        addAll(directory(classes, device), "", found);
        for (Path port : list(directory(classes, device).resolve("ports"))) {
            addAll(port, "port" + port.getFileName() + ".", found);
        }
        return found;
    }

    private static Path directory(Path classes, String device) {
        return classes.resolve("infiniband").resolve(device);
    }

    private static void addAll(Path directory, String prefix, SortedMap<String, Long> into) {
        for (String group : GROUPS) {
            for (Path counter : list(directory.resolve(group))) {
                read(counter, prefix + counter.getFileName(), into);
            }
        }
    }

    private static void read(Path counter, String name, SortedMap<String, Long> into) {
        if (counter.endsWith(NOT_A_COUNTER)) {
            return;
        }
        try {
            into.put(name, Long.parseUnsignedLong(Files.readString(counter).strip()));
        } catch (IOException | NumberFormatException e) {
            // Some counters are there and answer with an error: the device does not keep them.
            into.remove(name);
        }
    }

    private static List<Path> list(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
