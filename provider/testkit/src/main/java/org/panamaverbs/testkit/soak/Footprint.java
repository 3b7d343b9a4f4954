package org.panamaverbs.testkit.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What the process holds.
 *
 * @param descriptors open file descriptors, by kind
 * @param threads live Java threads by name, without those that wait for the ends of child processes
 * @param heapBytes heap in use after collections
 * @param nativeBytes memory outside the heap that Java code has allocated, -1 if the virtual machine does not track it
 * @param residentBytes what the system counts as resident
 */
record Footprint(
        Map<String, Integer> descriptors,
        Map<String, Integer> threads,
        long heapBytes,
        long nativeBytes,
        long residentBytes) {
    private static final Pattern OTHER = Pattern.compile("Other \\(reserved=(\\d+)KB");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern LIMIT = Pattern.compile("Max open files\\s+(\\d+|unlimited)");
    private static final int COLLECTIONS = 6;
    private static final double MIB = 1 << 20;

    /** Collects garbage, has malloc give back what is free, and measures. */
    static Footprint take() {
        // Cleaners run after the collection that finds their object, on a thread of their own.
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        // What the cleaners have freed just now counts as resident until then.
        diagnostic("systemTrimNativeHeap");
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return new Footprint(descriptorKinds(), threadNames(), heap, nativeMemory(), resident());
    }

    /** Returns how many descriptors there are. */
    int descriptorCount() {
        return descriptors.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns how many threads there are. */
    int threadCount() {
        return threads.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Tells whether there are more descriptors or threads than in {@code other}. */
    boolean isAbove(Footprint other) {
        return descriptorCount() > other.descriptorCount() || threadCount() > other.threadCount();
    }

    /** Returns the footprint in a line. */
    String text() {
        return "%d descriptors, %d threads, %.1f MiB heap, %.1f MiB native, %.1f MiB resident"
                .formatted(descriptorCount(), threadCount(), heapBytes / MIB, nativeBytes / MIB, residentBytes / MIB);
    }

    /** Returns what can be told without collecting garbage. */
    static String glance() {
        return "%.0f MiB resident, %.0f MiB native".formatted(resident() / MIB, nativeMemory() / MIB);
    }

    private static Map<String, Integer> descriptorKinds() {
        Map<String, Integer> kinds = new TreeMap<>();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            all.forEach(each -> kinds.merge(kind(each), 1, Integer::sum));
        } catch (IOException e) {
            throw new UncheckedIOException("the open files cannot be listed: this needs Linux", e);
        }
        // The one that lists them.
        kinds.remove("/proc/" + ProcessHandle.current().pid() + "/fd");
        return kinds;
    }

    private static String kind(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().replaceAll(":\\[\\d+]", "");
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }

    private static Map<String, Integer> threadNames() {
        Map<String, Integer> names = new TreeMap<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!thread.getName().startsWith("process reaper")) {
                names.merge(thread.getName(), 1, Integer::sum);
            }
        }
        return names;
    }

    private static long nativeMemory() {
        Matcher other = OTHER.matcher(diagnostic("vmNativeMemory", "summary"));
        return other.find() ? Long.parseLong(other.group(1)) << 10 : -1;
    }

    /** Returns what the virtual machine answers to a command of {@code jcmd}, nothing if it does not know it. */
    private static String diagnostic(String command, String... arguments) {
        Object[] given = arguments.length == 0 ? new Object[0] : new Object[] {arguments};
        String[] types = arguments.length == 0 ? new String[0] : new String[] {String[].class.getName()};
        try {
            return String.valueOf(ManagementFactory.getPlatformMBeanServer()
                    .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), command, given, types));
        } catch (JMException e) {
            return "";
        }
    }

    private static long resident() {
        Matcher found = RESIDENT.matcher(read("/proc/self/status"));
        return found.find() ? Long.parseLong(found.group(1)) << 10 : -1;
    }

    /** Returns how many descriptors the process may have. */
    static long descriptorLimit() {
        Matcher found = LIMIT.matcher(read("/proc/self/limits"));
        return found.find() && !found.group(1).equals("unlimited") ? Long.parseLong(found.group(1)) : Long.MAX_VALUE;
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: this needs Linux", e);
        }
    }
}
