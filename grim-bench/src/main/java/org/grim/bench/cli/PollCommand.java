// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import org.grim.bench.nodes.PollMeasurement;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Cost of polling silent queues. */
@Command(name = "poll", mixinStandardHelpOptions = true,
    description = "Measures what a poll of 1 to 64 silent queues costs, for each transport.",
    footer = {"", "A poll looks at one word per queue, and per inbox (null, shmem) at one that tells of new senders.",
        "JSON: {command, rows: [{queues, null: {words, ns, nsPerWord}, shmem: {..}, myrinet: {..}, all: {..},",
        "shmemToNull, myrinetToNull, allToNull}]}; ratios are per word."})
final class PollCommand implements Callable<Integer>
{
    @Option(names = "--quick", description = "Seconds instead of half a minute; figures for a look only.")
    private boolean isQuick;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        final List<Map<String, Object>> rows = isQuick ? PollMeasurement.run(5, 5) : PollMeasurement.run(40, 20);
        json.print(Table.of(rows, "queues", "null [ns/poll]=null.ns", "shmem=shmem.ns", "myrinet=myrinet.ns",
            "all three=all.ns", "null [ns/word]=null.nsPerWord", "shmem=shmem.nsPerWord",
            "myrinet=myrinet.nsPerWord", "all three=all.nsPerWord", "shmem/null=shmemToNull",
            "myrinet/null=myrinetToNull", "all/null=allToNull"), Json.object("command", "poll", "rows", rows));
        return 0;
    }
}
