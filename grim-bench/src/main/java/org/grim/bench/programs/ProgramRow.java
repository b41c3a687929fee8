// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.util.ArrayList;
import java.util.List;

import org.grim.bench.figures.PointKey;
import org.grim.tools.pair.Benchmark;

/**
 * One case of programs that wait: bytes of a message or of the file, connections with one exchange under way each, and
 * selectors of each process, each with a thread of its own.
 */
public record ProgramRow(Benchmark benchmark, int size, int connections, int selectors)
{
    private static final int[] CONNECTIONS = {1, 8, 64};
    private static final int[] SELECTORS = {1, 4};

    /** The measures of a benchmark at a size. */
    public static List<ProgramRow> of(final Benchmark benchmark, final int size)
    {
        if (benchmark != Benchmark.SELECT)
        {
            return List.of(new ProgramRow(benchmark, size, 1, 1));
        }
        final List<ProgramRow> rows = new ArrayList<>();
        for (final int connections : CONNECTIONS)
        {
            for (final int selectors : SELECTORS)
            {
                if (selectors <= connections)
                {
                    rows.add(new ProgramRow(benchmark, size, connections, selectors));
                }
            }
        }
        return rows;
    }

    /** Names a figure; the suffix stands behind the benchmark, and is empty for the figure itself. */
    public PointKey key(final String suite, final String peer, final String suffix)
    {
        return new PointKey(suite, benchmark.label() + suffix, peer, benchmark == Benchmark.SELECT ?
            mode() : "-", "size", size);
    }

    /** {@return whether exchanges are timed one by one; false of files, which are few} */
    public boolean isTimed()
    {
        return benchmark != Benchmark.TRANSFER;
    }

    /** The words that {@link #parse} reads. */
    String words()
    {
        return benchmark.name() + " " + size + " " + connections + " " + selectors;
    }

    static ProgramRow parse(final String[] words, final int start)
    {
        return new ProgramRow(Benchmark.valueOf(words[start]), Integer.parseInt(words[start + 1]),
            Integer.parseInt(words[start + 2]), Integer.parseInt(words[start + 3]));
    }

    /** For people. */
    @Override
    public String toString()
    {
        return benchmark.label() + " " + size + " B" + (benchmark == Benchmark.SELECT ? " " + mode() : "");
    }

    private String mode()
    {
        return "connections=" + connections + " selectors=" + selectors;
    }
}
