// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.Locale;

import org.grim.bench.figures.Direction;
import org.grim.bench.figures.Point;

/**
 * One plot on a page, or bars where there is nothing to go over, each with its figures below. Any thread; immutable.
 */
final class PanelHtml
{
    private static final int SWATCH_WIDTH = 34;
    private static final int SWATCH_HEIGHT = 12;
    private static final double PERCENT = 100;

    private final Palette palette;

    PanelHtml(final Palette palette)
    {
        this.palette = palette;
    }

    /** A plot with curves; the number makes names of its own. */
    void addPlot(final Html html, final Plot plot, final String note, final int number)
    {
        final String id = "plot-" + number;
        html.open("div", "class", "box", "id", id, "role", "img", "aria-label", plot.title());
        html.markup(PlotSvg.draw(plot, palette, id)).close();
        html.open("ul", "class", "legend");
        for (final Curve curve : plot.curves())
        {
            html.open("li").markup(swatch(palette.of(curve.name()))).text(curve.name()).close();
        }
        html.close();
        html.element("p", note, "class", "note");
    }

    /** A figure of the page for a group of points. */
    void add(final Html html, final Panel panel, final int number)
    {
        html.open("figure", "class", panel.hasCurves() ? "panel" : "panel bars-panel");
        html.element("figcaption", panel.title());
        if (panel.hasCurves())
        {
            addPlot(html, panel.plot(), better(panel) + spreadNote(panel), number);
        }
        else
        {
            addBars(html, panel, number);
        }
        html.open("details").element("summary", panel.points().size() + " points: figures and noise");
        html.element("p", panel.ours().isEmpty() ? "" : "grim/peer: median of " + panel.ours() +
            " divided by that of the row.", "class", "note");
        addTable(html, panel);
        html.close().close();
    }

    private void addBars(final Html html, final Panel panel, final int number)
    {
        final double greatest = panel.points().stream().mapToDouble(Point::median).max().orElse(1);
        html.open("div", "class", "box", "id", "plot-" + number).open("table", "class", "bars");
        for (final Point point : panel.points())
        {
            final double share = greatest > 0 ? Math.max(0, point.median() / greatest) : 0;
            html.open("tr").element("th", panel.name(point)).open("td").open("div", "class", "bar", "style",
                String.format(Locale.ROOT, "width:%.2f%%;background:%s", share * PERCENT,
                    palette.of(panel.name(point)).colour())).close().close();
            Sheet.number(html, Numbers.text(point.median()) + " " + panel.unit());
            html.close();
        }
        html.close().close();
        html.element("p", better(panel) + " At " + panel.xName() + " " +
            Wording.x(panel.xName(), panel.points().get(0).key().x()) + ".", "class", "note");
    }

    private static void addTable(final Html html, final Panel panel)
    {
        html.open("div", "class", "scroll").open("table", "class", "figures");
        Sheet.headings(html, panel.xName(), "peer", "median [" + panel.unit() + "]", "min", "max",
            "forks/rounds", "spread", "deviation", "grim/peer");
        double last = Double.NaN;
        for (final Point point : panel.points())
        {
            final Noise noise = Noise.of(point);
            final double x = point.key().x();
            html.open("tr", "class", x == last ? "same" : "first");
            Sheet.number(html, x == last ? "" : Wording.x(panel.xName(), x));
            html.element("td", panel.name(point));
            Sheet.number(html, Numbers.text(point.median()));
            Sheet.number(html, Numbers.text(point.min()));
            Sheet.number(html, Numbers.text(point.max()));
            Sheet.number(html, noise.forks() + "/" + noise.rounds());
            Sheet.number(html, Numbers.percent(noise.spread()));
            Sheet.number(html, Numbers.percent(noise.deviation()));
            Sheet.number(html, panel.ratio(point).isPresent() ?
                String.format(Locale.ROOT, "%.3g", panel.ratio(point).getAsDouble()) : "-");
            html.close();
            last = x;
        }
        html.close().close();
    }

    private static String better(final Panel panel)
    {
        return panel.direction() == Direction.LOWER_IS_BETTER ? "Lower is better." : "Higher is better.";
    }

    private static String spreadNote(final Panel panel)
    {
        return panel.points().stream().anyMatch(point -> point.forks().size() > 1) ?
            " Faint dots: single forks." : "";
    }

    private static String swatch(final Palette.Look look)
    {
        final int middle = SWATCH_HEIGHT / 2;
        final String dash = switch (look.dash())
        {
            case WHOLE -> "none";
            case DASHED -> "7 4";
            case DOTTED -> "1.5 3.5";
        };
        final String shape = switch (look.shape())
        {
            case CIRCLE -> "<circle cx=\"17\" cy=\"6\" r=\"4\"/>";
            case SQUARE -> "<path d=\"M13.5 2.5h7v7h-7z\"/>";
            case DIAMOND -> "<path d=\"M17 1.5l4.5 4.5l-4.5 4.5l-4.5-4.5z\"/>";
            case TRIANGLE_UP -> "<path d=\"M17 1.5l4.5 8h-9z\"/>";
            case TRIANGLE_DOWN -> "<path d=\"M17 10.5l4.5-8h-9z\"/>";
        };
        return String.format(Locale.ROOT, "<svg width=\"%d\" height=\"%d\" aria-hidden=\"true\" fill=\"%s\">" +
            "<path d=\"M0 %d H%d\" stroke=\"%s\" stroke-width=\"%s\" stroke-dasharray=\"%s\"/>%s</svg> ", SWATCH_WIDTH,
            SWATCH_HEIGHT, look.colour(), middle, SWATCH_WIDTH, look.colour(), look.isOurs() ? "2.8" : "1.6", dash,
            shape);
    }
}
