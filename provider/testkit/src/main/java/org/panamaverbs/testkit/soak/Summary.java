package org.panamaverbs.testkit.soak;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.panamaverbs.memory.LeakReporter;
import org.panamaverbs.testkit.soak.ledger.Faults;
import org.panamaverbs.testkit.soak.ledger.Tally.Count;

/** What the soak did, what it asserts of it, and both for people and for programs. */
final class Summary {
    private static final long MIB = 1 << 20;
    // What a process grows by without a leak: profiles and code of the compiler, tables of the collector.
    private static final long HEAP_SLACK = 4 * MIB;
    private static final long NATIVE_SLACK = MIB;
    private static final long RESIDENT_SLACK = 48 * MIB;
    private static final Set<Count> REQUIRED = EnumSet.of(
            Count.SENDS,
            Count.WRITES,
            Count.READS,
            Count.RECEIVED,
            Count.RECEIVED_SHARED,
            Count.TOLD,
            Count.IMPLIED,
            Count.FLUSHED,
            Count.CONNECTED,
            Count.ACCEPTED,
            Count.ENDED_BY_KILL);

    // What there must be of either kind of connections.
    private static final Set<Count> SHARED = EnumSet.of(Count.BY_SHARED_MEMORY, Count.KILLED_SHARED);
    private static final Set<Count> NETWORK = EnumSet.of(Count.BY_NETWORK, Count.KILLED_NETWORK);
    private static final int PERCENT = 100;

    private final SoakOptions options;
    private final Faults faults;
    private final Map<Count, Long> counts;
    private final double seconds;
    private final int mostUp;
    private final long meanUp;
    private final long worstNanos;
    private final Checks checks = new Checks();

    Summary(
            SoakOptions options,
            Faults faults,
            Map<Count, Long> counts,
            double seconds,
            int mostUp,
            long meanUp,
            long worstNanos) {
        this.options = options;
        this.faults = faults;
        this.counts = counts;
        this.seconds = seconds;
        this.mostUp = mostUp;
        this.meanUp = meanUp;
        this.worstNanos = worstNanos;
    }

    /** Returns what was judged so far. */
    Checks checks() {
        return checks;
    }

    private long count(Count what) {
        return counts.getOrDefault(what, 0L);
    }

    /** Judges what happened, and what is left of it; {@code shared} if connections could go by shared memory. */
    void judge(boolean filled, boolean drained, boolean shared, Footprint baseline, Footprint end, Footprint closed) {
        for (Faults.Kind kind : Faults.Kind.values()) {
            checks.add(faults.count(kind) == 0, "no " + kind.text(), number(faults.count(kind)));
        }
        checks.add(
                filled && mostUp >= options.connections(),
                "all connections were up at once",
                "%s at most, %s on average".formatted(number(mostUp), number(meanUp)));
        checks.add(drained, "all connections were closed in the end", drained ? "all" : "not all");
        Set<Count> required = EnumSet.copyOf(REQUIRED);
        if (SlowEnds.isPossible(options.provider())) {
            required.addAll(SlowEnds.COUNTS);
        }
        if (shared) {
            required.addAll(SHARED);
        }
        if (!shared || options.sharedPercent() < PERCENT) {
            required.addAll(NETWORK);
        }
        for (Count what : required) {
            checks.add(count(what) > 0, "there was: " + what.text(), number(count(what)));
        }
        checks.add(
                end.descriptors().equals(baseline.descriptors()),
                "no file descriptor leaked",
                difference(baseline.descriptors(), end.descriptors()));
        checks.add(
                end.threads().equals(baseline.threads()),
                "no thread leaked",
                difference(baseline.threads(), end.threads()));
        grown("heap", baseline.heapBytes(), end.heapBytes(), HEAP_SLACK);
        if (baseline.nativeBytes() >= 0) {
            grown("native memory of Java code", baseline.nativeBytes(), end.nativeBytes(), NATIVE_SLACK);
        }
        grown("resident memory", baseline.residentBytes(), end.residentBytes(), RESIDENT_SLACK);
        checks.add(
                closed.threads().keySet().stream().noneMatch(name -> name.startsWith("soak-")),
                "no thread is left after closing",
                "%d threads, %d descriptors".formatted(closed.threadCount(), closed.descriptorCount()));
        checks.add(
                LeakReporter.reportedLeaks() == 0,
                "the leak reporter is silent",
                "%d leaks, level %s".formatted(LeakReporter.reportedLeaks(), LeakReporter.level()));
    }

