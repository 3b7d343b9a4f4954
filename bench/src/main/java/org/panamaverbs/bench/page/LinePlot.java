package org.panamaverbs.bench.page;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.apache.batik.dom.GenericDOMImplementation;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.RectangleInsets;
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
    private static final float[] LONG_DASHES = {7, 3};
    private static final float[] SHORT_DASHES = {3, 3};

    private final Plot plot;
    private final Styles styles;

    LinePlot(Plot plot, Styles styles) {
        this.plot = plot;
        this.styles = styles;
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
        SvgColours.apply(root);
        root.removeAttribute("width");
        root.removeAttribute("height");
        root.setAttribute("viewBox", "0 0 " + WIDTH + " " + HEIGHT);
        root.setAttribute("role", "img");
        root.setAttribute("aria-label", plot.title() + "; the figures are in the table below");
        StringWriter writer = new StringWriter();
        graphics.stream(root, writer, false, false);
        String text = writer.toString();
        return text.substring(text.indexOf("<svg"));
    }

    private JFreeChart chart() {
        XYSeriesCollection data = new XYSeriesCollection();
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
        renderer.setDrawSeriesLineAsPath(true);
        for (Plot.Line line : plot.lines()) {
            XYSeries series = new XYSeries(line.title());
            line.points().forEach(point -> series.add(xScale(point.x()), Axes.logarithmic(yShown(point))));
            int index = data.getSeriesCount();
            int style = styles.of(line.title());
            data.addSeries(series);
            renderer.setSeriesPaint(index, SvgColours.ofStyle(style));
            renderer.setSeriesStroke(index, stroke(style));
        }
        XYPlot lines = new XYPlot(data, new MarkedAxis(xMarks(), FONT), new MarkedAxis(yMarks(), FONT), renderer);
        lines.setBackgroundPaint(null);
        lines.setOutlineVisible(false);
        lines.setDomainGridlinePaint(SvgColours.RULE);
        lines.setRangeGridlinePaint(SvgColours.RULE);
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

    /** Dashes tell lines apart for those who see no colours, as the shapes of the points do. */
    private static BasicStroke stroke(int style) {
        return switch (style % 3) {
            case 0 -> new BasicStroke(2);
            case 1 -> dashed(LONG_DASHES);
            default -> dashed(SHORT_DASHES);
        };
    }

    private static BasicStroke dashed(float[] dashes) {
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
}
