package org.panamaverbs.bench.page;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The axes of the page's plots: where a figure is on paper, and which marks an axis has there. */
final class Axes {
    private static final double[] STEPS = {1, 2, 5};
    private static final double[] PERCENTILES = {0, 50, 90, 99, 99.9, 99.99, 99.999};
    private static final int MANY = 12;
    private static final double SIZE_STEP = 8;

    private Axes() {}

    /** Returns where a size or a figure is: as much room for each factor of ten. */
    static double logarithmic(double value) {
        return Math.log10(value);
    }

    /** Returns where a percentile is: as much room for each nine as for the one before. */
    static double percentile(double percent) {
        return -Math.log10(1 - percent / 100);
    }

    /**
     * Returns marks of figures at 1, 2 and 5 that hold {@code least} and {@code most} between them, by their places;
     * where they are many, those between the decades have no text.
     */
    static Map<Double, String> figureMarks(double least, double most) {
        TreeMap<Double, String> marks = new TreeMap<>();
        boolean ended = false;
        for (int power = (int) Math.floor(Math.log10(least)); !ended; power++) {
            for (double step : STEPS) {
                double at = step * Math.pow(10, power);
                if (at <= least) {
                    marks.clear();
                }
                if (!ended) {
                    marks.put(logarithmic(at), number(at));
                    ended = at >= most && marks.size() > 1;
                }
            }
        }
        double first = marks.firstKey();
        double last = marks.lastKey();
        if (marks.size() > MANY) {
            marks.replaceAll((at, text) -> isDecade(at) || at == first || at == last ? text : "");
        }
        return marks;
    }

    private static boolean isDecade(double logarithm) {
        return Math.abs(logarithm - Math.rint(logarithm)) < 1e-9;
    }

    /** Returns marks of bytes, at each factor of eight and at the last, by their places. */
    static Map<Double, String> sizeMarks(double least, double most) {
        Map<Double, String> marks = new TreeMap<>();
        for (double at = least; at * SIZE_STEP / 2 <= most; at *= SIZE_STEP) {
            marks.put(logarithmic(at), size(at));
        }
        marks.put(logarithmic(most), size(most));
        return marks;
    }

    /** Returns marks of percentiles up to {@code most}, by their places. */
    static Map<Double, String> percentileMarks(double most) {
        Map<Double, String> marks = new TreeMap<>();
        for (double at : PERCENTILES) {
            if (at <= most) {
                marks.put(percentile(at), number(at) + " %");
            }
        }
        return marks;
    }

    /** Returns a number of bytes as people write it. */
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