    private void grown(String what, long before, long after, long slack) {
        checks.add(
                after - before <= slack,
                what + " did not grow",
                "%.1f -> %.1f MiB, %.1f allowed"
                        .formatted((double) before / MIB, (double) after / MIB, (double) slack / MIB));
    }

    private static String difference(Map<String, Integer> before, Map<String, Integer> after) {
        if (before.equals(after)) {
            return "%d".formatted(sum(after));
        }
        StringJoiner changes = new StringJoiner(", ", "%d -> %d: ".formatted(sum(before), sum(after)), "");
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            int from = before.getOrDefault(name, 0);
            int to = after.getOrDefault(name, 0);
            if (from != to) {
                changes.add("%s %d -> %d".formatted(name, from, to));
            }
        }
        return changes.toString();
    }

    private static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * Judges whether every request that was ever posted is accounted for.
     *
     * @param ever the counts from the start of the process, warm-up included
     * @param waiting receives that the shared queues hold
     */
    void judgeAccounts(Map<Count, Long> ever, long waiting) {
        long posted = sum(ever, Count.SENDS_POSTED, Count.RECEIVES_POSTED);
        long done = sum(
                ever, Count.TOLD, Count.IMPLIED, Count.RECEIVED, Count.RECEIVED_SHARED, Count.FLUSHED, Count.DISCARDED);
        checks.add(
                posted == done + waiting,
                "every request posted is accounted for",
                "%s posted, %s done, %s still in shared receive queues"
                        .formatted(number(posted), number(done), number(waiting)));
    }

    private static long sum(Map<Count, Long> counts, Count... which) {
        long sum = 0;
        for (Count what : which) {
            sum += counts.getOrDefault(what, 0L);
        }
        return sum;
    }

    /** Returns the summary for people. */
    String text() {
        StringBuilder text = new StringBuilder("summary after %.1f s%n".formatted(seconds));
        for (Count what : Count.values()) {
            text.append("  %-36s %,14d %,12.1f/s%n".formatted(what.text(), count(what), count(what) / seconds));
        }
        text.append("  %-36s %,14d ms at most, %,d allowed%n"
                .formatted(
                        "flushed after a kill within",
                        TimeUnit.NANOSECONDS.toMillis(worstNanos),
                        options.boundMillis()));
        faults.texts().forEach(each -> text.append("  FAULT %s%n".formatted(each)));
        for (Checks.Check check : checks.all()) {
            text.append("  %-4s %s: %s%n".formatted(check.passed() ? "ok" : "FAIL", check.name(), check.figures()));
        }
        return text.toString();
    }

    /** Returns the summary as JSON. */
    String json() {
        StringJoiner members = new StringJoiner(",\n  ", "{\n  ", "\n}\n");
        members.add("\"seconds\": " + "%.1f".formatted(seconds));
        members.add("\"connections\": " + options.connections());
        members.add("\"peers\": " + options.peers());
        members.add("\"seed\": " + options.seed());
        members.add("\"flushedWithinMillis\": " + TimeUnit.NANOSECONDS.toMillis(worstNanos));
        StringJoiner all = new StringJoiner(",\n    ", "\"counts\": {\n    ", "\n  }");
        for (Count what : Count.values()) {
            all.add("\"%s\": %d".formatted(what, count(what)));
        }
        members.add(all.toString());
        StringJoiner judged = new StringJoiner(",\n    ", "\"checks\": [\n    ", "\n  ]");
        for (Checks.Check check : checks.all()) {
            judged.add("{\"name\": \"%s\", \"passed\": %b, \"figures\": \"%s\"}"
                    .formatted(check.name(), check.passed(), check.figures().replaceAll("[\"\\\\]", "'")));
        }
        members.add(judged.toString());
        return members.toString();
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
