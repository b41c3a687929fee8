// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

import org.grim.pages.ExampleCompiler;
import org.grim.tools.cli.GrimCommand;
import org.junit.jupiter.api.Test;

import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Users learn of commands and options by {@code --help} alone: each says what it does. */
final class CommandHelpTest
{
    private static final String PAGE = "docs/developers/commands.md";

    @Test
    void shouldDescribeEveryCommandOptionAndArgument()
    {
        final List<CommandSpec> commands = visible(GrimCommand.commandLine()).toList();

        final List<String> silent = commands.stream().flatMap(CommandHelpTest::silent).toList();

        assertTrue(commands.size() > 20, () -> "commands=" + commands);
        assertEquals(List.of(), silent);
    }

    @Test
    void shouldNameEveryCommandOnThePage() throws IOException
    {
        final String page = Files.readString(ExampleCompiler.find(PAGE));

        final List<String> absent = visible(GrimCommand.commandLine()).skip(1)
            .filter(command -> command.parent().parent() == null).map(CommandSpec::name)
            .filter(name -> !page.contains("`" + name + "`")).toList();

        assertEquals(List.of(), absent, PAGE);
    }

    private static Stream<CommandSpec> visible(final CommandLine command)
    {
        return command.getCommandSpec().usageMessage().hidden() ? Stream.of() :
            Stream.concat(Stream.of(command.getCommandSpec()),
                command.getSubcommands().values().stream().flatMap(CommandHelpTest::visible));
    }

    /** The names of the command and of its options and arguments that have no text. */
    private static Stream<String> silent(final CommandSpec command)
    {
        final Stream<String> arguments = command.args().stream()
            .filter(argument -> !argument.hidden() && isBlank(argument.description())).map(ArgSpec::toString);
        final Stream<String> itself =
            isBlank(command.usageMessage().description()) ? Stream.of(command.qualifiedName()) : Stream.of();
        return Stream.concat(itself, arguments.map(argument -> command.qualifiedName() + " " + argument));
    }

    private static boolean isBlank(final String... text)
    {
        return String.join("", text).isBlank();
    }
}
