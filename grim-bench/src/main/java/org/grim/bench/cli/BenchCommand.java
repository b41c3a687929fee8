// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Comparisons with others. */
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Compares GRIM with others.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {BenchAllCommand.class, BenchShmemCommand.class, BenchMemoryCommand.class,
        BenchNetworkCommand.class, BenchSocketsCommand.class, BenchGroupsCommand.class, BenchCostCommand.class,
        HopsCommand.class})
final class BenchCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "a benchmark is missing: see grim bench --help");
    }
}
