// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import org.grim.bench.programs.ProgramRow;
import org.grim.pages.ExampleCompiler;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PeerKind;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Every row that a comparison and {@code bench all} can have stands in {@code rows.txt}: none gets lost. */
final class RowsTest
{
    private static final String FILE = "grim-bench/src/test/resources/org/grim/bench/all/rows.txt";

    @Test
    void shouldHaveEveryRowOfTheList() throws IOException
    {
        final StringBuilder rows = new StringBuilder();
        for (final Suite suite : Suite.values())
        {
            rows.append("bench ").append(suite).append(": rounds=").append(suite.rounds(false)).append(" of ")
                .append(suite.roundMs(false)).append(" ms, quick=").append(suite.rounds(true)).append(" of ")
                .append(suite.roundMs(true)).append(" ms, forks=").append(suite.forks(false)).append(", ")
                .append(suite.forks(true)).append('\n');
            suite.benchmarks().forEach(benchmark -> append(rows, suite, benchmark));
        }
        for (final Section section : Section.values())
        {
            for (final String part : section.parts())
            {
                append(rows, section, part);
            }
        }
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("rows.txt"), rows);

        assertEquals(Files.readString(ExampleCompiler.find(FILE)), rows.toString(),
            FILE + " has other rows than target/rows.txt");
    }

    private static void append(final StringBuilder rows, final Suite suite, final Benchmark benchmark)
    {
        for (final int size : benchmark.sizes())
        {
            rows.append("  ").append(benchmark).append(' ').append(size).append(' ').append(benchmark.unit())
                .append(benchmark.hasReadMode() ? " ignore, read:" : " ignore:");
            for (final PeerKind kind : suite.allPeers())
            {
                if (kind.takesPart(benchmark, size))
                {
                    rows.append(' ').append(kind).append(suite.peers().contains(kind) ? "" : "?");
                }
            }
            rows.append('\n');
            if (benchmark.isOfPrograms())
            {
                ProgramRow.of(benchmark, size).forEach(row -> rows.append("    ").append(row.key("s", "p", ""))
                    .append(row.isTimed() ? " -p50 -p99" : "").append('\n'));
            }
        }
    }

    private static void append(final StringBuilder rows, final Section section, final String part)
    {
        rows.append("bench all ").append(section).append(' ').append(part).append('\n');
        if (List.of(Section.MESSAGES, Section.MEMORY, Section.BOARD).contains(section))
        {
            for (final Effort effort : Effort.values())
            {
                PairSection.rows(section, part, effort).forEach(row -> rows.append("  ").append(effort).append(' ')
                    .append(row.benchmark()).append(row.isRead() ? " read " : " ignore ").append(row.sizes())
                    .append(row.kinds().stream().map(PeerKind::label).collect(Collectors.joining(" ", ": ", "\n"))));
            }
        }
    }
}
