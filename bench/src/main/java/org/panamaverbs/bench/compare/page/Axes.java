package org.panamaverbs.bench.compare.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** The axes of the page's plots. */
final class Axes {
    private static final double[] STEPS = {1, 2, 5};

    private Axes() {}

    /** Returns a logarithmic axis of a figure, with marks at 1, 2 and 5, around {@code values}. */
    static Axis logarithmic(String title, DoubleStream values) {
        double[] sorted = values.filter(value -> value > 0).sorted().toArray();
        double least = sorted.length == 0 ? 1 : sorted[0];
        double most = sorted.length == 0 ? 10 : sorted[sorted.length - 1];
        List<Axis.Tick> ticks = new ArrayList<>();
        boolean ended = false;
        for (int power = (int) Math.floor(Math.log10(least)); !ended; power++) {
            for (double step : STEPS) {
                double at = step * Math.pow(10, power);
                if (ended) {
                    break;
                }
                if (at <= least && !ticks.isEmpty()) {
                    ticks.clear();
                }
                ticks.add(new Axis.Tick(at, number(at)));
                ended = at >= most && ticks.size() > 1;
            }
        }
        return new Axis(title, Math::log10, thinned(ticks));
    }

    /** Many decades need no marks between. */
    private static List<Axis.Tick> thinned(List<Axis.Tick> ticks) {
        if (ticks.size() <= 12) {
            return ticks;
        }
        List<Axis.Tick> thin = new ArrayList<>();
        for (int i = 0; i < ticks.size(); i++) {
            Axis.Tick tick = ticks.get(i);
            double log = Math.log10(tick.at());
            boolean decade = Math.abs(log - Math.rint(log)) < 1e-9;
            thin.add(decade || i == 0 || i == ticks.size() - 1 ? tick : new Axis.Tick(tick.at(), ""));
        }
        return thin;
    }

    /** Returns an axis of octets, with a mark at every eighth power of two. */
    static Axis sizes(double least, double most) {
        List<Axis.Tick> ticks = new ArrayList<>();
        for (double at = least; at < most; at *= 8) {
            ticks.add(new Axis.Tick(at, size(at)));
        }
        ticks.add(new Axis.Tick(most, size(most)));
        return new Axis("message size", Math::log10, ticks);
    }

    /** Returns an axis of percentiles, on which each nine takes as much room as the one before. */
    static Axis percentiles(double most) {
        List<Axis.Tick> ticks = new ArrayList<>();
        for (double at : new double[] {0, 50, 90, 99, 99.9, 99.99, 99.999}) {
            if (at <= most) {
                ticks.add(new Axis.Tick(at, number(at) + " %"));
            }
        }
        return new Axis("percentile", at -> -Math.log10(1 - at / 100), ticks);
    }

    /** Returns a number of octets as people write it. */
    static String size(double octets) {
        return octets >= 1 << 20
                ? number(octets / (1 << 20)) + " MiB"
                : octets >= 1024 ? number(octets / 1024) + " KiB" : number(octets) + " B";
    }

    /** Returns a number with the digits it needs. */
    static String number(double value) {
        String text = String.format(Locale.ROOT, "%.6f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }
}
