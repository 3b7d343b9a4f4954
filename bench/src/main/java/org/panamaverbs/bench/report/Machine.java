package org.panamaverbs.bench.report;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What this machine is, and what it does; from {@code /proc} where there is one. */
final class Machine {
    private static final String UNKNOWN = "unknown";
    // proc(5), /proc/stat: user, nice, system; what is idle, and what interrupts take, is nobody's.
    private static final int BUSY_FIELDS = 3;
    // proc(5), /proc/PID/stat: utime, stime, cutime and cstime, counted from the field behind the name.
    private static final int FIRST_TIME = 11;
    private static final int TIMES = 4;

    private final long busyTicks = busyTicks();
    private final long ownTicks = ownTicks();
    private final long startNanos = System.nanoTime();
    private final String loadBefore = load();

    /** Notes the load of now. */
    Machine() {}

    String loadBefore() {
        return loadBefore;
    }

    /** Returns the averages of 1, 5 and 15 minutes. */
    static String load() {
        try {
            String[] fields = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
            return String.join(" ", fields[0], fields[1], fields[2]);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Returns the processor's name and how many there are. */
    public static String processor() {
        return modelName() + ", " + Runtime.getRuntime().availableProcessors() + " processors";
    }

    private static String modelName() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /**
     * Returns how much of one processor, in percent, was used since this was made by others than this process and those
     * that it has waited for; -1 where nobody says.
     */
    int othersPercent() {
        if (busyTicks < 0 || ownTicks < 0) {
            return -1;
        }
        // proc(5): clock ticks, 100 a second on all Linux that is in use.
        double elapsedTicks = (System.nanoTime() - startNanos) / 1e7;
        double others = (busyTicks() - busyTicks) - (double) (ownTicks() - ownTicks);
        return (int) Math.max(0, Math.round(100 * others / elapsedTicks));
    }

    private static long busyTicks() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            String total = lines.findFirst().orElse("");
            return sum(List.of(total.strip().split(" +", -1)), 1, BUSY_FIELDS);
        } catch (IOException e) {
            return -1;
        }
    }

    private static long ownTicks() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String behindName = stat.substring(stat.lastIndexOf(')') + 2);
            return sum(List.of(behindName.split(" ", -1)), FIRST_TIME, TIMES);
        } catch (IOException e) {
            return -1;
        }
    }

    private static long sum(List<String> fields, int first, int count) {
        return fields.subList(first, first + count).stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    /** Returns how many descriptors a process may have. */
    static long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }
}
