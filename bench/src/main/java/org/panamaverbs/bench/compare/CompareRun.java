package org.panamaverbs.bench.compare;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.panamaverbs.bench.compare.contestant.Place;
import org.panamaverbs.bench.compare.standing.Comparison;
import org.panamaverbs.bench.compare.standing.ComparisonReport;
import org.panamaverbs.bench.machine.HeldMemory;
import org.panamaverbs.bench.machine.Machine;
import org.panamaverbs.bench.page.HtmlWriter;
import org.panamaverbs.bench.page.JsonFile;
import org.panamaverbs.bench.page.MarkdownWriter;
import org.panamaverbs.bench.result.Form;
import org.panamaverbs.bench.result.Report;

/**
 * Measures, or takes what was measured, and writes the table and the page. The script {@code bench/compare} says what
 * the options do, knows which there are and hands over those that were given.
 */
public final class CompareRun {
    private static final long LEFT_BYTES = 3L << 29;

    private final Path home = Path.of(System.getProperty("bench.home", ".")).toAbsolutePath();
    private final Map<String, String> settings;

    /**
     * Prepares a run.
     *
     * @param settings {@code name=value} for each option
     */
    private CompareRun(String[] settings) {
        this.settings = Stream.of(settings)
                .map(setting -> setting.split("=", 2))
                .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1], (former, latter) -> latter));
    }

    public static void main(String[] settings) {
        int status = 1;
        try {
            status = new CompareRun(settings).call();
        } catch (Exception e) {
            System.err.println("bench/compare: " + e.getMessage());
        }
        System.exit(status);
    }

    private int call() throws Exception {
        Path directory = home.resolve(settings.getOrDefault("out", "target/bench"));
        Files.createDirectories(directory);
        List<Path> written = new ArrayList<>();
        boolean empty = true;
        for (Place place : places()) {
            Report report = report(directory, Pages.of(place));
            empty &= report.isEmpty();
            written.addAll(Pages.of(place).write(directory, report));
            new PrintStream(System.out, true, StandardCharsets.UTF_8).print(MarkdownWriter.text(report));
        }
        List<Path> all = new ArrayList<>(written);
        all.add(Pages.writeTogether(directory));
        if (wanted("publish")) {
            publish(written);
        }
        System.err.println("bench/compare: written: " + all);
        return empty ? 1 : 0;
    }

    private List<Place> places() {
        return wanted("all") ? List.of(Place.values()) : List.of(wanted("one-host") ? Place.ONE_HOST : Place.NETWORK);
    }

    /** Measures, or takes what was measured. */
    private Report report(Path directory, Pages pages) throws Exception {
        Path measured = directory.resolve(pages.measured());
        Path kept = directory.resolve(pages.json());
        if (!wanted("render")) {
            try (HeldMemory held = HeldMemory.of(wanted("hold-memory") ? Machine.availableBytes() - LEFT_BYTES : 0)) {
                Comparison comparison = measure(pages.place(), directory, held);
                JsonFile.write(measured, comparison);
                return ComparisonReport.of(pages.place(), comparison);
            }
        }
        if (Files.exists(measured)) {
            return ComparisonReport.of(pages.place(), JsonFile.read(measured, Comparison.class));
        }
        if (Files.exists(kept)) {
            return JsonFile.read(kept, Report.class);
        }
        throw new IllegalStateException(
                "neither " + measured + " nor " + kept + " is there: run bench/compare without --render first");
    }

    private boolean wanted(String option) {
        return settings.containsKey(option);
    }

    /** Copies the reports and their tables, and writes the page of all reports that are published. */
    private void publish(List<Path> files) throws IOException {
        Path results = Files.createDirectories(home.resolve("docs/results"));
        for (Path each : files) {
            Files.writeString(results.resolve(each.getFileName().toString()), Files.readString(each));
        }
        Pages.writeTogether(results);
    }

    private Comparison measure(Place place, Path directory, HeldMemory held) throws Exception {
        String cpus = settings.get("cpus");
        int[] where = cpus == null
                ? Machine.lastTwo(Machine.allowed())
                : Stream.of(cpus.split(",", -1)).mapToInt(Integer::parseInt).toArray();
        String rounds = settings.get("rounds");
        String only = settings.get("only");
        Rounds.Plan plan = new Rounds.Plan(
                place,
                Form.of(settings.getOrDefault("form", Form.QUICK.title())),
                rounds == null ? null : Integer.valueOf(rounds),
                where[0],
                where[1],
                only == null ? null : List.of(only.split(",", -1)),
                wanted("curves"));
        return new Rounds(home, directory.resolve("compare.work"), plan, held).run();
    }

    /**
     * The files of a place's comparison.
     *
     * @param place whose
     * @param measured what was measured, sample by sample
     * @param json the report
     * @param markdown its table
     */
    private record Pages(Place place, String measured, String json, String markdown) {
        private static final String TITLE = "Panama Verbs: speed";
        private static final String TOGETHER = "speed.html";

        static Pages of(Place place) {
            return switch (place) {
                case NETWORK -> new Pages(place, "compare.json", "comparison.json", "comparison.md");
                case ONE_HOST -> new Pages(place, "compare-one-host.json", "one-host.json", "one-host.md");
            };
        }

        /** Writes the report and its table, and returns their files. */
        List<Path> write(Path directory, Report report) throws IOException {
            Path reported = directory.resolve(json);
            Path table = directory.resolve(markdown);
            JsonFile.write(reported, report);
            Files.writeString(table, MarkdownWriter.text(report));
            return List.of(reported, table);
        }

        /** Writes the page of all reports of {@code directory}, and returns it. */
        static Path writeTogether(Path directory) throws IOException {
            List<Report> reports = new ArrayList<>();
            for (Place place : Place.values()) {
                Path json = directory.resolve(of(place).json);
                if (Files.exists(json)) {
                    reports.add(JsonFile.read(json, Report.class));
                }
            }
            Path page = directory.resolve(TOGETHER);
            Files.writeString(page, HtmlWriter.text(TITLE, ComparisonReport.CHARTS, reports));
            return page;
        }
    }
}
