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

    static SortedMap<String, Long> of(Path classes, String device) {
        SortedMap<String, Long> found = new TreeMap<>();
        for (Path port : list(classes.resolve("infiniband").resolve(device).resolve("ports"))) {
            for (String group : GROUPS) {
                for (Path counter : list(port.resolve(group))) {
                    read(counter, "port" + port.getFileName() + "." + counter.getFileName(), found);
                }
            }
        }
        return found;
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
