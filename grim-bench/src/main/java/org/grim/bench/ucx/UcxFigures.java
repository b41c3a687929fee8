// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.ucx;

import java.util.Arrays;
import java.util.List;

import org.grim.GrimException;

/**
 * What {@code ucx_perftest -v -f} found: a line of names and a line of numbers, separated by commas. Lines between them
 * that begin with something else are how far it was.
 *
 * @param iterations     that were measured.
 * @param latencyNs      median, of one way or of one read.
 * @param bytesPerSecond over all of them.
 */
public record UcxFigures(long iterations, double latencyNs, double bytesPerSecond)
{
    private static final String ITERATIONS = "iterations";
    private static final String LATENCY_US = "50.0_percentile_lat";
    private static final String BANDWIDTH_MIB = "overall_bw";
    private static final double NS_PER_US = 1e3;
    private static final double MEBIBYTE = 1 << 20;

    /**
     * Reads the output.
     *
     * @param output of the client, all lines.
     * @return the figures.
     * @throws GrimException if they are not there.
     */
    public static UcxFigures parse(final String output)
    {
        final List<String> lines = output.lines().map(String::trim).toList();
        for (int i = 0; i + 1 < lines.size(); i++)
        {
            final List<String> names = split(lines.get(i));
            if (names.contains(ITERATIONS) && names.contains(LATENCY_US) && names.contains(BANDWIDTH_MIB))
            {
                final List<String> values = split(lines.get(lines.size() - 1));
                return new UcxFigures((long)number(names, values, ITERATIONS),
                    number(names, values, LATENCY_US) * NS_PER_US, number(names, values, BANDWIDTH_MIB) * MEBIBYTE);
            }
        }
        throw new GrimException("ucx_perftest said nothing that can be read: " + String.join(" | ", lines));
    }

    private static double number(final List<String> names, final List<String> values, final String name)
    {
        final int index = names.indexOf(name);
        try
        {
            if (index < values.size())
            {
                return Double.parseDouble(values.get(index));
            }
        }
        catch (final NumberFormatException ex)
        {
            throw new GrimException("ucx_perftest said " + name + "=" + values.get(index), ex);
        }
        throw new GrimException("ucx_perftest said no " + name + ": " + values);
    }

    private static List<String> split(final String line)
    {
        return Arrays.asList(line.split(",", -1));
    }
}
