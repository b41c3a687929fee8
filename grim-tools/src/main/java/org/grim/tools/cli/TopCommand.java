// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.tools.observe.Top;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows rates of a cluster's nodes, again and again. */
@Command(name = "top", mixinStandardHelpOptions = true,
    description = "Shows rates, back pressure and stalls of a cluster's nodes, live and from outside.",
    footer = {"", "Remote-memory operations count as sent, and their bytes. waiting: messages in overflow queues now.",
        "stalled: sends found no room, and none was accepted, for as long as this command has seen that.",
        "no poll: the node's loop stands still. not seen: no counters. Nodes that do nothing are counted as quiet.",
        "Not on a terminal, tables follow each other. Ends when the cluster is gone."})
final class TopCommand implements Callable<Integer>
{
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--interval", paramLabel = "SECONDS", defaultValue = "1",
        description = "Time between two looks, 0.1 to 3600 s (default: ${DEFAULT-VALUE}).")
    private double intervalSeconds;

    @Option(names = "--once", description = "Show one table.")
    private boolean isOnce;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--interval", intervalSeconds, 0.1, 3600);
        final PrintWriter output = spec.commandLine().getOut();
        final String before = isOnce ? "" : isTerminal() ? CLEAR_SCREEN : "\n";
        final Top top = new Top(cluster.config().clusterDirectory());
        top.look();
        do
        {
            LockSupport.parkNanos((long)(intervalSeconds * TimeUnit.SECONDS.toNanos(1)));
            output.print(before + top.look());
            output.flush();
        }
        while (!isOnce);
        return 0;
    }

    static boolean isTerminal() throws IOException
    {
        return Files.isSymbolicLink(STANDARD_OUTPUT) &&
            Files.readSymbolicLink(STANDARD_OUTPUT).toString().matches("/dev/(pts/|tty|console).*");
    }
}
