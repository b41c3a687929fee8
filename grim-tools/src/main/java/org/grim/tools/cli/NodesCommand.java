// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;

import org.grim.tools.observe.Observer;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the nodes of a cluster. */
@Command(name = "nodes", mixinStandardHelpOptions = true,
    description = "Shows the nodes of a running cluster, from outside.",
    footer = {"", "state is what the directory says; process says whether the node's process exists.",
        "JSON: {command, directory, nodes: [{number, name, state, isAlive, processId, incarnation, channelCount,",
        "transports, devices, heartbeatAgeMs, host, niNumber, niFirstChannel, addresses}]}; an age of -1 means",
        "never, an NI of -1 means none; addresses is TRANSPORT=ADDRESS for other hosts, comma between.",
        "devices: [{device, kind, state, firstChannel, channelCount}], the first is the host CPU."})
final class NodesCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--json", description = "Print JSON.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter output = spec.commandLine().getOut();
        final Observer.Report report = Observer.nodes(cluster.config().clusterDirectory());
        output.print(isJson ? Json.text(report.json()) : report.text());
        output.flush();
        return 0;
    }
}
