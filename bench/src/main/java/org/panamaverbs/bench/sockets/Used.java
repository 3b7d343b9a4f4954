package org.panamaverbs.bench.sockets;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this process has used so far. */
final class Used {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private Used() {}

    /** Returns how long it had a processor. */
    static long processorNanos() {
        return SYSTEM.getProcessCpuTime();
    }

    /** Returns the memory that it holds, that which it shares included. */
    static long residentBytes() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.UTF_8);
        return 1024
                * lines.stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum();
    }
}
