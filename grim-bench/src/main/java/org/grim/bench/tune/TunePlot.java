// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.tune;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.GrimException;
import org.grim.bench.report.TuneReport;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Speed against size, a line for each mechanism, and a broad one below them for what was chosen. Any thread; no state.
 */
public final class TunePlot
{
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 760;
    private static final int KIBI = 1024;
    private static final int MARKER_SIZE = 9;
    private static final float LINE_WIDTH = 2;
    private static final float CHOSEN_WIDTH = 14;
    private static final Color CHOSEN_COLOUR = new Color(255, 214, 102);
    /** Told apart by those who see no red or green, too (Okabe and Ito). */
    private static final List<Color> COLOURS = List.of(new Color(0x000000), new Color(0x0072B2), new Color(0x56B4E9),
        new Color(0x8C8C8C), new Color(0xE69F00), new Color(0xD55E00), new Color(0x009E73));

    private TunePlot()
    {
    }

    /**
     * Draws.
     *
     * @param report of a run.
     * @param file   that takes the PNG.
     * @throws IOException   if it cannot be written.
     * @throws GrimException if this JVM cannot draw.
     */
    public static void write(final TuneReport report, final Path file) throws IOException
    {
        System.setProperty("java.awt.headless", "true");        // Before AWT is loaded: a server has no screen.
        Files.write(file, bitmap(report, file));
    }

    private static byte[] bitmap(final TuneReport report, final Path file) throws IOException
    {
        try
        {
            return ChartEncoder.getBytes(chart(report), "png");
        }
        catch (final RuntimeException | LinkageError | InternalError ex)
        {
            throw new GrimException("the plot " + file + " cannot be drawn: " + ex + "; this JVM may lack " +
                "java.desktop or fonts; the plan was written", ex);
        }
    }

    private static XYChart chart(final TuneReport report)
    {
        final List<Integer> sizes = report.choices().stream().map(TuneReport.Choice::size).toList();
        final XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT)
            .title("Injection into the memory of a LANai " + report.lanaiModel() + " board")
            .xAxisTitle("payload [bytes]").yAxisTitle("speed [MB/s]").build();
        style(chart, sizes);
        final List<Double> chosen = sizes.stream().map(size -> report.rows().stream()
            .filter(row -> row.size() == size && report.isChosen(row) && !isZeroCopy(row)).findFirst()
            .map(TuneReport.Row::megabytesPerSecond).orElse(Double.NaN)).toList();
        final XYSeries below = chart.addSeries("chosen", indexes(sizes), chosen);
        below.setLineStyle(new BasicStroke(CHOSEN_WIDTH, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        below.setLineColor(CHOSEN_COLOUR);
        below.setMarker(SeriesMarkers.NONE);
        int colour = 0;
        for (final String name : report.series())
        {
            addSeries(chart, report, name, sizes, COLOURS.get(colour % COLOURS.size()));
            colour++;
        }
        return chart;
    }

    private static void addSeries(
        final XYChart chart, final TuneReport report, final String name, final List<Integer> sizes, final Color colour)
    {
        final List<Double> x = new ArrayList<>();
        final List<Double> y = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++)
        {
            final double index = i;
            report.row(sizes.get(i), name).ifPresent(row ->
            {
                x.add(index);
                y.add(row.megabytesPerSecond());
            });
        }
        final XYSeries series = chart.addSeries(name, x, y);
        series.setLineStyle(new BasicStroke(LINE_WIDTH));
        series.setLineColor(colour);
        series.setMarkerColor(colour);
    }

    private static void style(final XYChart chart, final List<Integer> sizes)
    {
        chart.getStyler().setYAxisLogarithmic(true).setXAxisMaxLabelCount(sizes.size())
            .setXAxisTickLabelsFormattingFunction(index -> label(sizes, index)).setYAxisDecimalPattern("#,###")
            .setPlotGridLinesColor(new Color(0xDDDDDD)).setXAxisMin(0.0).setXAxisMax(sizes.size() - 1.0)
            .setMarkerSize(MARKER_SIZE).setLegendPosition(Styler.LegendPosition.OutsideE)
            .setChartBackgroundColor(Color.WHITE).setPlotBorderVisible(false)
            .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 20))
            .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
        chart.getStyler().setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14))
            .setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16));
    }

    private static List<Double> indexes(final List<Integer> sizes)
    {
        final List<Double> indexes = new ArrayList<>();
        sizes.forEach(size -> indexes.add((double)indexes.size()));
        return indexes;
    }

    /** Sizes stand at whole numbers; what stands between has no label. */
    private static String label(final List<Integer> sizes, final double index)
    {
        final int whole = (int)Math.round(index);
        if (Math.abs(index - whole) > 1e-6 || whole < 0 || whole >= sizes.size())
        {
            return " ";
        }
        final int size = sizes.get(whole);
        return size < KIBI ? Integer.toString(size) : size / KIBI + " Ki";
    }

    private static boolean isZeroCopy(final TuneReport.Row row)
    {
        return "zero-copy".equals(row.mechanism());
    }
}
