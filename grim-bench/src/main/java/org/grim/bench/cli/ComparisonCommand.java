// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.bench.all.Comparison;
import org.grim.bench.all.Suite;
import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.figures.Point;
import org.grim.bench.report.PointTables;
import org.grim.tools.report.Json;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What the comparisons with others have in common: options, and two pinned JVMs. */
abstract class ComparisonCommand implements Callable<Integer>
{
    private static final int ROUNDS_MAX = 1000;
    private static final int ROUND_MS_MAX = 10_000;

    private final Suite suite;

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "About a tenth of the time; figures for a look only.")
    private boolean isQuick;

    @Option(names = "--rounds", paramLabel = "N",
        description = "Counted rounds; a third as many warm up (default: 120 for messages, 12 for memory).")
    private Integer rounds;

    @Option(names = "--round-ms", paramLabel = "MS",
        description = "Time of each figure in a round (default: 10 for messages, 100 for memory).")
    private Integer roundMs;

    @Option(names = "--benchmarks", paramLabel = "NAME", split = ",",
        description = "Only these, of those below (default: all).")
    private Set<Benchmark> benchmarks;

    @Option(names = "--peers", paramLabel = "NAME", split = ",", converter = PeerConverter.class,
        description = "Only these, of those below (default: all).")
    private Set<PeerKind> peers;

    @Option(names = "--sizes", paramLabel = "BYTES", split = ",",
        description = "Only these payload sizes, of those below (default: all).")
    private Set<Integer> sizes;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made (default: /dev/shm).")
    private Path directory;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write JSON; - for standard output.")
    private String json;

    ComparisonCommand(final Suite suite)
    {
        this.suite = suite;
    }

    @Override
    public Integer call() throws IOException
    {
        disableBoundsChecks();
        checkOptions();
        final PrintWriter error = spec.commandLine().getErr();
        // Programs that read JSON from standard output get nothing else there.
        final PrintWriter text = Json.STANDARD_OUTPUT.equals(json) ? error : spec.commandLine().getOut();
        final Comparison.Options options = new Comparison.Options(suite,
            rounds == null ? suite.rounds(isQuick) : rounds, roundMs == null ? suite.roundMs(isQuick) : roundMs,
            benchmarks == null ? Set.copyOf(suite.benchmarks()) : benchmarks,
            peers == null ? Set.copyOf(suite.peers()) : peers, sizes, directory);
        final Comparison comparison = new Comparison(options, text, error);
        final List<Point> points = comparison.run(ComparisonCommand::peerArguments);
        text.println();
        text.print(PointTables.text(points));
        final boolean isComparable = Comparison.isComparable();
        if (!isComparable)
        {
            text.println(Comparison.refusal());
        }
        text.flush();
        Json.write(isComparable ? comparison.rows(points) : List.of(), json, spec.commandLine().getOut());
        return 0;
    }

    /** As Aeron's experts do. Must run before the first buffer is made, and holds for all peers alike. */
    static void disableBoundsChecks()
    {
        System.setProperty("agrona.disable.bounds.checks", "true");
    }

    private void checkOptions()
    {
        requireWithin("--rounds", rounds, ROUNDS_MAX);
        requireWithin("--round-ms", roundMs, ROUND_MS_MAX);
        requireKnown("--benchmarks", benchmarks, suite.benchmarks());
        requireKnown("--peers", peers, suite.allPeers());
        requireKnown("--sizes", sizes, suite.sizes());
    }

    private void requireWithin(final String option, final Integer value, final int max)
    {
        if (value != null && (value < 1 || value > max))
        {
            throw new ParameterException(spec.commandLine(), option + "=" + value + " is outside 1 to " + max);
        }
    }

    private <T> void requireKnown(final String option, final Set<T> chosen, final Collection<T> known)
    {
        if (chosen != null && !known.containsAll(chosen))
        {
            throw new ParameterException(spec.commandLine(), option + "=" + chosen + " is not within " + known);
        }
    }

    static List<String> peerArguments(
        final Path directory, final List<PeerKind> kinds, final int sizeMax, final int cpu)
    {
        return new ArrayList<>(List.of(BenchPeerCommand.NAME, "--directory", directory.toString(), "--peers",
            kinds.stream().map(PeerKind::label).collect(Collectors.joining(",")), "--size-max",
            Integer.toString(sizeMax), "--cpu", Integer.toString(cpu)));
    }

    /** Peers by the names of the reports. */
    static final class PeerConverter implements ITypeConverter<PeerKind>
    {
        @Override
        public PeerKind convert(final String label)
        {
            return Stream.of(PeerKind.values()).filter(kind -> kind.label().equals(label)).findFirst()
                .orElseThrow(() -> new TypeConversionException("peer=" + label + " is unknown: known=" +
                    List.of(PeerKind.values())));
        }
    }
}
