package org.panamaverbs.bench.machine;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What this machine is; from {@code /proc} where there is one. */
public final class Machine {
    private Machine() {}

    /** Returns the machine, its kernel and the JDK that runs, by name, in the order to show. */
    public static Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("machine", processor() + ", " + System.getProperty("os.arch"));
        facts.put("kernel", System.getProperty("os.name") + " " + versionOnly(System.getProperty("os.version")));
        facts.put("JDK", System.getProperty("java.vm.name") + " " + Runtime.version());
        return facts;
    }

    /**
     * Returns {@code text}, which may name the release of this kernel, with its version number alone: what follows it,
     * such as {@code -generic}, is a name that who built the kernel has given it.
     */
    public static String withoutKernelName(String text) {
        String release = System.getProperty("os.version");
        return text.replace(release, versionOnly(release));
    }

    static String versionOnly(String release) {
        return release.replaceFirst("[^0-9.].*", "");
    }

    /** Returns the name of the processor, and how many there are. */
    private static String processor() {
        return modelName() + ", " + Runtime.getRuntime().availableProcessors() + " processors";
    }

    private static String modelName() {
        return value("cpuinfo", "model name").orElse(System.getProperty("os.arch"));
    }

    /** Returns what stands behind {@code name} and a colon in the first line of a file of {@code /proc} that has it. */
    private static Optional<String> value(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the bytes that {@code name} has in a file of {@code /proc}; 0 if it is not there. */
    private static long bytes(String file, String name) {
        return value(file, name)
                .map(text -> Long.parseLong(text.replaceAll("\\D", "")) << 10)
                .orElse(0L);
    }

    /** Returns the averages of 1, 5 and 15 minutes. */
    public static String load() {
        try {
            String[] fields = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
            return String.join(" ", fields[0], fields[1], fields[2]);
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Returns how many descriptors a process may have. */
    public static long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /** Returns the bytes of memory that are free or can be freed. */
    public static long availableBytes() {
        return bytes("meminfo", "MemAvailable");
    }

    /** Returns the memory that this process holds, that which it shares included. */
    public static long residentBytes() {
        return bytes("self/status", "VmRSS");
    }

    /** Returns the processors that this process may use, as the kernel lists them: {@code 0-1} or {@code 0,2}. */
    public static String allowed() {
        return value("self/status", "Cpus_allowed_list").orElse("0");
    }

    /**
     * Returns the last two processors of a kernel's list, which the system itself uses least; {@code 0-3} gives 2 and
     * 3.
     */
    public static int[] lastTwo(String list) {
        int[] all = Stream.of(list.split(",", -1))
                .flatMapToInt(range -> {
                    String[] ends = range.split("-", -1);
                    return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
                })
                .toArray();
        return all.length < 2 ? new int[] {all[0], all[0]} : new int[] {all[all.length - 2], all[all.length - 1]};
    }
}
