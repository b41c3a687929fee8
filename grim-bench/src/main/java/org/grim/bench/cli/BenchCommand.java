// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.util.stream.Stream;

import org.grim.bench.all.Suite;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Comparisons with others. */
@Command(name = "bench", mixinStandardHelpOptions = true, description = "Compares GRIM with others.",
    synopsisSubcommandLabel = "COMMAND")
final class BenchCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "a benchmark is missing: see grim bench --help");
    }

    static CommandLine line()
    {
        final CommandLine line = new CommandLine(new BenchCommand()).addSubcommand(BenchAllCommand.class);
        Stream.of(Suite.SHMEM, Suite.MEMORY, Suite.NETWORK, Suite.SOCKETS)
            .forEach(suite -> line.addSubcommand(ComparisonCommand.of(suite)));
        return line.addSubcommand(BenchGroupsCommand.class).addSubcommand(BenchMpiCommand.class)
            .addSubcommand(BenchDeviceCommand.class).addSubcommand(BenchStreamCommand.class)
            .addSubcommand(ComparisonCommand.of(Suite.COST)).addSubcommand(HopsCommand.class);
    }
}
