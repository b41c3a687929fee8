// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.util.List;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The help of all commands, by name. */
@Command(name = "help", mixinStandardHelpOptions = true,
    description = "Shows the help of a command, or the list of commands.")
final class HelpCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "Name of the command; all without it.")
    private String command;

    @Override
    public void run()
    {
        final CommandLine parent = spec.parent().commandLine();
        final CommandLine shown = command == null ? parent : parent.getSubcommands().get(command);
        if (shown == null)
        {
            throw new UnmatchedArgumentException(parent, List.of(command));
        }
        shown.usage(parent.getOut());
    }
}
