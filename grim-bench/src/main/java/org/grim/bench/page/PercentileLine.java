// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.grim.bench.figures.PercentileCurve;

/** Distributions as curves, and the percentiles that people ask for as a table. Any thread; no state. */
final class PercentileLine
{
    private static final double[] ASKED = {50, 90, 99, 99.9, 99.99};

    private PercentileLine()
    {
    }

    /** One curve per peer; the end at 100 % has no place on such an axis and is left to the table. */
    static List<Curve> of(final List<PercentileCurve> curves)
    {
        final Map<String, List<Curve.Place>> lines = new LinkedHashMap<>();
        for (final PercentileCurve curve : curves)
        {
            final List<Curve.Place> places = new ArrayList<>();
            curve.values().stream().filter(value -> value.percentile() < 100)
                .forEach(value -> places.add(new Curve.Place(value.percentile(), value.value(), List.of())));
            if (places.isEmpty())
            {
                final PercentileCurve.Value last = curve.values().get(curve.values().size() - 1);
                places.add(new Curve.Place(last.percentile(), last.value(), List.of()));
            }
            lines.putIfAbsent(curve.key().peer(), places);
        }
        return lines.entrySet().stream().map(line -> new Curve(line.getKey(), line.getValue())).toList();
    }

    static void addTable(final Html html, final List<PercentileCurve> curves)
    {
        html.open("details").element("summary", curves.size() + " distributions: figures");
        html.open("div", "class", "scroll").open("table", "class", "figures");
        Sheet.headings(html, "peer", "times", "50 %", "90 %", "99 %", "99.9 %", "99.99 %", "greatest");
        for (final PercentileCurve curve : curves)
        {
            html.open("tr").element("td", curve.key().peer());
            Sheet.number(html, Long.toString(curve.count()));
            for (final double percentile : ASKED)
            {
                Sheet.number(html, Numbers.label(at(curve, percentile), curve.unit()));
            }
            Sheet.number(html, Numbers.label(curve.values().get(curve.values().size() - 1).value(), curve.unit()));
            html.close();
        }
        html.close().close().close();
    }

    /** The first value whose percentile reaches the one asked for. */
    private static double at(final PercentileCurve curve, final double percentile)
    {
        return curve.values().stream().filter(value -> value.percentile() >= percentile)
            .findFirst().orElse(curve.values().get(curve.values().size() - 1)).value();
    }
}
