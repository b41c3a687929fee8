// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.grim.GrimException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/** Contents of a page; the template draws it. Immutable but for its lists, which the makers of this package fill. */
record Page(String title, List<Remark> remarks, List<Section> sections, List<String> footer)
{
    private static final String TEMPLATE = "page.html";
    private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.common.min.js";

    Page(final String title)
    {
        this(title, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    /** A sentence; {@code kind} is good, fair, bad or plain. */
    record Remark(String kind, String text)
    {
    }

    /** Plots and tables under a heading. */
    record Section(String title, String about, List<Plot> plots, List<Table> tables)
    {
        Section(final String title, final String about)
        {
            this(title, about, new ArrayList<>(), new ArrayList<>());
        }
    }

    /** A plot with its figures in a table below. With one place it shows bars. */
    record Plot(
        String title, String note, String xTitle, List<String> xs, String unit, boolean isLogarithmic,
        List<Curve> curves, Table table)
    {
        private static final double NARROW_SPAN = 4;

        static Plot of(
            final String title, final String note, final String xTitle, final List<String> xs, final String unit,
            final List<Curve> curves, final Table table)
        {
            final double[] ys = curves.stream().flatMap(curve -> curve.ys().stream()).filter(y -> y != null)
                .mapToDouble(Double::doubleValue).sorted().toArray();
            final boolean isLogarithmic = ys.length > 0 && ys[0] > 0 && ys[ys.length - 1] / ys[0] >= NARROW_SPAN;
            return new Plot(title, note, xTitle, xs, unit, isLogarithmic, curves, table);
        }
    }

    /** One line. */
    record Curve(String name, List<Double> ys, List<List<Double>> spread)
    {
    }

    /** Rows of numbers and words; the template colours rows with the words worse and better. */
    record Table(String title, List<String> headings, List<List<Object>> rows)
    {
    }

    /** The whole HTML file. No text of the data can end the element that holds it. */
    String html()
    {
        try
        {
            final String data = new ObjectMapper().writeValueAsString(this).replace("<", "\\u003c");
            return resource(TEMPLATE).replace("@ECHARTS@", resource(ECHARTS)).replace("@DATA@", data);
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalStateException("a page is not JSON", ex);
        }
    }

    private static String resource(final String name)
    {
        try (InputStream input = Page.class.getResourceAsStream(name))
        {
            if (input == null)
            {
                throw new GrimException(UNAVAILABLE, "resource " + name + " is missing: this build is not complete");
            }
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "resource " + name + " cannot be read", ex);
        }
    }
}
