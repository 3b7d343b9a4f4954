package org.panamaverbs.bench.page;

import java.util.HashSet;
import java.util.OptionalDouble;
import java.util.Set;
import org.panamaverbs.bench.result.Beside;
import org.panamaverbs.bench.result.Result;
import org.panamaverbs.bench.result.Table;

/**
 * How long the bars of a table are. Where everybody stands beside a floor they are as long as the ratios, since medians
 * are of one minute and another; else as long as the medians.
 */
final class Bars {
    private final Table table;
    private final Set<String> floors = new HashSet<>();
    private final boolean byRatio;
    private final double mostRatio;

    private Bars(Table table) {
        this.table = table;
        table.results().stream()
                .flatMap(result -> result.floors().stream())
                .map(Beside::floor)
                .forEach(floors::add);
        byRatio = !floors.isEmpty() && table.results().stream().noneMatch(result -> Double.isNaN(ratio(result)));
        mostRatio = table.results().stream().mapToDouble(this::ratio).max().orElse(1);
    }

    /** Returns the bars of {@code table}. */
    static Bars of(Table table) {
        return new Bars(table);
    }

    private double ratio(Result result) {
        return result.floors().isEmpty() && floors.contains(result.title())
                ? 1
                : result.ratio().median();
    }

    /** Returns the length of a bar, as a share of the longest. */
    double share(Result result) {
        return byRatio ? ratio(result) / mostRatio : shareOfMost(result);
    }

    /** Returns where the floor is, as a share of the longest bar; nothing where bars are as long as the medians. */
    OptionalDouble floorShare() {
        return byRatio ? OptionalDouble.of(1 / mostRatio) : OptionalDouble.empty();
    }

    /** Bars compare what has the same unit. */
    private double shareOfMost(Result result) {
        double most = table.results().stream()
                .filter(other -> other.unit() == result.unit())
                .mapToDouble(other -> other.spread().median())
                .max()
                .orElse(1);
        return most > 0 ? result.spread().median() / most : 0;
    }

    /** Says what the bars mean. */
    String meaning() {
        return byRatio
                ? "Bars are as long as the ratios to the floor, which is the line across"
                : "Bars are as long as the medians";
    }
}
