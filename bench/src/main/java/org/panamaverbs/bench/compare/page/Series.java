package org.panamaverbs.bench.compare.page;

import java.util.List;

/**
 * A line of a plot.
 *
 * @param name whose it is
 * @param style which of the page's styles it has, from 0; a name has the same in all plots
 * @param points by ascending x
 */
record Series(String name, int style, List<XY> points) {

    /** A point, in the units of the axes. */
    record XY(double x, double y) {}
}
