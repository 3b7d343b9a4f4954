package org.panamaverbs.bench.compare.page;

import java.util.List;
import java.util.Locale;
import org.panamaverbs.bench.compare.contestant.CFloor;
import org.panamaverbs.bench.compare.contestant.Question;
import org.panamaverbs.bench.compare.contestant.Unit;
import org.panamaverbs.bench.compare.standing.Standings;

/**
 * The answers to one question as bars, the floor across all of them, as SVG. Bars are as long as the ratios to the
 * floor: medians are of one minute and another. Without a floor they are as long as the medians.
 */
final class Bars {
    private static final int WIDTH = 760;
    private static final int LEFT = 210;
    private static final int RIGHT = 150;
    private static final int ROW = 26;
    private static final int TOP = 6;
    private static final int BAR = 14;

    private final Question question;
    private final List<Standings.Standing> standings;
    private final boolean hasFloor;
    private final double most;

    Bars(Question question, List<Standings.Standing> standings) {
        this.question = question;
        this.standings = standings;
        hasFloor = standings.stream().noneMatch(standing -> Double.isNaN(standing.ratio()));
        most = standings.stream().mapToDouble(this::length).max().orElse(1);
    }

    private double length(Standings.Standing standing) {
        return hasFloor ? standing.ratio() : standing.median();
    }

    /** Returns the plot. */
    String svg() {
        int height = TOP + ROW * standings.size() + TOP;
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH,
                height,
                Html.escape(question.title() + ": times the floor; the figures are in the table below")));
        standings.stream()
                .filter(standing -> standing.line().equals(CFloor.LINE))
                .findFirst()
                .ifPresent(floor -> text.append(String.format(
                        Locale.ROOT, "<path class=\"floor\" d=\"M%.1f 0V%d\"/>%n", at(length(floor)), height)));
        for (int i = 0; i < standings.size(); i++) {
            bar(text, standings.get(i), TOP + i * ROW);
        }
        return text.append("</svg>\n").toString();
    }

    private void bar(StringBuilder text, Standings.Standing standing, int top) {
        Unit unit = question.unit();
        String figure = unit.text(standing.median()) + " " + unit.symbol();
        String ratio = MarkdownReport.ratio(standing);
        text.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                        + "<path class=\"bar s%d\" d=\"M%d %dH%.1fv%dH%dz\"/>"
                        + "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
                LEFT - 8,
                top + ROW / 2 + 4,
                Html.escape(standing.line()),
                Styles.of(standing.line()),
                LEFT,
                top + (ROW - BAR) / 2,
                at(length(standing)),
                BAR,
                LEFT,
                at(length(standing)) + 8,
                top + ROW / 2 + 4,
                Html.escape(ratio.isEmpty() ? figure : ratio + " x (" + figure + ")")));
    }

    private double at(double value) {
        return LEFT + value / most * (WIDTH - LEFT - RIGHT);
    }
}
