package org.panamaverbs.bench.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A result beside a floor.
 *
 * @param floor the title of the floor, which is a result of the same table
 * @param ratios to it, one for each round that counts; empty if there is none
 * @param steady in how many rounds the floor was the same before and after; null where it is not looked at twice
 */
public record Beside(
        String floor, List<Double> ratios, @Nullable Integer steady) {
    public Spread spread() {
        return Spread.of(ratios);
    }
}
