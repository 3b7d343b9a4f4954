package org.panamaverbs.bench.compare.standing;

import java.util.List;
import java.util.Map;
import org.panamaverbs.bench.compare.contestant.Point;

/**
 * A whole run as it was measured, as it is kept in JSON.
 *
 * @param setting where and how it was made, in the order to show
 * @param versions of who took part
 * @param absent who did not, each with the reason and the remedy
 * @param failures measurements that did not end well
 * @param samples what was found, in the order of the run
 * @param points curves over sizes and percentiles
 */
public record Comparison(
        Map<String, String> setting,
        Map<String, String> versions,
        Map<String, String> absent,
        List<String> failures,
        List<Sample> samples,
        List<Point> points) {}
