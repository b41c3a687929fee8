// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import org.grim.bench.all.Comparison;
import org.grim.bench.all.Suite;
import org.grim.bench.figures.Point;
import org.grim.bench.report.PointTables;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PeerKind;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A comparison with others between two pinned JVMs; its help stands in a resource of its name. */
@Command(mixinStandardHelpOptions = true)
final class ComparisonCommand implements Callable<Integer>
{
    private static final int ROUNDS_MAX = 1000;
    private static final int ROUND_MS_MAX = 10_000;

    private final Suite suite;

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "About a tenth of the time; figures for a look only.")
    private boolean isQuick;

    @Option(names = "--rounds", paramLabel = "N",
        description = "Counted rounds; a third as many warm up " +
            "(default: 12 for memory, 30 for network and sockets, 120 for all else).")
    private Integer rounds;

    @Option(names = "--round-ms", paramLabel = "MS",
        description = "Time of each figure in a round " +
            "(default: 10 for shmem, 20 for network and sockets, 100 for memory, 5 for cost).")
    private Integer roundMs;

    @Option(names = "--benchmarks", paramLabel = "NAME", split = ",",
        description = "Only these, of those below (default: all).")
    private Set<Benchmark> benchmarks;

    @Option(names = "--peers", paramLabel = "NAME", split = ",",
        description = "Only these, of those below (default: all).")
    private Set<PeerKind> peers;

    @Option(names = "--sizes", paramLabel = "BYTES", split = ",",
        description = "Only these payload sizes, of those below (default: all).")
    private Set<Integer> sizes;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made (default: /dev/shm).")
    private Path directory;

    @Mixin
    private JsonOption json;

    private ComparisonCommand(final Suite suite)
    {
        this.suite = suite;
    }

    static CommandLine of(final Suite suite)
    {
        final CommandLine line = new CommandLine(new ComparisonCommand(suite));
        final String[] help = help(suite + ".txt").split("\n", -1);
        line.getCommandSpec().name(suite.toString()).usageMessage().description(help[0])
            .footer(Arrays.copyOfRange(help, 1, help.length - 1));
        return line;
    }

    @Override
    public Integer call() throws IOException
    {
        checkOptions();
        final List<Point> points = new Comparison(suite, suite.forks(isQuick),
            rounds == null ? suite.rounds(isQuick) : rounds, roundMs == null ? suite.roundMs(isQuick) : roundMs,
            benchmarks == null ? Set.copyOf(suite.benchmarks()) : benchmarks,
            peers == null ? Set.copyOf(suite.peers()) : peers, sizes, directory)
            .run(json.text(), spec.commandLine().getErr());
        // Of sockets the benchmarks that do not wait are left out on one core, and the others can be compared.
        final boolean isComparable = suite == Suite.SOCKETS || Comparison.isComparable();
        json.print(System.lineSeparator() + PointTables.text(points) + (isComparable ? "" :
            "not comparable: " + Comparison.cores() + "; JSON has no rows" + System.lineSeparator()),
            isComparable ? PointTables.rows(points) : List.of());
        return 0;
    }

    private void checkOptions()
    {
        OptionCheck.requireWithin(spec, "--rounds", rounds, 1, ROUNDS_MAX);
        OptionCheck.requireWithin(spec, "--round-ms", roundMs, 1, ROUND_MS_MAX);
        requireKnown("--benchmarks", benchmarks, suite.benchmarks());
        requireKnown("--peers", peers, suite.allPeers());
        requireKnown("--sizes", sizes, suite.sizes());
    }

    private <T> void requireKnown(final String option, final Set<T> chosen, final Collection<T> known)
    {
        if (chosen != null && !known.containsAll(chosen))
        {
            throw new ParameterException(spec.commandLine(), option + "=" + chosen + " is not within " + known);
        }
    }

    private static String help(final String name)
    {
        try (InputStream input = ComparisonCommand.class.getResourceAsStream(name))
        {
            if (input == null)
            {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return new String(input.readAllBytes(), UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(name + " cannot be read: " + ex.getMessage(), ex);
        }
    }
}
