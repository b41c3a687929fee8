// SPDX-License-Identifier: Apache-2.0
package org.grim.example.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The list of examples; each is a command below it. */
@Command(name = "example", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "NAME",
    description = "Runs an example program; without a name lists all. Their sources are in grim-examples, one file " +
        "each.")
final class ExampleCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    static CommandLine line()
    {
        final CommandLine line = new CommandLine(new ExampleCommand());
        for (final Example example : Example.values())
        {
            line.addSubcommand(ProgramCommand.of(example));
        }
        return line.addSubcommand(CopyCommand.class);
    }
}
