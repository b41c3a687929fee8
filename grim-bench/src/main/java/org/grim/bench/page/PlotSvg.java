// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.grim.GrimException;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Draws plots as SVG that stands in a page: XChart draws, Batik writes it down. Letters become outlines, so that a plot
 * looks the same where other fonts are installed. Any thread; no state.
 */
final class PlotSvg
{
    /** Of the box that a browser scales. */
    static final int WIDTH = 640;
    static final int HEIGHT = 400;

    private static final String SVG_NAMESPACE = "http://www.w3.org/2000/svg";
    private static final double CONTENT_WIDTH = 560;
    private static final int PRECISION = 2;
    private static final int MARKER_SIZE = 7;
    private static final int DOT_ALPHA = 64;
    private static final float OUR_WIDTH = 2.8f;
    private static final float OTHER_WIDTH = 1.6f;
    private static final float[] DASHES = {7, 4};
    private static final float[] DOTS = {1.5f, 3.5f};
    private static final int AXIS_FONT_SIZE = 13;
    private static final int TICK_FONT_SIZE = 12;
    private static final Color GRID = new Color(0xE3E6EA);
    private static final Color INK = new Color(0x3C434A);
    private static final double PADDING = 0.06;
    private static final int[] MANTISSAS = {1, 2, 5, 10};
    private static final double TOLERANCE = 1e-9;
    private static final double DECADES_WITH_THREE = 1.7;
    private static final double DECADES_WITH_FIVE = 3.2;

    private PlotSvg()
    {
    }

    /**
     * Draws.
     *
     * @param plot    to draw.
     * @param palette looks of its curves.
     * @param id      of the plot within its page; names inside begin with it.
     * @return an element {@code svg}.
     * @throws GrimException if this JVM cannot draw.
     */
    static String draw(final Plot plot, final Palette palette, final String id)
    {
        System.setProperty("java.awt.headless", "true");        // Before AWT is loaded: a server has no screen.
        try
        {
            return svg(chart(plot, palette), id);
        }
        catch (final RuntimeException | LinkageError | InternalError | IOException | ParserConfigurationException ex)
        {
            throw new GrimException("the plot \"" + plot.title() + "\" cannot be drawn: " + ex +
                "; this JVM may lack java.desktop or fonts", ex);
        }
    }

    private static String svg(final XYChart chart, final String id) throws IOException, ParserConfigurationException
    {
        final Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().getDOMImplementation()
            .createDocument(SVG_NAMESPACE, "svg", null);
        final SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setPrecision(PRECISION);
        context.setComment(null);
        context.setIDGenerator(new PrefixedIds(id));
        final SVGGraphics2D graphics = new SVGGraphics2D(context, true);
        chart.paint(graphics, WIDTH, HEIGHT);
        final Element root = graphics.getRoot();
        root.setAttribute("viewBox", "0 0 " + WIDTH + " " + HEIGHT);
        root.setAttribute("aria-hidden", "true");
        final StringWriter text = new StringWriter();
        graphics.stream(root, text, false, true);
        final String all = text.toString();
        // Without a prologue: it stands inside a page. One name is not asked of the generator.
        return all.substring(all.indexOf("<svg")).replace("\"genericDefs\"", "\"" + id + "-generic\"");
    }

