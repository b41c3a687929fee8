// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.grim.pages.ExampleCompiler;
import org.grim.tools.cli.CommandRun;
import org.grim.tools.cli.GrimCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class CommandTest extends CommandRun
{
    @TempDir
    private Path directory;

    @Test
    void shouldSayInOneSentenceWhatIsWrongWithAnOption()
    {
        assertRefused(2, "a benchmark is missing", "bench");
        assertRefused(2, "--rounds=0 is outside 1 to 1000", "bench", "shmem", "--rounds", "0");
        assertRefused(2, "--sizes=[7] is not within [0, 8,", "bench", "shmem", "--sizes", "7");
        assertRefused(2, "--seconds=0.0 is outside 0.1 to 3600", "tune", "--seconds", "0");
        assertRefused(2, "--file=" + directory + "/none/plan cannot be written: its directory is missing", "tune",
            "--file", directory + "/none/plan");
        assertRefused(2, "--plot=" + directory + " cannot be written", "tune", "--plot", directory.toString());
        assertRefused(2, "'pigeon'", "bench", "shmem", "--peers", "pigeon");
        assertRefused(2, "--peers=[grim-rm-v] is not within [grim, raw,", "bench", "shmem", "--peers", "grim-rm-v");
        assertRefused(2, "--benchmarks=[poll] is not within [put-latency,", "bench", "memory", "--benchmarks", "poll");
        assertRefused(2, "--members=1 is outside 2 to 16", "bench", "groups", "--members", "2,1");
        assertRefused(2, "--forks=0 is outside 1 to 100", "bench", "all", "--forks", "0");
        assertRefused(2, "--forks=101 is outside 1 to 100", "bench", "all", "--forks", "101");
        assertRefused(2, "--slow-down-send=-1 is outside 0 to 1000", "bench", "all", "--slow-down-send=-1");
        assertRefused(2, "--json=/dev/null is no directory to write to", "bench", "all", "--json", "/dev/null");
        assertRefused(2, "'pigeons'", "bench", "all", "--sections", "pigeons");
        assertRefused(2, "--sizes=[65504] is not within [8, 64,", "bench", "memory", "--sizes", "65504");
    }

    @Test
    void shouldHelpWithEveryCommand()
    {
        for (final String benchmark : new String[] {"all", "shmem", "memory", "cost", "hops", "groups"})
        {
            assertEquals(0, execute("bench", benchmark, "--help"));
            assertTrue(output.toString().contains("Usage: grim bench " + benchmark), output.toString());
        }
        for (final String command :
            new String[] {"pingpong", "poll", "tune", "report", "why", "simulate", "scale", "model"})
        {
            assertEquals(0, execute(command, "--help"));
            assertTrue(output.toString().contains("Usage: grim " + command), output.toString());
        }
    }

    /** Users' jar cannot know what other modules add: its help and the script name that. */
    @Test
    void shouldBeNamedByTheScriptAndByTheHelpOfTheOtherJar() throws IOException
    {
        final String script = Files.readString(ExampleCompiler.find("grim"));
        final CommandLine own = new CommandLine(new GrimCommand());
        final String help = own.getUsageMessage(Ansi.OFF);
        final List<String> added = GrimCommand.commandLine().getSubcommands().entrySet().stream()
            .filter(each -> !own.getSubcommands().containsKey(each.getKey()) &&
                !each.getValue().getCommandSpec().usageMessage().hidden()).map(Map.Entry::getKey).toList();
        final String line = String.join(" ", added);

        assertTrue(added.contains("poll") && added.contains("simulate"), line);
        assertTrue(script.contains("bench_commands='" + line + "'\n"), line);
        assertTrue(help.contains("  " + line + "\n"), help);
    }
}
