package org.panamaverbs.bench.result;

import java.util.List;

/**
 * Lines over an axis.
 *
 * @param title of the plot
 * @param hint what is to be known of all lines; may be empty
 * @param axis what x counts
 * @param unit of y
 * @param lines in the order to show
 */
public record Plot(String title, String hint, Axis axis, Unit unit, List<Line> lines) {
    /** What x counts. */
    public enum Axis {
        /** Bytes of a message. */
        SIZE,
        /** Percent of the round trips. */
        PERCENTILE
    }

    /**
     * One line.
     *
     * @param title whose it is: the same in all plots and tables
     * @param points by ascending x
     */
    public record Line(String title, List<Point> points) {}

    /** A point: x by the axis, and y in nanoseconds or in things a second. */
    public record Point(double x, double y) {}
}
