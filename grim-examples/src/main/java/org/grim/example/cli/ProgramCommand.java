// SPDX-License-Identifier: Apache-2.0
package org.grim.example.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** One example: a call of {@code grim run}. */
@Command(mixinStandardHelpOptions = true)
final class ProgramCommand implements Callable<Integer>
{
    private final Example example;

    @Spec
    private CommandSpec spec;

    @Option(names = {"-n", "--ranks"}, paramLabel = "N", description = "Processes (default: as many as it needs).")
    private Integer processCount;

    @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "Arguments of the program.")
    private List<String> arguments = new ArrayList<>();

    private ProgramCommand(final Example example)
    {
        this.example = example;
    }

    static CommandLine of(final Example example)
    {
        final CommandLine line = new CommandLine(new ProgramCommand(example)).setStopAtPositional(true);
        line.getCommandSpec().name(example.label()).usageMessage().description(example.description())
            .footer("", "Main class: " + example.program(), "It runs as by ./grim run --tag-output -n " +
                example.processCount() + ".");
        return line;
    }

    @Override
    public Integer call()
    {
        final int count = processCount == null ? example.processCount() : processCount;
        if (count > 0 && count < example.fewestProcesses())
        {
            throw new CommandLine.ParameterException(spec.commandLine(),
                "-n=" + count + " is too few: " + example.label() + " needs " + example.fewestProcesses());
        }
        final List<String> words = new ArrayList<>(List.of("-n", Integer.toString(count), "--tag-output"));
        if (!example.flags().isEmpty())
        {
            // Flags that grim run does not have for a class.
            words.addAll(List.of("--", Path.of(System.getProperty("java.home"), "bin", "java").toString()));
            words.addAll(example.flags());
            words.addAll(List.of("-cp", System.getProperty("java.class.path")));
        }
        words.add(example.program());
        words.addAll(arguments);
        return spec.root().commandLine().getSubcommands().get("run").execute(words.toArray(new String[0]));
    }
}
