package org.panamaverbs.bench.page;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.apache.batik.dom.GenericDOMImplementation;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.panamaverbs.bench.result.Plot;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Lines over two axes, drawn by JFreeChart, as SVG whose colours are the page's. Needs fonts on the machine. */
final class LinePlot {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 440;
    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final String NAMESPACE = "http://www.w3.org/2000/svg";
    // Dashes tell the lines of one contestant apart, which have its colour.
    private static final List<BasicStroke> STROKES = List.of(new BasicStroke(2), dashed(8, 4), dashed(2, 3));

    /** The colour of the lines behind a plot while it is drawn. */
    private static final Color RULE = new Color(2, 2, 2);

    private static final String RULE_TEXT = "rgb(2,2,2)";
    private static final String LINE_TEXT = "rgb(1,1,";
    private static final Pattern COLOUR = Pattern.compile("(?<= (?:fill|stroke)=\")(?!none\")[^\"]+");
    private static final Pattern USELESS = Pattern.compile(
            "<defs\\b[^>]*?(?:/>|>.*?</defs\\s*>)"
                    + "| (?:clip-path|id|color-interpolation|color-rendering|image-rendering)=\"[^\"]*\"",
            Pattern.DOTALL);

    private final Plot plot;

    LinePlot(Plot plot) {
        this.plot = plot;
    }

    /** Returns the plot with its legend. */
    String svg() throws IOException {
        Document document = GenericDOMImplementation.getDOMImplementation().createDocument(NAMESPACE, "svg", null);
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setComment(null);
        context.setPrecision(1);
        SVGGraphics2D graphics = new SVGGraphics2D(context, false);
        graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
        chart().draw(graphics, new Rectangle(WIDTH, HEIGHT));
        Element root = graphics.getRoot();
        root.removeAttribute("width");
        root.removeAttribute("height");
        root.setAttribute("viewBox", "0 0 " + WIDTH + " " + HEIGHT);
        root.setAttribute("role", "img");
        root.setAttribute("aria-label", plot.title() + "; the figures are in the table below");
        StringWriter writer = new StringWriter();
        graphics.stream(root, writer, false, false);
        String text = writer.toString();
        return forPage(text.substring(text.indexOf("<svg")));
    }

    private JFreeChart chart() {
        XYSeriesCollection data = new XYSeriesCollection();
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
        renderer.setDrawSeriesLineAsPath(true);
        for (Plot.Line line : plot.lines()) {
            XYSeries series = new XYSeries(line.title());
            line.points().forEach(point -> series.add(xScale(point.x()), Axes.logarithmic(yShown(point))));
            int index = data.getSeriesCount();
            String colour = Html.colour(line.title());
            long before = plot.lines().subList(0, index).stream()
                    .filter(other -> Html.colour(other.title()).equals(colour))
                    .count();
            data.addSeries(series);
            renderer.setSeriesPaint(index, ofLine(index));
            renderer.setSeriesStroke(index, STROKES.get((int) (before % STROKES.size())));
        }
        XYPlot lines = new XYPlot(data, new MarkedAxis(xMarks(), FONT), new MarkedAxis(yMarks(), FONT), renderer);
        lines.setBackgroundPaint(null);
        lines.setOutlineVisible(false);
        lines.setDomainGridlinePaint(RULE);
        lines.setRangeGridlinePaint(RULE);
        lines.setDomainGridlineStroke(new BasicStroke(1));
        lines.setRangeGridlineStroke(new BasicStroke(1));
        JFreeChart chart = new JFreeChart(null, FONT, lines, true);
        chart.setBackgroundPaint(null);
        chart.setPadding(new RectangleInsets(8, 0, 0, 28));
        chart.getLegend().setItemFont(FONT);
        chart.getLegend().setItemPaint(Color.BLACK);
        chart.getLegend().setBackgroundPaint(null);
        chart.getLegend().setFrame(BlockBorder.NONE);
        return chart;
    }

    private static BasicStroke dashed(float... dashes) {
        return new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
    }

    private double xScale(double x) {
        DoubleUnaryOperator scale = plot.axis() == Plot.Axis.SIZE ? Axes::logarithmic : Axes::percentile;
        return scale.applyAsDouble(x);
    }

    private double yShown(Plot.Point point) {
        return plot.unit().shown(point.y());
    }

    private Map<Double, String> xMarks() {
        double least = xs().min().orElse(0);
        double most = xs().max().orElse(0);
        return plot.axis() == Plot.Axis.SIZE ? Axes.sizeMarks(least, most) : Axes.percentileMarks(most);
    }

    private DoubleStream xs() {
        return plot.lines().stream()
                .flatMapToDouble(line -> line.points().stream().mapToDouble(Plot.Point::x));
    }

    private Map<Double, String> yMarks() {
        return Axes.figureMarks(ys().min().orElse(1), ys().max().orElse(1));
    }

    private DoubleStream ys() {
        return plot.lines().stream()
                .flatMapToDouble(line -> line.points().stream().mapToDouble(this::yShown));
    }

    /** An axis with marks where they are said, from the first to the last of them. */
    private static final class MarkedAxis extends NumberAxis {
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
        public List<NumberTick> refreshTicks(
                Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
            TextAnchor anchor = RectangleEdge.isLeftOrRight(edge) ? TextAnchor.CENTER_RIGHT : TextAnchor.TOP_CENTER;
            List<NumberTick> ticks = new ArrayList<>();
            marks.forEach((at, text) -> ticks.add(new NumberTick(at, text, anchor, TextAnchor.CENTER, 0)));
            return ticks;
        }
    }

    /** Returns the colour of a line while it is drawn. */
    private static Color ofLine(int index) {
        return new Color(1, 1, index);
    }

    /**
     * Returns an SVG with the page's own colours, which are others on a dark screen, in place of those that it was
     * drawn in. What would clash with another plot of the page goes, as clips do, which are found by names.
     */
    private String forPage(String drawn) {
        String useful = USELESS.matcher(drawn).replaceAll("");
        return COLOUR.matcher(useful).replaceAll(found -> Matcher.quoteReplacement(colour(found.group())));
    }

    private String colour(String drawn) {
        if (drawn.equals(RULE_TEXT)) {
            return "var(--rule)";
        }
        if (!drawn.startsWith(LINE_TEXT)) {
            return "var(--text)";
        }
        int index = Integer.parseInt(drawn, LINE_TEXT.length(), drawn.length() - 1, 10);
        return Html.colour(plot.lines().get(index).title());
    }
}
