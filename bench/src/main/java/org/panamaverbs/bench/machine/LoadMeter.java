package org.panamaverbs.bench.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What processes that are not this one's children use of the processors, from one reading of {@code /proc} to another.
 * A process that ends in between counts with its parent, which has waited for it.
 */
public final class LoadMeter {
    // man 5 proc: pid (comm) state ppid ...; counted from the field after the name
    private static final int PARENT = 1;
    private static final int USER = 11;
    private static final int CHILDRENS_SYSTEM = 14;
    // man 5 proc: cpu user nice system idle iowait irq softirq steal
    private static final int STEAL = 8;
    private static final double TICKS_PER_SECOND = 100;
    private static final double LEAST_PERCENT = 1;

    private final Path proc;
    private final long own;
    private final Map<Long, Usage> before;
    private final long[] processorBefore;
    private final long from = System.nanoTime();

    private record Usage(String name, long parent, long ticks) {}

    /** Begins to measure. */
    public LoadMeter() {
        this(Path.of("/proc"), ProcessHandle.current().pid());
    }

    /** Begins to measure with what {@code proc} says, for the process {@code own}. */
    LoadMeter(Path proc, long own) {
        this.proc = proc;
        this.own = own;
        before = usages();
        processorBefore = processor();
    }

    /** Begins to measure, where there is a {@code /proc} to ask. */
    public static Optional<LoadMeter> begin() {
        return Files.isReadable(Path.of("/proc/stat")) ? Optional.of(new LoadMeter()) : Optional.empty();
    }

    /** Returns what was used since it began. */
    public Load finish() {
        return finish((System.nanoTime() - from) / 1e9);
    }

    public Load finish(double seconds) {
        Map<Long, Usage> now = usages();
        Set<Long> ours = descendants(now);
        ours.addAll(descendants(before));
        Map<String, Long> byName = new HashMap<>();
        now.forEach((pid, usage) -> add(byName, ours, pid, usage, 1));
        before.forEach((pid, usage) -> add(byName, ours, pid, usage, -1));
        long sum = 0;
        String busiest = "";
        long most = 0;
        for (Map.Entry<String, Long> entry : byName.entrySet()) {
            sum += entry.getValue();
            if (entry.getValue() > most) {
                most = entry.getValue();
                busiest = entry.getKey();
            }
        }
        double percent = 100 / (seconds * TICKS_PER_SECOND);
        long[] processor = processor();
        long total = 0;
        for (int i = 0; i < processor.length; i++) {
            total += processor[i] - processorBefore[i];
        }
        long stolen = processor[STEAL - 1] - processorBefore[STEAL - 1];
        return new Load(
                average(),
                Math.max(0, sum * percent),
                most * percent < LEAST_PERCENT ? "" : busiest,
                total <= 0 ? 0 : 100.0 * stolen / total);
    }

    private static void add(Map<String, Long> byName, Set<Long> ours, long pid, Usage usage, int sign) {
        if (!ours.contains(pid)) {
            byName.merge(usage.name, sign * usage.ticks, Long::sum);
        }
    }

    private Set<Long> descendants(Map<Long, Usage> usages) {
        Set<Long> found = new HashSet<>(Set.of(own));
        boolean more = true;
        while (more) {
            more = false;
            for (Map.Entry<Long, Usage> entry : usages.entrySet()) {
                more |= found.contains(entry.getValue().parent) && found.add(entry.getKey());
            }
        }
        return found;
    }

    private Map<Long, Usage> usages() {
        Map<Long, Usage> usages = new HashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                read(process, usages);
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + proc + ": " + e.getMessage(), e);
        }
        return usages;
    }

    private static void read(Path process, Map<Long, Usage> usages) {
        String line;
        try {
            line = Files.readString(process.resolve("stat"));
        } catch (IOException e) {
            return; // it has ended
        }
        int nameEnd = line.lastIndexOf(')');
        String[] fields = line.substring(nameEnd + 2).split(" ", -1);
        long ticks = 0;
        for (int i = USER; i <= CHILDRENS_SYSTEM; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        usages.put(
                Long.parseLong(process.getFileName().toString()),
                new Usage(line.substring(line.indexOf('(') + 1, nameEnd), Long.parseLong(fields[PARENT]), ticks));
    }

    private long[] processor() {
        String[] fields = read("stat").lines().findFirst().orElseThrow().split(" +", -1);
        long[] ticks = new long[STEAL];
        for (int i = 0; i < ticks.length; i++) {
            ticks[i] = Long.parseLong(fields[i + 1]);
        }
        return ticks;
    }

    private double average() {
        return Double.parseDouble(read("loadavg").split(" ", -1)[0]);
    }

    private String read(String name) {
        try {
            return Files.readString(proc.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + proc.resolve(name) + ": " + e.getMessage(), e);
        }
    }
}
