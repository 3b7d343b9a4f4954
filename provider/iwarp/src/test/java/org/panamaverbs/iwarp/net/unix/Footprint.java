package org.panamaverbs.iwarp.net.unix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The descriptors and the mappings of memory files that this process has: what is left over shows. */
record Footprint(Map<String, String> descriptors, long mappings) {
    /** Looks at them now. */
    static Footprint now() throws IOException {
        Map<String, String> descriptors = new TreeMap<>();
        try (Stream<Path> list = Files.list(Path.of("/proc/self/fd"))) {
            for (Path each : list.toList()) {
                String what = target(each);
                // The list itself, and what the JDK opens once.
                if (!what.isEmpty()
                        && !what.startsWith("/proc/")
                        && !what.endsWith(".jar")
                        && !what.endsWith("random")) {
                    descriptors.put(each.getFileName().toString(), what);
                }
            }
        }
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return new Footprint(
                    descriptors, maps.filter(line -> line.contains("/memfd:")).count());
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * Holds that nothing is left of what came since this was looked at, as soon as what peers have sent is closed; what
     * others had may have gone meanwhile.
     */
    void hasNotGrown() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        Footprint now = since();
        while ((!now.descriptors.isEmpty() || now.mappings > mappings) && System.nanoTime() - end < 0) {
            Thread.yield();
            now = since();
        }
        assertThat(now.descriptors).isEmpty();
        assertThat(now.mappings).isLessThanOrEqualTo(mappings);
    }

    private Footprint since() throws IOException {
        Footprint now = now();
        now.descriptors.entrySet().removeAll(descriptors.entrySet());
        return now;
    }
}
