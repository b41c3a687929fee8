// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.PrintWriter;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The completion of shells. */
@Command(name = "completion", mixinStandardHelpOptions = true,
    description = "Prints a script by which bash and zsh complete commands and options.",
    footer = {"", "In a shell: source <(./grim completion)"})
final class CompletionCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        final CommandLine root = spec.root().commandLine();
        final PrintWriter output = spec.commandLine().getOut();
        output.print(AutoComplete.bash(root.getCommandName(), root));
        output.flush();
    }
}
