// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;
import org.grim.node.HostProcess;
import org.grim.tools.process.EndSignal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A host's agent without a node. */
@Command(name = "host", mixinStandardHelpOptions = true,
    description = "Keeps this host in a cluster of several hosts until it is interrupted.",
    footer = {"", "Runs the host's agent in a process of its own: nodes of the host come and go,",
        "and use it. Needs the configuration that they have: grim.node.host, and the",
        "keys below grim.network. Prints one line when it is ready."})
final class HostCommand implements Runnable
{
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Override
    public void run()
    {
        final PrintWriter output = spec.commandLine().getOut();
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
