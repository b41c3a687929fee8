// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;

import org.grim.bench.all.AllRun;
import org.grim.bench.all.Effort;
import org.grim.bench.all.Section;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.report.PointTables;
import org.grim.tools.cli.JsonOption;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Cost of polling silent queues. */
@Command(name = "poll", mixinStandardHelpOptions = true,
    description = "Measures what a poll of 1 to 64 silent queues costs, for each transport.",
    footer = {"", "The section poll of bench all, in one fork. poll: ns of a poll of all queues;",
        "word: ns of each word that it looks at: one for each queue, and for each inbox",
        "(null, shmem) one that shows new senders. grim-all has the queues of all three",
        "transports. JSON: rows as of bench shmem; size is the count of queues."})
final class PollCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "A few rounds; figures for a look only.")
    private boolean isQuick;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        final AllRun run = new AllRun(new AllRun.Options(isQuick ? Effort.QUICK : Effort.FULL, 1,
            Set.of(Section.POLL), null, 0), json.text(), spec.commandLine().getErr());
        final FigureDirectory figures = run.run();
        json.print(System.lineSeparator() + PointTables.text(figures.points()), PointTables.rows(figures.points()));
        return run.failures().isEmpty() ? 0 : 1;
    }
}
