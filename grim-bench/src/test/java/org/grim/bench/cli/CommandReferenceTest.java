// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.bench.ExampleCompiler;
import org.grim.tools.cli.GrimCommand;
import org.junit.jupiter.api.Test;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The page {@code docs/command-reference.md} is what the commands say of themselves. */
final class CommandReferenceTest
{
    private static final String PAGE = "docs/command-reference.md";

    @Test
    void shouldSayInTheDocumentsWhatTheCommandsSay() throws IOException
    {
        final StringBuilder text = new StringBuilder("# Command reference\n\nEach command's own `--help`, put " +
            "together by the build. [Command line](command-line.md) says what it means.\n");
        append(text, GrimCommand.commandLine());
        final Path right = Files.createDirectories(Path.of("target")).resolve("command-reference.md");

        Files.writeString(right, text);

        assertEquals(text.toString(), Files.readString(ExampleCompiler.find(PAGE)),
            () -> PAGE + " is old: " + right.toAbsolutePath() + " belongs there");
    }

    private static void append(final StringBuilder text, final CommandLine command)
    {
        if (command.getCommandSpec().usageMessage().hidden())
        {
            return;
        }
        text.append("\n## ").append(command.getCommandSpec().qualifiedName()).append("\n\n```\n")
            .append(command.getUsageMessage(Ansi.OFF).stripTrailing()).append("\n```\n");
        command.getSubcommands().values().forEach(each -> append(text, each));
    }
}
