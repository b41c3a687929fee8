// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.util.Map;
import java.util.TreeMap;

import org.grim.GrimException;

/**
 * What the program printed: lines of a word, a payload size and a number.
 *
 * @param latencyNs         half of the median round trip, by size.
 * @param messagesPerSecond of a stream, by size.
 */
public record MpiFigures(Map<Integer, Double> latencyNs, Map<Integer, Double> messagesPerSecond)
{
    private static final String LATENCY = "latency";
    private static final String STREAM = "stream";
    private static final int WORD_COUNT = 3;

    /**
     * Takes copies.
     *
     * @param latencyNs         by size.
     * @param messagesPerSecond by size.
     */
    public MpiFigures(final Map<Integer, Double> latencyNs, final Map<Integer, Double> messagesPerSecond)
    {
        this.latencyNs = Map.copyOf(latencyNs);
        this.messagesPerSecond = Map.copyOf(messagesPerSecond);
    }

    /**
     * Reads the output; lines of others (warnings of the launcher) are skipped.
     *
     * @param output of both processes.
     * @return the figures.
     * @throws GrimException if there are none, or if a size lacks one of its two.
     */
    public static MpiFigures parse(final String output)
    {
        final Map<Integer, Double> latency = new TreeMap<>();
        final Map<Integer, Double> stream = new TreeMap<>();
        output.lines().map(line -> line.trim().split("\\s+", -1)).filter(words -> words.length == WORD_COUNT)
            .forEach(words ->
            {
                if (words[0].equals(LATENCY) || words[0].equals(STREAM))
                {
                    (words[0].equals(LATENCY) ? latency : stream).put((int)number(words, 1), number(words, 2));
                }
            });
        if (latency.isEmpty() || !latency.keySet().equals(stream.keySet()))
        {
            throw new GrimException("the MPI program said nothing that can be read: " +
                String.join(" | ", output.lines().toList()));
        }
        return new MpiFigures(latency, stream);
    }

    private static double number(final String[] words, final int index)
    {
        try
        {
            final double value = Double.parseDouble(words[index]);
            if (Double.isFinite(value) && value >= 0)
            {
                return value;
            }
        }
        catch (final NumberFormatException ex)
        {
            throw new GrimException("the MPI program said " + String.join(" ", words), ex);
        }
        throw new GrimException("the MPI program said " + String.join(" ", words));
    }
}
