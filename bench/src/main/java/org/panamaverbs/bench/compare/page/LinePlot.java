package org.panamaverbs.bench.compare.page;

import java.util.List;
import java.util.Locale;

/** Lines over two axes, as SVG. Colours and strokes are the page's, by the classes {@code s0}, {@code s1} and so on. */
final class LinePlot {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 400;
    private static final int LEFT = 64;
    private static final int RIGHT = 34;
    private static final int TOP = 14;
    private static final int BOTTOM = 52;

    private final String title;
    private final Axis x;
    private final Axis y;

    LinePlot(String title, Axis x, Axis y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** Returns the plot and its legend. */
    String html(List<Series> series) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH,
                HEIGHT,
                Html.escape(title + ": " + y.title() + " by " + x.title() + "; the figures are in the table below")));
        axes(text);
        for (Series each : series) {
            line(text, each);
        }
        text.append("</svg>\n<ul class=\"legend\">\n");
        for (Series each : series) {
            text.append(String.format(
                    Locale.ROOT,
                    "<li><svg viewBox=\"0 0 34 12\" aria-hidden=\"true\"><path class=\"line s%d\" d=\"M1 6H33\"/>%s</svg>%s</li>%n",
                    each.style(),
                    marker(each.style(), 17, 6),
                    Html.escape(each.name())));
        }
        return text.append("</ul>\n").toString();
    }

    private void axes(StringBuilder text) {
        for (Axis.Tick tick : x.ticks()) {
            double at = horizontal(tick.at());
            text.append(
                    String.format(Locale.ROOT, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", at, TOP, HEIGHT - BOTTOM));
            label(text, at, HEIGHT - BOTTOM + 18, "middle", tick.text());
        }
        for (Axis.Tick tick : y.ticks()) {
            double at = vertical(tick.at());
            text.append(
                    String.format(Locale.ROOT, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, at, WIDTH - RIGHT));
            label(text, LEFT - 8, at + 4, "end", tick.text());
        }
        label(text, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", x.title());
        text.append(String.format(
                Locale.ROOT,
                "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
                (TOP + HEIGHT - BOTTOM) / 2,
                Html.escape(y.title())));
    }

    private static void label(StringBuilder text, double x, double y, String anchor, String label) {
        if (!label.isEmpty()) {
            text.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
                    x,
                    y,
                    anchor,
                    Html.escape(label)));
        }
    }

    private void line(StringBuilder text, Series series) {
        StringBuilder path = new StringBuilder();
        StringBuilder markers = new StringBuilder();
        for (Series.XY point : series.points()) {
            double px = horizontal(point.x());
            double py = vertical(point.y());
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", px, py));
            markers.append(marker(series.style(), px, py));
        }
        text.append("<path class=\"line s")
                .append(series.style())
                .append("\" d=\"")
                .append(path)
                .append("\"/>");
        text.append(markers).append('\n');
    }

    /** Shapes tell lines apart for those who see no colours. */
    private static String marker(int style, double x, double y) {
        String shape = switch (style % 4) {
            case 0 -> "M%1$.1f %2$.1fm-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0";
            case 1 -> "M%1$.1f %2$.1fm-3.2-3.2h6.4v6.4h-6.4z";
            case 2 -> "M%1$.1f %2$.1fm0-4.2l4 7h-8z";
            default -> "M%1$.1f %2$.1fm0-4.4l4.4 4.4l-4.4 4.4l-4.4-4.4z";
        };
        return String.format(Locale.ROOT, "<path class=\"mark s" + style + "\" d=\"" + shape + "\"/>", x, y);
    }

    private double horizontal(double value) {
        return LEFT + Math.clamp(x.position(value), 0.0, 1.0) * (WIDTH - LEFT - RIGHT);
    }

    private double vertical(double value) {
        return HEIGHT - BOTTOM - Math.clamp(y.position(value), 0.0, 1.0) * (HEIGHT - TOP - BOTTOM);
    }
}
