// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;

import org.grim.bench.nodes.PollMeasurement;
import org.grim.bench.report.PollReport;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Cost of polling silent queues. */
@Command(name = "poll", mixinStandardHelpOptions = true,
    description = "Measures what a poll of 1 to 64 silent queues costs, for each transport.",
    footer = {"", "A poll looks at one word per queue, and per inbox (null, shmem) at one that tells of new senders.",
        "JSON: {command, rows: [{queues, null: {words, ns, nsPerWord}, shmem: {..}, myrinet: {..}, all: {..},",
        "shmemToNull, myrinetToNull, allToNull}]}; ratios are per word."})
final class PollCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--quick", description = "Seconds instead of half a minute; figures for a look only.")
    private boolean isQuick;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write JSON; - for standard output.")
    private String json;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter text =
            Json.STANDARD_OUTPUT.equals(json) ? spec.commandLine().getErr() : spec.commandLine().getOut();
        final PollReport report = isQuick ? PollMeasurement.run(5, 5) : PollMeasurement.run(40, 20);
        text.print(report.table());
        text.flush();
        Json.write(report, json, spec.commandLine().getOut());
        return 0;
    }
}
