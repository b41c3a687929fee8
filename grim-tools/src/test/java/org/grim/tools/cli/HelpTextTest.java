// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.grim.tools.doctor.Finding;
import org.grim.tools.process.ForeignProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class HelpTextTest extends CommandRun
{
    private static final int LINE_LENGTH_MAX = 80;
    private static final long TIMEOUT_MS = 60_000;
    private static final String WORD = "abcdefgh ";

    @TempDir
    private Path directory;

    @Test
    void shouldBreakFindingsForATerminal()
    {
        final List<Finding> findings = List.of(new Finding("one two three four", "five six seven eight nine"));

        assertEquals(List.of("one two three four", "  five six seven eight nine"),
            DoctorCommand.text(findings, Integer.MAX_VALUE));
        final List<String> lines = DoctorCommand.text(findings, 14);
        assertTrue(lines.stream().allMatch(line -> line.length() <= 14), lines::toString);
        assertEquals("one two three four five six seven eight nine",
            String.join(" ", lines).strip().replaceAll(" +", " "));
    }

    @Test
    void shouldListCommandsInTheOrderOfNeed()
    {
        assertEquals(0, execute("--help"));

        final String help = output.toString();
        final int run = help.indexOf("\n  run ");
        assertTrue(help.indexOf("\nPrograms:\n") < run && run > 0, help);
        assertTrue(run < help.indexOf("\n  nodes ") && help.indexOf("\n  nodes ") < help.indexOf("\n  host "), help);
        assertFalse(help.contains("\nMore:\n"), () -> "a command without a group: " + help);
        GrimCommand.commandLine().getSubcommands().values().stream()
            .filter(command -> !command.getCommandSpec().usageMessage().hidden()).map(CommandLine::getCommandName)
            .forEach(name -> assertTrue(help.contains("\n  " + name + " "), name));
    }

    /** A text that is broken at two widths has short lines between full ones. */
    @Test
    void shouldWrapFootersOnce()
    {
        final String line = WORD.repeat(10).trim();
        final List<String> paragraphs =
            HelpText.paragraphs("", line, line, "end", "next", "  " + line, "  c", "JSON: x");

        assertEquals(List.of("", line + " " + line + " end", "next", "  " + line, "  c", "JSON: x"), paragraphs);
        final List<String> lines = new ArrayList<>();
        HelpText.wrap(paragraphs.get(1), lines);
        HelpText.wrap(paragraphs.get(3), lines);
        assertEquals(List.of(WORD.repeat(8).trim(), WORD.repeat(8).trim(), WORD.repeat(4) + "end",
            "  " + WORD.repeat(8).trim(), "      " + WORD.repeat(2).trim()), lines);
    }

    @Test
    void shouldFitATerminal()
    {
        for (final CommandLine command : GrimCommand.commandLine().getSubcommands().values())
        {
            command.getUsageMessage().lines().forEach(line ->
                assertTrue(line.length() <= LINE_LENGTH_MAX, () -> command.getCommandName() + ": " + line));
        }
    }

    @Test
    void shouldCompleteInBash() throws IOException
    {
        assertEquals(0, execute("completion"), error::toString);
        final Path script = Files.writeString(directory.resolve("completion"), output.toString());

        final String found = ForeignProcess.run(List.of("bash", "-c", "exec 2> /dev/null; source " + script +
            "; COMP_WORDS=(grim st); COMP_CWORD=1; _complete_grim; echo commands: ${COMPREPLY[@]}" +
            "; COMP_WORDS=(grim nodes --dir); COMP_CWORD=2; _complete_grim; echo options: ${COMPREPLY[@]}"),
            Map.of(), TIMEOUT_MS);

        assertEquals(List.of("commands: stat", "options: --directory"), found.lines().toList());
    }
}
