// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.grim.tools.demo.DemoCluster;
import org.grim.tools.process.EndSignal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A cluster of two hosts, to look at.
 * <p>Thread: main.
 */
@Command(name = "demo-cluster", mixinStandardHelpOptions = true,
    description = "Starts two hosts of two nodes each on this machine, has all send to all, and shows their counters.",
    footer = {"", "Hosts are network namespaces with a cable each where this user may make them (root, with ip of",
        "iproute2), else two loopback addresses. Every node is a process; nodes of a host use shared memory, others",
        "Aeron. Each sends messages of 0 to 20,000 bytes to each other, and verifies that theirs come whole, once and",
        "in order. Then stat of the first host. Nothing is left, also after Ctrl-C."})
final class DemoClusterCommand implements Callable<Integer>
{
    private static final int MESSAGES_MAX = 10_000_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--messages", paramLabel = "N", defaultValue = "2000",
        description = "Messages from each node to each other one, 1 to 10000000 (default: ${DEFAULT-VALUE}).")
    private int messages;

    @Option(names = "--loopback", description = "Use loopback addresses, also where namespaces are permitted.")
    private boolean isLoopback;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made (default: /dev/shm).")
    private Path directory;

    @Override
    public Integer call()
    {
        OptionCheck.requireWithin(spec, "--messages", messages, 1, MESSAGES_MAX);
        final PrintWriter output = spec.commandLine().getOut();
        try (EndSignal end = EndSignal.register(); DemoCluster cluster =
            new DemoCluster(directory, isLoopback, messages))
        {
            cluster.run(output);
            return end.isEnded() ? 1 : spec.root().commandLine().execute(
                "stat", "--directory", cluster.firstDirectory().toString(), "--cluster", DemoCluster.CLUSTER);
        }
    }
}
