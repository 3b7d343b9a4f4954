package org.panamaverbs.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Where a run is made. */
public final class Machine {
    private Machine() {}

    /** Returns what the processor calls itself. */
    public static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /** Returns the octets of memory that are free or can be freed. */
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
                    return java.util.stream.IntStream.rangeClosed(
                            Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
                })
                .toArray();
        return all.length < 2 ? new int[] {all[0], all[0]} : new int[] {all[all.length - 2], all[all.length - 1]};
    }
}
