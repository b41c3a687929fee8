// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;
import org.grim.tools.pair.HostPair;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;

import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * The command {@code demo-cluster}: two hosts of two nodes each, every node a process, on this machine. The hosts are
 * network namespaces with a cable between them, or two addresses of the loopback device.
 * <p>Thread: one. Owns: the processes, the hosts, and all files.
 */
public final class DemoCluster implements AutoCloseable
{
    /** Name of the cluster. */
    public static final String CLUSTER = "demo";

    /** Nodes of both hosts. */
    public static final int NODE_COUNT = 4;

    private static final int TIMEOUT_S = 120;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(2);

    private final PrivateDirectory directory;
    private final int messageCount;
    private final HostPair hosts;
    private final List<SecondJvm> nodes = new ArrayList<>();
    private final List<Path> results = new ArrayList<>();
    private long stageNs;
    private long progressDeadlineNs;

    /**
     * Makes the hosts, without a process on them.
     *
     * @param base         directory for files; null for shared memory.
     * @param isLoopback   not to try namespaces.
     * @param messageCount messages from each node to each other one.
     */
    public DemoCluster(final Path base, final boolean isLoopback, final int messageCount)
    {
        this.messageCount = messageCount;
        directory = PrivateDirectory.create("grim-demo-", base);
        HostPair made = null;
        try
        {
            made = new HostPair(isLoopback);
        }
        finally
        {
            if (made == null)
            {
                directory.close();
            }
        }
        hosts = made;
    }

    /**
     * Starts the nodes, the second host when the first one is there, and waits until all have all messages of all.
     *
     * @param output gets a line for each host and for each node, and one every 2 s while something is waited for.
     */
    public void run(final PrintWriter output)
    {
        hosts.describe(output);
        for (int host = 0; host < HostPair.HOST_COUNT; host++)
        {
            output.println("host-" + host + ": " + hosts.address(host));
            output.flush();
            for (int node = 0; node < NODE_COUNT / HostPair.HOST_COUNT; node++)
            {
                start(host, "node-" + host + "-" + node, output);
            }
        }
        output.println("all nodes are there: each sends " + messageCount + " messages to each other one");
        beginStage(output);
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        for (final Path result : results)
        {
            while (!Files.exists(result))
            {
                nodes.forEach(SecondJvm::requireAlive);
                if (System.nanoTime() - deadlineNs > 0)
                {
                    throw new GrimException(
                        TIMED_OUT, result.getFileName() + " has not all messages: waited=" + TIMEOUT_S + " s");
                }
                sayProgress(output, result.getFileName() + " has not got all messages yet");
                Uninterrupted.park(LOOK_NS);
            }
            output.println(read(result));
        }
        output.flush();
    }

    /** {@return where the first host's cluster is; of the tools' option {@code --directory}} */
    public Path firstDirectory()
    {
        return directory.path().resolve("host-0");
    }

    @Override
    public void close()
    {
        for (int i = nodes.size() - 1; i >= 0; i--)
        {
            nodes.get(i).close();               // A host's first node has its agent and its driver: it leaves last.
        }
        CloseHelper.closeAll(hosts, directory);
    }

    private void beginStage(final PrintWriter output)
    {
        output.flush();
        stageNs = System.nanoTime();
        progressDeadlineNs = stageNs + PROGRESS_NS;
    }

    private void sayProgress(final PrintWriter output, final String what)
    {
        final long nowNs = System.nanoTime();
        if (progressDeadlineNs - nowNs <= 0)
        {
            progressDeadlineNs = nowNs + PROGRESS_NS;
            output.println("  " + what + ": waited=" + TimeUnit.NANOSECONDS.toSeconds(nowNs - stageNs) + " s");
            output.flush();
        }
    }

    private void start(final int host, final String name, final PrintWriter output)
    {
        output.println(name + " starts");
        beginStage(output);
        final Path result = directory.path().resolve(name);
        final SecondJvm node = SecondJvm.start(name, hosts.place(host), new DemoNode.Task(
            directory.path().resolve("host-" + host), "host-" + host, name, hosts.address(host),
            List.of(hosts.address(0), hosts.address(1)), messageCount, result));
        nodes.add(node);
        results.add(result);
        node.awaitReady(() ->
        {
            nodes.forEach(SecondJvm::requireAlive);
            sayProgress(output, name + " has not joined yet");
        });
    }

    private static String read(final Path result)
    {
        try
        {
            return Files.readString(result);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