    private static XYChart chart(final Plot plot, final Palette palette)
    {
        final XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).xAxisTitle(plot.xAxis().title())
            .yAxisTitle(plot.yTitle()).build();
        style(chart);
        addXAxis(chart, plot);
        addYAxis(chart, plot);
        for (final Curve curve : plot.curves())
        {
            addDots(chart, plot, curve, palette.of(curve.name()));
        }
        // Ours last, so that they lie on top.
        plot.curves().stream().filter(curve -> !palette.of(curve.name()).isOurs())
            .forEach(curve -> addLine(chart, plot, curve, palette.of(curve.name())));
        plot.curves().stream().filter(curve -> palette.of(curve.name()).isOurs())
            .forEach(curve -> addLine(chart, plot, curve, palette.of(curve.name())));
        return chart;
    }

    private static void addXAxis(final XYChart chart, final Plot plot)
    {
        final Axis axis = plot.xAxis();
        final double least = plot.leastX();
        final double[] places = Arrays.stream(plot.allXs()).map(x -> axis.place(x, least)).sorted().toArray();
        final boolean hasZero = Arrays.stream(plot.allXs()).anyMatch(x -> x == 0);
        final double begin = axis.begin(places[0]);
        final double end = axis.end(places[0], places[places.length - 1]);
        chart.getStyler().setXAxisMin(begin).setXAxisMax(end)
            // Without labels where both ends read alike: the chart takes them for one.
            .setXAxisTickLabelsFormattingFunction(
                place -> place == begin && begin != 0 ? "  " : axis.label(place, least, hasZero));
        if (axis.step() > 0)
        {
            chart.getStyler().setXAxisTickMarkSpacingHint((int)(CONTENT_WIDTH * axis.step() / (end - begin)));
        }
    }

    private static void addYAxis(final XYChart chart, final Plot plot)
    {
        if (!plot.isLogarithmic())
        {
            final double greatest = plot.greatestY();
            final double least = Math.min(0, plot.leastY());
            chart.getStyler().setYAxisMin(least)
                .setYAxisMax(greatest > least ? greatest + (greatest - least) * PADDING : least + 1)
                .setYAxisTickLabelsFormattingFunction(value -> Numbers.label(value, plot.unit()));
            return;
        }
        final double least = below(plot.leastY());
        final double greatest = above(plot.greatestY());
        final double decades = Math.log10(greatest / least);
        chart.getStyler().setYAxisLogarithmic(true).setYAxisLogarithmicDecadeOnly(false).setYAxisMin(least)
            .setYAxisMax(greatest)
            .setYAxisTickLabelsFormattingFunction(value -> isLabelled(value, decades) ?
                Numbers.label(value, plot.unit()) : " ");
    }

    private static boolean isLabelled(final double value, final double decades)
    {
        final int mantissa = (int)Math.round(value / Math.pow(10, Math.floor(Math.log10(value) + TOLERANCE)));
        return switch (mantissa)
        {
            case 1, 10 -> true;
            case 2, 5 -> decades <= DECADES_WITH_FIVE;
            case 3 -> decades <= DECADES_WITH_THREE;
            default -> false;
        };
    }

    /** 1, 2 or 5 times a power of ten, and some room. */
    private static double below(final double value)
    {
        final double decade = Math.pow(10, Math.floor(Math.log10(value)));
        for (int i = MANTISSAS.length - 1; i >= 0; i--)
        {
            if (MANTISSAS[i] * decade < value)
            {
                return MANTISSAS[i] * decade;
            }
        }
        return decade / 2;
    }

    private static double above(final double value)
    {
        final double decade = Math.pow(10, Math.floor(Math.log10(value)));
        return Arrays.stream(MANTISSAS).mapToDouble(mantissa -> mantissa * decade).filter(bound -> bound > value)
            .findFirst().orElse(2 * 10 * decade);
    }

    private static void addLine(final XYChart chart, final Plot plot, final Curve curve, final Palette.Look look)
    {
        final double[] places = Arrays.stream(curve.xs()).map(x -> plot.xAxis().place(x, plot.leastX())).toArray();
        final XYSeries series = chart.addSeries("line " + curve.name(), places, curve.ys());
        series.setLineStyle(stroke(look));
        series.setLineColor(new Color(look.rgb()));
        series.setMarkerColor(new Color(look.rgb()));
        series.setMarker(plot.xAxis().kind() == Axis.Kind.PERCENTILE ? SeriesMarkers.NONE : marker(look.shape()));
    }

    private static void addDots(final XYChart chart, final Plot plot, final Curve curve, final Palette.Look look)
    {
        final List<Double> xs = new ArrayList<>();
        final List<Double> ys = new ArrayList<>();
        for (final Curve.Place place : curve.places())
        {
            place.spread().forEach(y ->
            {
                xs.add(plot.xAxis().place(place.x(), plot.leastX()));
                ys.add(y);
            });
        }
        if (!xs.isEmpty())
        {
            final XYSeries series = chart.addSeries("dots " + curve.name(), xs, ys);
            series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
            series.setMarker(SeriesMarkers.CIRCLE);
            series.setMarkerColor(new Color(look.rgb() >> 16 & 0xFF, look.rgb() >> 8 & 0xFF, look.rgb() & 0xFF,
                DOT_ALPHA));
        }
    }

    private static BasicStroke stroke(final Palette.Look look)
    {
        final float width = look.isOurs() ? OUR_WIDTH : OTHER_WIDTH;
        return switch (look.dash())
        {
            case WHOLE -> new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
            case DASHED -> new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES, 0);
            case DOTTED -> new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DOTS, 0);
        };
    }

    private static Marker marker(final Palette.Shape shape)
    {
        return switch (shape)
        {
            case CIRCLE -> SeriesMarkers.CIRCLE;
            case SQUARE -> SeriesMarkers.SQUARE;
            case DIAMOND -> SeriesMarkers.DIAMOND;
            case TRIANGLE_UP -> SeriesMarkers.TRIANGLE_UP;
            case TRIANGLE_DOWN -> SeriesMarkers.TRIANGLE_DOWN;
        };
    }

    private static void style(final XYChart chart)
    {
        chart.getStyler().setLegendVisible(false).setChartTitleVisible(false).setChartBackgroundColor(Color.WHITE)
            .setPlotBackgroundColor(Color.WHITE).setPlotBorderVisible(false).setMarkerSize(MARKER_SIZE)
            .setChartPadding(4).setChartFontColor(INK);
        chart.getStyler().setPlotContentSize(1);
        chart.getStyler().setPlotGridLinesColor(GRID)
            .setPlotGridLinesStroke(new BasicStroke(1)).setAxisTickLabelsColor(INK)
            .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, TICK_FONT_SIZE))
            .setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, AXIS_FONT_SIZE)).setAxisTickMarksColor(GRID)
            .setPlotMargin(0);
    }

    /** Several plots stand in one page, where each name must be its own. */
    private static final class PrefixedIds extends SVGIDGenerator
    {
        private final String id;

        PrefixedIds(final String id)
        {
            this.id = id;
        }

        @Override
        public String generateID(final String prefix)
        {
            return id + "-" + super.generateID(prefix);
        }
    }
}
