package org.panamaverbs.bench.machine;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
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
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
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
    public static long availableBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                .filter(line -> line.startsWith("MemAvailable:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .findFirst()
                .orElse(0);
    }

    /** Returns the processors that this process may use, as the kernel lists them: {@code 0-1} or {@code 0,2}. */
    public static String allowed() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("0");
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
