// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;

import org.grim.bench.all.AllRun;
import org.grim.bench.all.Effort;
import org.grim.bench.all.Section;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.report.PointTables;
import org.grim.tools.cli.OptionCheck;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All benchmarks. */
@Command(name = "all", mixinStandardHelpOptions = true,
    description = "Measures everything, in fresh processes fork after fork, and keeps every figure.",
    footer = {"", "Sections: messages (latency, rate and bandwidth beside others), memory (remote memory, large",
        "messages), board (messages through boards, both kinds of arrival queues), poll (a poll of silent queues),",
        "channels (a message against the number of channels), load (latency at fixed rates of arrival, up to 90 %% of",
        "the maximum), cost (the send path alone), cpu (a core's share and memory of a node).",
        "--json writes run.json, points.json and percentiles.json: ./grim report makes a page of them."})
final class BenchAllCommand implements Callable<Integer>
{
    private static final int FORKS_MAX = 100;
    private static final int SLOW_DOWN_MAX = 1000;
    private static final int FAILED = 1;

    @Spec
    private CommandSpec spec;

    @Option(names = "--quick",
        description = "3 forks (8 of cost) of short rounds: at most 10 minutes on two cores.")
    private boolean isQuick;

    @Option(names = "--forks", paramLabel = "N",
        description = "Fresh processes for each section (default: 5, of cost 8).")
    private Integer forks;

    @Option(names = "--sections", paramLabel = "NAME", split = ",",
        description = "Only these, of those below (default: all).")
    private Set<Section> sections;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Where files are made while it runs (default: /dev/shm).")
    private Path directory;

    @Option(names = "--json", paramLabel = "DIR", description = "Write every figure into this directory.")
    private Path json;

    @Option(names = "--slow-down-send", paramLabel = "PERCENT", hidden = true, defaultValue = "0")
    private int slowDown;

    @Option(names = "--tiny", hidden = true)
    private boolean isTiny;

    @Override
    public Integer call() throws IOException
    {
        checkOptions();
        final PrintWriter output = spec.commandLine().getOut();
        final Effort effort = isTiny ? Effort.TINY : isQuick ? Effort.QUICK : Effort.FULL;
        final AllRun run = new AllRun(new AllRun.Options(effort, forks == null ? 0 : forks,
            sections == null ? EnumSet.allOf(Section.class) : sections, directory, slowDown), output,
            spec.commandLine().getErr());
        final FigureDirectory figures = run.run();
        if (json != null)
        {
            figures.write(json);
        }
        output.println();
        output.print(PointTables.text(figures.points()));
        figures.info().absent().forEach((peer, reason) -> output.println(peer + ": absent: " + reason));
        figures.info().notes().forEach(output::println);
        output.println("took " + figures.info().seconds() + " s" +
            (figures.info().isComparable() ? "" : "; figures are not comparable"));
        output.flush();
        return run.failures().isEmpty() ? 0 : FAILED;
    }

    private void checkOptions()
    {
        OptionCheck.requireWithin(spec, "--forks", forks, 1, FORKS_MAX);
        OptionCheck.requireWithin(spec, "--slow-down-send", slowDown, 0, SLOW_DOWN_MAX);
        if (json != null && !isWritable(json))
        {
            throw new ParameterException(spec.commandLine(), "--json=" + json + " is no directory to write to");
        }
    }

    /** Found out now, not after a run of many minutes. */
    private static boolean isWritable(final Path path)
    {
        try
        {
            return Files.isWritable(Files.createDirectories(path));
        }
        catch (final IOException ex)
        {
            return false;               // Another file has the name, or the place is not ours.
        }
    }
}
