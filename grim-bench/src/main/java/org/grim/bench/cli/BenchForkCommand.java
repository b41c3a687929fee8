// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;

import org.grim.bench.all.Comparison;
import org.grim.bench.all.CostForks;
import org.grim.bench.all.Suite;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.process.ParentWatch;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One fork of a comparison, in a process of its own. */
@Command(name = CostForks.FORK_COMMAND, hidden = true)
final class BenchForkCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--suite", required = true)
    private Suite suite;

    @Option(names = "--benchmarks", required = true, split = ",")
    private Set<Benchmark> benchmarks;

    @Option(names = "--rounds", required = true)
    private int rounds;

    @Option(names = "--round-ms", required = true)
    private int roundMs;

    @Option(names = "--peers", required = true, split = ",")
    private Set<PeerKind> peers;

    @Option(names = "--sizes", required = true, split = ",")
    private Set<Integer> sizes;

    @Option(names = "--directory", required = true)
    private Path directory;

    @Option(names = "--output", required = true)
    private Path output;

    @Option(names = CostForks.CHECKS_OPTION)
    private boolean isChecked;

    @Override
    public Integer call() throws IOException
    {
        if (!isChecked)
        {
            PeerPair.disableBoundsChecks();
        }
        ParentWatch.start();
        final Comparison.Options options =
            new Comparison.Options(suite, 1, rounds, roundMs, benchmarks, peers, sizes, directory);
        if (benchmarks.contains(Benchmark.COST))
        {
            CostForks.measure(options, output);
        }
        else
        {
            Comparison.measure(options, spec.commandLine().getErr(), output);
        }
        return 0;
    }
}
