// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import org.grim.GrimException;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.report.ComparisonPage;
import org.grim.bench.report.FigurePage;
import org.grim.bench.report.RunChanges;
import org.grim.bench.report.RunPage;
import org.grim.bench.report.Verdict;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Pages of runs. */
@Command(name = "report", mixinStandardHelpOptions = true,
    description = "Makes a page of a run of all benchmarks, or of what changed from one run to another.",
    footer = {"", "The page is one HTML file that needs no network. Of two runs each row has its change with an",
        "interval; called changed is what is beyond noise, over all rows together, and beyond 5 %%.",
        "JSON of two runs: {command, a, b, warnings, rows: [{key: {suite, benchmark, peer, mode, xName, x}, unit,",
        "direction, forksA, forksB, medianA, medianB, plain, change, low, high, p, corrected, detectable, verdict,",
        "reason}], onlyInA, onlyInB}; changes are shares, 0.2 for 20 %% more."})
final class ReportCommand implements Callable<Integer>
{
    private static final int RUNS_MAX = 2;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", arity = "1..2",
        description = "Directories that bench all wrote; of two, the earlier run first.")
    private List<Path> directories;

    @Option(names = "--output", paramLabel = "FILE",
        description = "Takes the page (default: report.html in DIR; of two runs comparison.html in the second).")
    private Path file;

    @Option(names = "--page", paramLabel = "FILE",
        description = "Of one run: writes its tables into this page of Markdown, between its lines of marks, instead.")
    private Path markdown;

    @Mixin
    private JsonOption json;

    @Option(names = "--fail-on-change", description = "Of two runs: exit code 1 if a row got worse.")
    private boolean isFailing;

    @Override
    public Integer call() throws IOException
    {
        final boolean isComparison = directories.size() == RUNS_MAX;
        if (!isComparison && (json.isGiven() || isFailing))
        {
            throw new ParameterException(spec.commandLine(), (json.isGiven() ? "--json" : "--fail-on-change") +
                " compares two runs: directories=1");
        }
        if (markdown != null && (isComparison || file != null))
        {
            throw new ParameterException(spec.commandLine(), "--page has the tables of one run: " +
                (isComparison ? "directories=2" : "--output=" + file));
        }
        final FigureDirectory first = read(directories.get(0));
        if (markdown != null)
        {
            return write(first);
        }
        return isComparison ? compare(first, read(directories.get(1))) : show(first);
    }

    private int show(final FigureDirectory run) throws IOException
    {
        final Path page = page("report.html");
        Files.writeString(page, RunPage.of(run));
        json.text().println("page: " + page);
        json.text().flush();
        return 0;
    }

    private int write(final FigureDirectory run) throws IOException
    {
        if (!Files.isRegularFile(markdown))
        {
            throw new ParameterException(spec.commandLine(), "--page=" + markdown + " is no file");
        }
        try
        {
            Files.writeString(markdown, FigurePage.replaced(Files.readString(markdown), run));
        }
        catch (final GrimException ex)
        {
            throw new ParameterException(spec.commandLine(), "--page=" + markdown + ": " + ex.getMessage(), ex);
        }
        json.text().println("page: " + markdown);
        json.text().flush();
        return 0;
    }

    private int compare(final FigureDirectory before, final FigureDirectory after) throws IOException
    {
        final Path page = page("comparison.html");
        final RunChanges changes = RunChanges.of(before, after);
        Files.writeString(page, ComparisonPage.of(changes, before.info(), after.info()));
        json.print(changes.text() + "page: " + page + System.lineSeparator(), changes);
        return isFailing && changes.count(Verdict.WORSE) > 0 ? 1 : 0;
    }

    private FigureDirectory read(final Path directory) throws IOException
    {
        if (!Files.isDirectory(directory))
        {
            throw new ParameterException(spec.commandLine(), directory + " is not a directory");
        }
        try
        {
            return FigureDirectory.read(directory);
        }
        catch (final GrimException ex)
        {
            throw new ParameterException(spec.commandLine(), ex.getMessage(), ex);
        }
    }

    private Path page(final String name)
    {
        return OptionCheck.requireWritable(spec, "--output",
            file == null ? directories.get(directories.size() - 1).resolve(name) : file);
    }
}
