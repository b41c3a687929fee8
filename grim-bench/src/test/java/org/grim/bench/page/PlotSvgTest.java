// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.ParserConfigurationException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class PlotSvgTest
{
    private static final Palette PALETTE = new Palette(List.of("grim-shmem"));

    /** Squares of the size on a log axis by log: a straight line; markers may be off by what numbers are rounded to. */
    @Test
    void shouldPlaceFiguresByTheirLogarithms() throws IOException, SAXException, ParserConfigurationException
    {
        final double[] sizes = {8, 64, 4096, 65536};

        final List<Element> markers =
            markers(plot("size", sizes, new double[]{64, 4096, 4096.0 * 4096, 65536.0 * 65536}));

        assertEquals(4, markers.size());
        final double slope = (y(markers, 3) - y(markers, 0)) / (x(markers, 3) - x(markers, 0));
        assertTrue(slope < 0, "slope=" + slope);
        for (int i = 0; i < 4; i++)
        {
            final double doublings = (Math.log(sizes[i]) - Math.log(8)) / (Math.log(65536) - Math.log(8));
            assertEquals(x(markers, 0) + doublings * (x(markers, 3) - x(markers, 0)), x(markers, i), 0.1);
            assertEquals(y(markers, 0) + slope * (x(markers, i) - x(markers, 0)), y(markers, i), 0.1);
        }
    }

    @ParameterizedTest
    @CsvSource({"size, 0 8 24 65504, 5 5 5 5", "size, 0, 7", "size, 8 16, 0 0", "queues, 1 2 64, 1e-9 1 1e12",
        "load, 0.1 0.5 0.9, 3 4 400", "load, 0, 1", "channels, 1 2 3, 10 11 12", "anything, 0 1e300, 1 2",
        "anything, 3 4 5, -7 0 7"})
    void shouldDrawEachPointOfAnyCurve(final String xName, final String xs, final String ys)
        throws IOException, SAXException, ParserConfigurationException
    {
        final double[] places = numbers(xs);

        final SvgCurves curves = new SvgCurves(PlotSvg.draw(plot(xName, places, numbers(ys)), PALETTE, "p"));

        assertEquals(places.length, curves.markers(PALETTE.of("grim-shmem").rgb()).size());
        assertEquals(places.length - 1, curves.lines(PALETTE.of("grim-shmem").rgb()).size());
    }

    @Test
    void shouldNameNothingTwiceInOnePage()
    {
        final Plot plot = plot("size", new double[]{8, 64}, new double[]{1, 2});

        assertTrue(PlotSvg.draw(plot, PALETTE, "first").contains("id=\"first-clipPath1\""));
        assertFalse(PlotSvg.draw(plot, PALETTE, "second").contains("id=\"first-"));
    }

    @Test
    void shouldGiveEveryPeerAColourOfItsOwn()
    {
        final List<String> names = new ArrayList<>(IntStream.range(0, 500).mapToObj(i -> "peer" + i).toList());
        names.addAll(List.of("grim-shmem", "grim-myrinet", "raw", "tcp", "uds", "ucx", "jctools", "grim-other"));

        final Palette palette = new Palette(names);

        assertEquals(names.size(), names.stream().map(name -> palette.of(name).rgb()).distinct().count());
        assertTrue(palette.of("grim-other").isOurs());
        assertNotEquals(palette.of("peer1").rgb(), palette.of("peer2").rgb());
        assertThrows(IllegalArgumentException.class, () -> palette.of("nobody"));
    }

    @Test
    void shouldWriteNumbersForPeople()
    {
        assertEquals("123.5", Numbers.text(123.456));
        assertEquals("12,346", Numbers.text(12345.6));
        assertEquals("12.35 M", Numbers.text(12_345_678));
        assertEquals("0", Numbers.text(0));
        assertEquals("1.5 \u00b5s", Numbers.label(1500, "ns"));
        assertEquals("64 Ki", Numbers.binary(65536));
        assertEquals("65504", Numbers.binary(65504));
        assertEquals("+20.0 %", Numbers.change(0.2));
        assertEquals("1.3 %", Numbers.percent(0.0126));
        assertEquals("-", Numbers.percent(Double.NaN));
    }

    private static List<Element> markers(final Plot plot)
        throws IOException, SAXException, ParserConfigurationException
    {
        return new SvgCurves(PlotSvg.draw(plot, PALETTE, "p")).markers(PALETTE.of("grim-shmem").rgb());
    }

    private static Plot plot(final String xName, final double[] xs, final double[] ys)
    {
        final List<Curve.Place> places = IntStream.range(0, xs.length)
            .mapToObj(i -> new Curve.Place(xs[i], ys[i], List.of())).toList();
        return new Plot("a plot", Axis.of(xName, xs), "figure", "ns", List.of(new Curve("grim-shmem", places)));
    }

    private static double x(final List<Element> circles, final int index)
    {
        return Double.parseDouble(circles.get(index).getAttribute("cx"));
    }

    private static double y(final List<Element> circles, final int index)
    {
        return Double.parseDouble(circles.get(index).getAttribute("cy"));
    }

    private static double[] numbers(final String text)
    {
        return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }
}
