package org.panamaverbs.bench.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;

/** Where and how a run was made, for its report. */
final class Setting {
    private final String form;
    private final int rounds;
    private final Instant started = Instant.now();
    private final String loadBefore = load();

    private Setting(String form, int rounds) {
        this.form = form;
        this.rounds = rounds;
    }

    /** Notes the time and the load of now. */
    static Setting start(String form, int rounds) {
        return new Setting(form, rounds);
    }

    /** Returns the lines of the report. */
    String finish() {
        Instant now = Instant.now();
        return """
                - form: %s, %d rounds of one fork each, %d minutes from %s
                - commit: %s
                - machine: %s, %d processors, %s %s
                - JDK: %s %s
                - load (1, 5, 15 minutes): %s before, %s after; not pinned
                """.formatted(
                        form,
                        rounds,
                        ChronoUnit.MINUTES.between(started, now),
                        started.truncatedTo(ChronoUnit.MINUTES),
                        System.getProperty("bench.commit", "unknown"),
                        processor(),
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.vm.name"),
                        Runtime.version(),
                        loadBefore,
                        load());
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    private static String load() {
        try {
            String[] fields = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
            return String.join(" ", fields[0], fields[1], fields[2]);
        } catch (IOException e) {
            return "unknown";
        }
    }
}
