package org.panamaverbs.bench.result;

import java.util.Locale;

/**
 * What a figure counts. Figures are kept in nanoseconds, in things a second, or in bytes of an operation, and shown in
 * what suits people.
 */
public enum Unit {
    NANOSECONDS("ns", 1, true),
    MICROSECONDS("µs", 1e-3, true),
    MESSAGES("M/s", 1e-6, false),
    OCTETS("GB/s", 1e-9, false),
    ALLOCATED("B/op", 1, true);

    private final String symbol;
    private final double factor;
    private final boolean lessIsBetter;

    Unit(String symbol, double factor, boolean lessIsBetter) {
        this.symbol = symbol;
        this.factor = factor;
        this.lessIsBetter = lessIsBetter;
    }

    public String symbol() {
        return symbol;
    }

    /** Tells whether the smaller of two figures is the better one. */
    public boolean lessIsBetter() {
        return lessIsBetter;
    }

    /** Returns {@code value} in the unit people read. */
    public double shown(double value) {
        return value * factor;
    }

    /** Returns {@code value} as people read it, without the unit. */
    public String text(double value) {
        double shown = shown(value);
        return String.format(Locale.ROOT, shown >= 1000 ? "%.0f" : shown >= 100 ? "%.1f" : "%.2f", shown);
    }

    /** Returns {@code value} as people read it, with the unit. */
    public String textWithSymbol(double value) {
        return text(value) + " " + symbol;
    }
}
