// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.prediction;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import org.grim.GrimException;
import org.grim.ni.model.EndToEndModel;
import org.grim.ni.model.Forwarding;
import org.grim.ni.model.Mode;
import org.grim.ni.model.ModelParameters;
import org.grim.ni.model.Notification;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/** The model's answers as plots with logarithmic axes. Any thread; no state. */
public final class ModelPlot
{
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 760;
    private static final int MARKER_SIZE = 8;
    private static final float LINE_WIDTH = 2;
    private static final int STORED_MIN = 256;
    private static final int DECADE = 10;
    /** Colours that colour-blind readers can distinguish, too (Okabe and Ito). */
    private static final List<Color> COLOURS = List.of(new Color(0x000000), new Color(0x0072B2), new Color(0xE69F00),
        new Color(0x009E73), new Color(0xD55E00), new Color(0x56B4E9), new Color(0xCC79A7),
        new Color(0xF0E442));

    private ModelPlot()
    {
    }

    /**
     * Draws all plots.
     *
     * @param results   of the systems.
     * @param directory that takes the PNG files, existing.
     * @throws IOException   if one cannot be written.
     * @throws GrimException if this JVM cannot draw.
     */
    public static List<Path> write(final List<ModelResult> results, final Path directory) throws IOException
    {
        System.setProperty("java.awt.headless", "true");        // Before AWT is loaded: a server has no screen.
        final List<Path> files = new ArrayList<>();
        for (final ModelResult result : results)
        {
            final String suffix = "-" + result.host().label() + "-" + result.ni().label() + ".png";
            files.add(draw(sizes(result, "bandwidth [MB/s]", ModelRow::bandwidthMBs),
                directory.resolve("bandwidth" + suffix)));
            files.add(draw(sizes(result, "latency [us]", ModelRow::latencyUs), directory.resolve("latency" + suffix)));
            files.add(draw(forwardings(result), directory.resolve("forwarding" + suffix)));
        }
        files.add(draw(channels(results), directory.resolve("channels.png")));
        files.add(draw(bursts(results), directory.resolve("burst.png")));
        return files;
    }

    private static Path draw(final XYChart chart, final Path file) throws IOException
    {
        final byte[] bitmap;
        label(chart);
        try
        {
            bitmap = ChartEncoder.getBytes(chart, "png");
        }
        catch (final RuntimeException | LinkageError | InternalError ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "the plot " + file + " cannot be drawn: " + ex + "; this JVM may lack java.desktop or fonts", ex);
        }
        return Files.write(file, bitmap);
    }

    /** Only powers of ten have labels: a plot that shows fewer than two is stretched to those around it. */
    private static void label(final XYChart chart)
    {
        double min = Double.MAX_VALUE;
        double max = 0;
        for (final XYSeries series : chart.getSeriesCollection())
        {
            min = Math.min(min, series.getYMin());
            max = Math.max(max, series.getYMax());
        }
        if (Math.floor(Math.log10(max)) - Math.ceil(Math.log10(min)) < 1)
        {
            chart.getStyler().setYAxisMin(Math.pow(DECADE, Math.floor(Math.log10(min))))
                .setYAxisMax(Math.pow(DECADE, Math.ceil(Math.log10(max))));
        }
    }

    private static XYChart sizes(
        final ModelResult result, final String axis, final ToDoubleFunction<ModelRow> figure)
    {
        final XYChart chart = chart("Model of " + result.name(), "size [bytes]", axis);
        for (final Mode mode : Mode.values())
        {
            for (final Notification notification : Notification.values())
            {
                add(chart, mode.label() + ", " + notification.label(mode), EndToEndModel.SIZES,
                    size -> figure.applyAsDouble(result.row(mode, notification, size)));
            }
        }
        return chart;
    }

    /** Plots the throughput of a single message: its size divided by its latency. */
    private static XYChart forwardings(final ModelResult result)
    {
        final XYChart chart =
            chart("Forwarding, model of " + result.name(), "size [bytes]", "size / latency [MB/s]");
        final Map<String, Forwarding> forwardings = ModelRun.forwardings(result.ni());
        for (final String name : List.of("whole, store-and-forward", "fragments of 1 KiB", "fragments of 4 KiB",
            "fragments of 16 KiB", "whole, cut-through at sender", "whole, cut-through at receiver",
            "whole, cut-through at both"))
        {
            final EndToEndModel model = new EndToEndModel(
                ModelParameters.original(result.host(), result.ni(), Mode.AM).with(forwardings.get(name)));
            add(chart, name,
                EndToEndModel.SIZES.stream()
                    .filter(size -> size >= STORED_MIN && size <= ModelRun.SIZE_STORED).toList(),
                size -> size / model.latencyUs(size));
        }
        return chart;
    }

    private static XYChart channels(final List<ModelResult> results)
    {
        final XYChart chart = chart(
            "Smallest active message", "logical channels", "latency [us]");
        for (final ModelResult result : results)
        {
            add(chart, result.name(), result.channels().stream().map(ModelResult.ChannelRow::count).toList(),
                count -> result.channels().stream().filter(row -> row.count() == count).findFirst().orElseThrow()
                    .latencyUs());
        }
        return chart;
    }

    private static XYChart bursts(final List<ModelResult> results)
    {
        final XYChart chart = chart("A burst of " + ModelRun.BURST_COUNT + " messages of " + EndToEndModel.SIZE_MIN +
            " bytes", "messages that may be outstanding", "injection overhead per message [us]");
        for (final ModelResult result : results)
        {
            add(chart, result.name(), List.copyOf(result.bursts().keySet()), result.bursts()::get);
        }
        return chart;
    }

    private static void add(
        final XYChart chart, final String name, final List<Integer> at, final ToDoubleFunction<Integer> figure)
    {
        final Color colour = COLOURS.get(chart.getSeriesCollection().size() % COLOURS.size());
        final XYSeries series = chart.addSeries(name, at, at.stream().map(figure::applyAsDouble).toList());
        series.setLineStyle(new BasicStroke(LINE_WIDTH));
        series.setLineColor(colour);
        series.setMarkerColor(colour);
    }

    private static XYChart chart(final String title, final String xAxis, final String yAxis)
    {
        final XYChart chart =
            new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title).xAxisTitle(xAxis).yAxisTitle(yAxis).build();
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true).setXAxisDecimalPattern("#,###")
            .setYAxisDecimalPattern("#,##0.##")
            .setPlotGridLinesColor(new Color(0xDDDDDD)).setMarkerSize(MARKER_SIZE)
            .setLegendPosition(Styler.LegendPosition.OutsideE).setChartBackgroundColor(Color.WHITE)
            .setPlotBorderVisible(false).setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 20))
            .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
        chart.getStyler().setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14))
            .setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16));
        return chart;
    }
}
