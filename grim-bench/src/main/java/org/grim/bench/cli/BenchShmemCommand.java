// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.bench.report.Json;
import org.grim.bench.report.ComparisonReport;
import org.grim.bench.compare.Benchmark;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.Comparison;
import org.grim.bench.compare.ComparisonOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Shared memory beside its limits and its rivals. */
@Command(name = "shmem", mixinStandardHelpOptions = true,
    description = "Measures messages between two pinned JVMs, beside limits and others.",
    footer = {"", "Rounds are interleaved: in each, every peer is measured once at every size, in turn. Ratios are",
        "GRIM's figure divided by the peer's of the same round. Senders write every message anew; each is counted,",
        "and summed where it is read. latency: half of a round trip, median; both sides send the same size; read: both",
        "read every byte, and the second echoes what it got. rate, bandwidth: one way; read: every byte is read.",
        "raw is one line of 8 bytes at any size. poll: ns per silent queue, size is the count of queues.",
        "JSON: [{benchmark, peer, size, mode, unit, median, min, max, rounds, ratioToGrim}];",
        "empty where both processes share a core, for then nothing can be compared."})
final class BenchShmemCommand implements Callable<Integer>
{
    private static final int ROUNDS = 12;
    private static final int ROUNDS_QUICK = 3;
    private static final int ROUNDS_MAX = 1000;
    private static final int ROUND_MS = 100;
    private static final int ROUND_MS_QUICK = 40;
    private static final int ROUND_MS_MAX = 10_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "3 rounds of 40 ms; figures for a look only.")
    private boolean isQuick;

    @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds (default: 12).")
    private Integer rounds;

    @Option(names = "--round-ms", paramLabel = "MS", description = "Time of each figure in a round (default: 100).")
    private Integer roundMs;

    @Option(names = "--benchmarks", paramLabel = "NAME", split = ",",
        description = "latency, rate, bandwidth, poll (default: all).")
    private Set<Benchmark> benchmarks;

    @Option(names = "--peers", paramLabel = "NAME", split = ",", converter = PeerConverter.class,
        description = "grim, raw, copy-flag, ring, aeron-ipc, aeron-ipc-default, one-to-one, tcp, uds (default: all).")
    private Set<PeerKind> peers;

    @Option(names = "--sizes", paramLabel = "BYTES", split = ",",
        description = "Only these payload sizes, of 0, 8, 24, 32, 256, 2048, 16384, 65504 (default: all).")
    private Set<Integer> sizes;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made (default: /dev/shm).")
    private Path directory;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write JSON; - for standard output.")
    private String json;

    @Override
    public Integer call() throws IOException
    {
        disableBoundsChecks();
        checkOptions();
        final PrintWriter error = spec.commandLine().getErr();
        // Programs that read JSON from standard output get nothing else there.
        final PrintWriter text = Json.STANDARD_OUTPUT.equals(json) ? error : spec.commandLine().getOut();
        final ComparisonOptions options = new ComparisonOptions(chosen(rounds, ROUNDS, ROUNDS_QUICK),
            chosen(roundMs, ROUND_MS, ROUND_MS_QUICK), benchmarks == null ? Set.of(Benchmark.values()) : benchmarks,
            peers == null ? Set.of(PeerKind.values()) : peers, sizes, directory);
        final ComparisonReport report = new Comparison(options, text, error).run(BenchShmemCommand::peerArguments);
        text.println();
        text.print(report.text());
        final boolean isComparable = Comparison.isComparable();
        if (!isComparable)
        {
            text.println(Comparison.refusal());
        }
        text.flush();
        Json.write(isComparable ? report.rows() : List.of(), json, spec.commandLine().getOut());
        return 0;
    }

    /** As Aeron's experts do. Must run before the first buffer is made, and holds for all peers alike. */
    static void disableBoundsChecks()
    {
        System.setProperty("agrona.disable.bounds.checks", "true");
    }

    private int chosen(final Integer wanted, final int usual, final int quick)
    {
        return wanted != null ? wanted : isQuick ? quick : usual;
    }

    private void checkOptions()
    {
        requireWithin("--rounds", rounds, ROUNDS_MAX);
        requireWithin("--round-ms", roundMs, ROUND_MS_MAX);
        final Set<Integer> known = Stream.of(Benchmark.LATENCY, Benchmark.RATE, Benchmark.BANDWIDTH)
            .flatMap(benchmark -> benchmark.sizes().stream()).collect(Collectors.toSet());
        if (sizes != null && !known.containsAll(sizes))
        {
            throw new ParameterException(spec.commandLine(),
                "--sizes=" + sizes + " is not within " + Benchmark.LATENCY.sizes());
        }
    }

    private void requireWithin(final String option, final Integer value, final int max)
    {
        if (value != null && (value < 1 || value > max))
        {
            throw new ParameterException(spec.commandLine(), option + "=" + value + " is outside 1 to " + max);
        }
    }

    private static List<String> peerArguments(final Path directory, final List<PeerKind> kinds, final int cpu)
    {
        return new ArrayList<>(List.of(BenchPeerCommand.NAME, "--directory", directory.toString(), "--peers",
            kinds.stream().map(PeerKind::label).collect(Collectors.joining(",")), "--cpu", Integer.toString(cpu)));
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
