package org.panamaverbs.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.bench.compare.contestant.Place;
import org.panamaverbs.bench.page.HtmlWriter;
import org.panamaverbs.bench.page.JsonFile;
import org.panamaverbs.bench.page.MarkdownWriter;
import org.panamaverbs.bench.result.Report;

/**
 * The files of a place's comparison.
 *
 * @param place whose
 * @param measured what was measured, sample by sample
 * @param json the report
 * @param markdown its table
 */
record Pages(Place place, String measured, String json, String markdown) {
    /** The report of the benchmarks, which {@code bench/run} makes. */
    static final String BENCHMARKS = "benchmarks.json";

    private static final String TITLE = "Panama Verbs: speed";
    private static final String TOGETHER = "speed.html";

    /** Returns the pages of {@code place}. */
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

    /** Writes the page of all reports of {@code directory}, with the benchmarks' if there is one, and returns it. */
    static Path writeTogether(Path directory, Path benchmarks) throws IOException {
        List<Report> reports = new ArrayList<>();
        for (Place place : Place.values()) {
            Path json = directory.resolve(of(place).json);
            if (Files.exists(json)) {
                reports.add(JsonFile.read(json, Report.class));
            }
        }
        if (Files.exists(benchmarks)) {
            reports.add(JsonFile.read(benchmarks, Report.class));
        }
        Path page = directory.resolve(TOGETHER);
        Files.writeString(page, HtmlWriter.text(TITLE, reports));
        return page;
    }
}
