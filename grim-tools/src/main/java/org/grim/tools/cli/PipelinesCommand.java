// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.GrimConfig;
import org.grim.tools.observe.Observer;
import org.grim.tools.pipelines.Pipelines;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the streams of a cluster. */
@Command(name = "pipelines", mixinStandardHelpOptions = true,
    description = "Shows streams of a running cluster: connections, stages, items per second, states.",
    footer = {"", "Joins the cluster for the time of two looks, and asks the owners of streams and their stages.",
        "States of a connection: opening, open, full (its window), changing and draining (a new path, and the rest of",
        "the one before), broken (a stage is gone, and another device is looked for), stopped, ending.",
        "State of a stage: of its accelerator: running, fault, loading, or gone. items: since its entry was set.",
        "JSON: {command, connections: [{name, number, owner, sink, state, epoch, window, injected, delivered, failed,",
        "lost, unknown, pending, itemsPerSecond, failure, stages: [{stage, kernel, operation, node, device, state,",
        "items, itemsPerSecond}]}], missing: [TEXT]}; a rate is a text, - if it is not known."})
final class PipelinesCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--interval", paramLabel = "SECONDS", defaultValue = "1",
        description = "Time between the two looks, 0.1 to 60 s (default: ${DEFAULT-VALUE}).")
    private double intervalSeconds;

    @Option(names = "--json", description = "Print JSON.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--interval", intervalSeconds, 0.1, 60);
        final GrimConfig config = cluster.config();
        Observer.nodes(config.clusterDirectory());          // A cluster that is not there would be made.
        final Pipelines.Report report = Pipelines.look(
            config.toBuilder().nodeName("pipelines-" + ProcessHandle.current().pid()).build(),
            (long)(intervalSeconds * TimeUnit.SECONDS.toNanos(1)));
        final PrintWriter output = spec.commandLine().getOut();
        output.print(isJson ? Json.text(report.json()) : report.text());
        output.flush();
        return 0;
    }
}
