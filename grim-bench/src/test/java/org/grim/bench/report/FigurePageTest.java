// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.GrimException;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class FigurePageTest
{
    private static final String MARKS = FigurePage.START + "\nold\n" + FigurePage.END + "\n";
    private static final RunInfo INFO = new RunInfo(FigureDirectory.FORMAT, "0123abcd", "2026-11-21T20:00:00Z", 431,
        true, 2, 2, 2, Map.of("kernel", "Linux 6.18", "CPU", "A processor"),
        Map.of("JVM", "OpenJDK 17.0.15", "JVM flags", "-Dx=/a/place", "Aeron", "1.51.0"),
        Map.of("ucx", "not | installed"), List.of());

    @Test
    void shouldWriteATableOfEachBenchmarkAndMode()
    {
        final FigureDirectory run = new FigureDirectory(INFO, List.of(
            point("latency", "copy-flag", "ignore", 8, "ns", List.of(List.of(50.0, 60.0, 70.0), List.of(60.0))),
            point("latency", "raw", "ignore", 0, "ns", List.of(List.of(55.0))),
            point("latency", "grim-shmem", "ignore", 8, "ns", List.of(List.of(100.0, 60.0, 210.0), List.of(120.0))),
            point("latency", "grim-shmem", "ignore", 65504, "ns", List.of(List.of(19_666.0), List.of(19_666.0))),
            point("latency", "grim-shmem", "ignore", 65536, "ns", List.of(List.of(23_456_789.0))),
            point("rate", "grim-shmem", "read", 32, "msg/s", List.of(List.of(6_912_345.0))),
            point("rate", "tcp", "read", 32, "msg/s", List.of(List.of(110_000.0))),
            new Point(new PointKey("cpu", "share", "grim-shmem", "-", "load", 0.1), "%", Direction.LOWER_IS_BETTER,
            List.of(List.of(0.4)), List.of()),
            new Point(new PointKey("poll", "poll", "jctools", "-", "queues", 16), "ns", Direction.LOWER_IS_BETTER,
            List.of(List.of(0.0)), List.of())), List.of());

        assertEquals("before\n" + FigurePage.START + """


            | run | |
            | --- | --- |
            | commit | 0123abcd |
            | date | 2026-11-21T20:00:00Z, 431 s, quick, forks: 2 |
            | machine | CPU A processor; kernel Linux 6.18 |
            | JVM and peers | Aeron 1.51.0; JVM OpenJDK 17.0.15 |
            | cores for polling threads | 2 for 2 |
            | absent | ucx not \\| installed |

            ### messages

            Two processes, each polling on a core of its own. Latency is half of the median round trip; \
            rate and bandwidth are of a stream one way under back pressure.

            | latency, ignore | 0 B | 8 B | 65504 B | 64 KiB |
            | --- | --- | --- | --- | --- |
            | **grim-shmem** |  | 110 ns | 19.7 us | 23.5 ms |
            | copy-flag |  | 2 |  |  |
            | raw | 55 ns |  |  |  |
            | spread of GRIM's forks |  | 18.2 % | 0.0 % |  |

            | rate, read | 32 B |
            | --- | --- |
            | **grim-shmem** | 6.91 M/s |
            | tcp | 62.8 |

            ### cpu

            Processor time and allocation of a node that is idle, and of one with little load.

            | share | 10.0 % |
            | --- | --- |
            | **grim-shmem** | 0.4 % |

            ### poll

            One poll of queues that stay empty.

            | poll | 16 queues |
            | --- | --- |
            | **jctools** | 0 ns |

            """ + FigurePage.END + "\nafter", FigurePage.replaced("before\n" + MARKS + "after", run));
    }

    @Test
    void shouldRefuseAPageWithoutItsMarks()
    {
        final FigureDirectory run = new FigureDirectory(INFO, List.of(), List.of());

        assertThrows(GrimException.class, () -> FigurePage.replaced("text", run));
        assertThrows(GrimException.class, () -> FigurePage.replaced(FigurePage.END + FigurePage.START, run));
        assertThrows(GrimException.class, () -> FigurePage.replaced(MARKS + MARKS, run));
    }

    /** The command finds its place on the project's page. */
    @Test
    void shouldFindTheMarksOfTheProjectsPage() throws IOException
    {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/developers/performance.md")))
        {
            root = root.getParent();
        }
        final String page = Files.readString(root.resolve("docs/developers/performance.md"));

        final String replaced = FigurePage.replaced(page, MadeUpRun.of(1, 1));

        assertTrue(replaced.contains("| commit | 0123abcd |"), replaced);
        assertEquals(page.substring(page.indexOf(FigurePage.END)),
            replaced.substring(replaced.indexOf(FigurePage.END)));
    }

    private static Point point(
        final String benchmark, final String peer, final String mode, final double size, final String unit,
        final List<List<Double>> forks)
    {
        return new Point(new PointKey("messages", benchmark, peer, mode, "size", size), unit,
            unit.endsWith("/s") ? Direction.HIGHER_IS_BETTER : Direction.LOWER_IS_BETTER, forks, List.of());
    }
}
