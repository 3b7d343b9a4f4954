package org.panamaverbs.bench.page;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.panamaverbs.bench.result.Report;

/** Which of the page's colours a title has: the same in all tables and plots. */
final class Styles {
    /** How many the page has. */
    static final int COUNT = 10;

    private final Map<String, Integer> byTitle = new LinkedHashMap<>();

    /**
     * Gives out the colours: first to the lines of plots, which must be told apart, then by the order of the tables.
     */
    Styles(List<Report> reports) {
        for (Report report : reports) {
            report.plots().forEach(plot -> plot.lines().forEach(line -> add(line.title())));
            report.tables().forEach(table -> table.results().forEach(result -> add(result.title())));
        }
    }

    private void add(String title) {
        byTitle.putIfAbsent(title, byTitle.size() % COUNT);
    }

    /** Returns the number of the colour, from 0. */
    int of(String title) {
        return byTitle.getOrDefault(title, 0);
    }
}
