// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;
import org.grim.network.RemoteNodes;
import org.grim.network.status.ClusterRestart;
import org.grim.node.HostProcess;
import org.grim.tools.process.EndSignal;
import org.grim.tools.report.Age;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import static org.grim.GrimException.Reason.UNAVAILABLE;

/** A host's agent without a node. */
@Command(name = "host", mixinStandardHelpOptions = true,
    description = "Keeps this host in a cluster of several hosts until it is interrupted.",
    footer = {"", "Runs the host's agent in a process of its own: nodes of the host come and go,",
        "and use it. Needs the configuration that they have: grim.node.host, and the",
        "keys below grim.network. Prints one line when it is ready.", "",
        "--restart-cluster helps when a majority of the hosts is lost for good:",
        "the host's agent goes on with the members that it sees, and gives up the others,",
        "which are printed with their nodes. It is refused while a majority is there, or",
        "while others may be. A host that was given up and is alive after all is fenced",
        "when it is seen again: its nodes join again."})
final class HostCommand implements Runnable
{
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RESTART_NS = TimeUnit.SECONDS.toNanos(15);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--restart-cluster",
        description = "Has a cluster that lost its majority go on with the hosts that are here, and ends.")
    private boolean isRestart;

    @Override
    public void run()
    {
        final PrintWriter output = spec.commandLine().getOut();
        if (isRestart)
        {
            final ClusterRestart restart = RemoteNodes.restartCluster(cluster.config().clusterDirectory(), RESTART_NS);
            restartText(restart).forEach(output::println);
            output.flush();
            return;
        }
        try (EndSignal end = EndSignal.register(); HostProcess host = HostProcess.start(cluster.config()))
        {
            say(output, host, "ready");
            while (!end.isEnded())
            {
                Uninterrupted.park(LOOK_NS);
                rejoinIfFenced(output, host);
            }
        }
    }

    /** {@return what was given up, in lines; refused is an error} */
    static List<String> restartText(final ClusterRestart restart)
    {
        if (!restart.refusal().isEmpty())
        {
            throw new GrimException(UNAVAILABLE, "cluster is not restarted: " + restart.refusal());
        }
        final List<String> lines = new ArrayList<>();
        lines.add("cluster goes on with hosts=" + restart.rest() + ", given up=" +
            restart.givenUp().stream().map(ClusterRestart.GivenUpHost::host).toList());
        restart.givenUp().forEach(host ->
        {
            lines.add("host " + host.host() + ": absent for " + Age.duration(host.absentMs()));
            host.nodes().forEach(node -> lines.add("  node " + node.number() + " " + node.name() +
                (node.addresses().isEmpty() ? "" : " " + node.addresses())));
        });
        return lines;
    }

    private static void rejoinIfFenced(final PrintWriter output, final HostProcess host)
    {
        try
        {
            if (host.rejoinIfFenced())
            {
                say(output, host, "joined again: the other hosts had taken it out of the cluster");
            }
        }
        catch (final GrimException ex)
        {
            say(output, host, "cannot join again, and tries on: " + ex.getMessage());
        }
    }

    private static void say(final PrintWriter output, final HostProcess host, final String what)
    {
        output.println("host " + host.label() + " " + what + ": directory=" + host.directory() + " process=" +
            ProcessHandle.current().pid());
        output.flush();
    }
}
