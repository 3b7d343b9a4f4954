package org.panamaverbs.bench.compare.page;

import java.util.List;
import java.util.Locale;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.contestant.Unit;
import org.panamaverbs.bench.compare.standing.Comparison;
import org.panamaverbs.bench.compare.standing.Loads;
import org.panamaverbs.bench.compare.standing.Standings;
import org.panamaverbs.bench.compare.standing.Target;

/** The table of a run, in Markdown. */
public final class MarkdownReport {
    private final Comparison comparison;
    private final Standings standings;

    public MarkdownReport(Comparison comparison, Standings standings) {
        this.comparison = comparison;
        this.standings = standings;
    }

    /** Returns the report. */
    public String text() {
        StringBuilder text = new StringBuilder("# Beside the floor and others\n\n");
        text.append("Written by `bench/compare`; the same with plots: [speed.html](speed.html).\n\n");
        comparison
                .setting()
                .forEach((name, value) -> line(text, name, name.equals("command") ? "`" + value + "`" : value));
        line(text, "load", Loads.summary(comparison.samples()));
        comparison.versions().forEach((name, value) -> line(text, name, value));
        comparison.absent().forEach((name, reason) -> line(text, "not run: " + name, reason));
        text.append('\n').append(Notes.TEXT).append("\n## Targets\n\n");
        targets(text);
        text.append("\n## Figures\n\n");
        figures(text);
        if (!comparison.failures().isEmpty()) {
            text.append("\n## What failed\n\n");
            comparison
                    .failures()
                    .forEach(failure -> text.append("- ").append(failure).append('\n'));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("- ").append(name).append(": ").append(value).append('\n');
    }

    private void targets(StringBuilder text) {
        text.append("| what | who | target | reached | |\n|---|---|---|---|---|\n");
        for (Target target : Target.ALL) {
            Target.Verdict verdict = target.judge(standings);
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s |%n",
                    target.question().title(),
                    target.line(),
                    verdict.words(),
                    verdict.reached(),
                    verdict.result().text()));
        }
    }

    private void figures(StringBuilder text) {
        text.append("""
                | what | by | median | least to most | x C | steady | 99 % | 99.9 % |
                |---|---|--:|--:|--:|--:|--:|--:|
                """);
        for (Question question : Question.values()) {
            List<Standings.Standing> all = standings.of(question);
            for (Standings.Standing standing : all) {
                text.append(row(question, standing));
            }
        }
    }

    private static String row(Question question, Standings.Standing standing) {
        Unit unit = question.unit();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s %s | %s to %s | %s | %s | %s | %s |%n",
                question.title(),
                standing.line(),
                unit.text(standing.median()),
                unit.symbol(),
                unit.text(standing.least()),
                unit.text(standing.most()),
                ratio(standing),
                steady(standing),
                percentile(standing, 99),
                percentile(standing, 99.9));
    }

    /** Returns the ratio to the floor as it is shown. */
    static String ratio(Standings.Standing standing) {
        return Double.isNaN(standing.ratio()) ? "" : String.format(Locale.ROOT, "%.2f", standing.ratio());
    }

    /** Returns in how many rounds the floor was steady, as it is shown. */
    static String steady(Standings.Standing standing) {
        return standing.line().equals(CFloor.LINE) ? "" : standing.steady() + " of " + standing.rounds();
    }

    /** Returns a percentile as it is shown, or nothing if it is not known. */
    static String percentile(Standings.Standing standing, double at) {
        Double value = standing.percentiles().get(at);
        return value == null ? "" : Unit.ROUND_TRIP.text(value) + " " + Unit.ROUND_TRIP.symbol();
    }
}
