package org.panamaverbs.bench.page;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;

/** An axis with marks where they are said, from the first to the last of them. */
final class MarkedAxis extends NumberAxis {
    private static final long serialVersionUID = 1;

    private final TreeMap<Double, String> marks;

    MarkedAxis(Map<Double, String> marks, Font font) {
        this.marks = new TreeMap<>(marks);
        setRange(this.marks.firstKey(), this.marks.lastKey());
        setTickLabelFont(font);
        setTickLabelInsets(new RectangleInsets(5, 5, 5, 5));
        setTickMarksVisible(false);
        setAxisLineVisible(false);
    }

    @Override
    public List<NumberTick> refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
        TextAnchor anchor = RectangleEdge.isLeftOrRight(edge) ? TextAnchor.CENTER_RIGHT : TextAnchor.TOP_CENTER;
        List<NumberTick> ticks = new ArrayList<>();
        marks.forEach((at, text) -> ticks.add(new NumberTick(at, text, anchor, TextAnchor.CENTER, 0)));
        return ticks;
    }
}
