package org.panamaverbs.bench.compare.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What JMH measured: a table for each benchmark, with a bar in each row. */
final class JmhSection {
    /** Below this, JMH's figure is its own doing: an iteration's few objects over its millions of operations. */
    private static final double NOTHING_BYTES = 0.05;

    private final Map<String, List<JmhResults.Row>> bySubject;

    JmhSection(Map<String, List<JmhResults.Row>> bySubject) {
        this.bySubject = bySubject;
    }

    /** Returns it. */
    String html() {
        if (bySubject.isEmpty()) {
            return "<p>No results of JMH were there: <code>bench/run</code> makes them.</p>\n";
        }
        StringBuilder text = new StringBuilder();
        bySubject.forEach((subject, rows) -> {
            text.append("<h3>").append(Html.escape(subject)).append("</h3>\n");
            text.append(table(subject, rows));
        });
        return text.toString();
    }

    private static String table(String subject, List<JmhResults.Row> rows) {
        List<List<String>> cells = new ArrayList<>();
        for (JmhResults.Row row : rows) {
            // Bars compare what has the same unit.
            double most = rows.stream()
                    .filter(other -> other.unit().equals(row.unit()))
                    .mapToDouble(JmhResults.Row::score)
                    .max()
                    .orElse(1);
            cells.add(List.of(
                    Html.escape(row.method()),
                    Html.escape(row.parameters()),
                    "<span class=\"share\" style=\"width:"
                            + String.format(Locale.ROOT, "%.1f", Math.max(0.5, 100 * row.score() / most))
                            + "%\"></span>",
                    number(row.score()) + (Double.isNaN(row.error()) ? "" : " ± " + number(row.error())),
                    Html.escape(row.unit()),
                    Double.isNaN(row.bytes())
                            ? ""
                            : row.bytes() < NOTHING_BYTES ? "0" : String.format(Locale.ROOT, "%.1f", row.bytes())));
        }
        return Html.table(subject, List.of("benchmark", "parameters", "", "score", "unit", "B/op"), cells);
    }

    private static String number(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 1000 ? "%.0f" : size >= 10 ? "%.1f" : "%.3f", value);
    }
}
