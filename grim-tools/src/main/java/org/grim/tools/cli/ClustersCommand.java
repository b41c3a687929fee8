// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.grim.GrimConfig;
import org.grim.tools.observe.Observer;
import org.grim.tools.observe.SeenCluster;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the clusters of this host. */
@Command(name = "clusters", mixinStandardHelpOptions = true,
    description = "Lists the clusters of this host, and what dead ones have left.",
    footer = {"", "Looks at the directory of the configuration; without one also at those beside it in /dev/shm,",
        "such as of run. up and dead count nodes that have not left, by whether their process exists.",
        "JSON: {command, clusters: [{name, directory, state, up, dead, lengthKib, layoutVersion, problem}]};",
        "state is live, left over or unreadable."})
final class ClustersCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Where the clusters of this host are (grim.cluster.directory).")
    private Path directory;

    @Option(names = "--json", description = "Print JSON.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        final GrimConfig.Builder builder = GrimConfig.builder();
        final GrimConfig config = (directory == null ? builder : builder.directory(directory)).build();
        final Observer.Report report = SeenCluster.report(config.clusterDirectory().getParent(),
            config.settings().get("grim.cluster.directory").toString().isEmpty());
        final PrintWriter output = spec.commandLine().getOut();
        output.print(isJson ? Json.text(report.json()) : report.text());
        output.flush();
        return 0;
    }
}
