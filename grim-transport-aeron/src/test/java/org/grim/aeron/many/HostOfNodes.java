// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.many;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.NodeInfo;

/**
 * A host with many nodes in one process, each with a thread. Says {@code joined MS} when all of them see the requested
 * number; {@code exchange N} on its input has each of them send N messages to each other one of the cluster, and says
 * {@code exchanged MS COUNT}; the end of its input ends it.
 */
public final class HostOfNodes
{
    private static final PrintStream OUTPUT =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private static final int NODE_COUNT_MAX = 128;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final int nodeCount;
    private final int clusterSize;
    private final CyclicBarrier barrier;
    private volatile int messageCount = -1;             // -1: there is nothing to send.
    private volatile boolean isEnded;

    private HostOfNodes(final int nodeCount, final int clusterSize)
    {
        this.nodeCount = nodeCount;
        this.clusterSize = clusterSize;
        barrier = new CyclicBarrier(nodeCount + 1);
    }

    /**
     * Runs.
     *
     * @param arguments directory, number of this host, ports of all (comma), nodes of a host, nodes to wait for.
     */
    public static void main(final String[] arguments) throws Exception
    {
        new HostOfNodes(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4])).run(
            Path.of(arguments[0]), Integer.parseInt(arguments[1]), List.of(arguments[2].split(",")));
    }

    private void run(final Path directory, final int host, final List<String> ports) throws Exception
    {
        final BufferedReader input = new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        final List<Thread> threads = new ArrayList<>();
        final long startNs = System.nanoTime();
        for (int i = 0; i < nodeCount; i++)
        {
            final String name = "node-" + host + "-" + i;
            threads.add(new Thread(() -> runNode(directory, host, ports, name), name));
        }
        threads.forEach(Thread::start);
        barrier.await();
        say("joined", startNs, clusterSize);
        for (String line = input.readLine(); line != null; line = input.readLine())
        {
            final int count = Integer.parseInt(line.substring(line.indexOf(' ') + 1));
            final long exchangeNs = System.nanoTime();
            messageCount = count;
            barrier.await();
            say("exchanged", exchangeNs, count);
        }
        isEnded = true;
        for (final Thread thread : threads)
        {
            thread.join();
        }
    }

    private static GrimConfig config(
        final Path directory, final int host, final List<String> ports, final String name)
    {
        return GrimConfig.builder().nodeName(name).directory(directory).transports("shmem", "aeron")
            .set("grim.cluster.nodes-max", NODE_COUNT_MAX).set("grim.node.host", "host-" + host)
            .set("grim.aeron.term-length", 64 << 10).set("grim.aeron.connect-timeout", "10s")
            .set("grim.aeron.silence-timeout", "60s").set("grim.aeron.idle-timeout", "2s")
            .set("grim.network.join-timeout", "60s").set("grim.handlers.resolve-timeout", "60s")
            .set("grim.network.bind", "127.0.0.1:" + ports.get(host)).set("grim.network.discovery.hosts",
                ports.stream().map(port -> "127.0.0.1:" + port).toList()).build();
    }

    private void runNode(final Path directory, final int host, final List<String> ports, final String name)
    {
        try (Grim grim = Grim.enable(config(directory, host, ports, name)))
        {
            final int[] receivedCounts = new int[NODE_COUNT_MAX];
            final HandlerId number = grim.handlers().register("number", message -> receive(receivedCounts,
                message.source().node(), message.argument(0)));
            grim.start();
            grim.awaitNodes(clusterSize, PATIENCE);
            barrier.await();
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            while (!isEnded)
            {
                final int count = messageCount;
                if (count > 0)
                {
                    exchange(grim, number, count, receivedCounts);
                    messageCount = -1;
                    barrier.await();
                }
                idle.idle(grim.endpoint().poll());
            }
        }
        catch (final Exception ex)
        {
            ex.printStackTrace();
            Runtime.getRuntime().halt(1);           // The other threads wait for this one.
        }
    }

    /** In rounds, as all-to-all is done: each sends to the one that many places behind it. */
    private static void exchange(
        final Grim grim, final HandlerId number, final int count, final int[] receivedCounts)
    {
        final List<NodeInfo> nodes = new ArrayList<>(grim.nodes());
        nodes.removeIf(node -> node.state() != NodeInfo.State.UP);
        final int self = nodes.stream().map(NodeInfo::number).toList().indexOf(grim.node().number());
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        for (int round = 1; round < nodes.size(); round++)
        {
            final NodeInfo destination = nodes.get((self + round) % nodes.size());
            final int source = nodes.get((self + nodes.size() - round) % nodes.size()).number();
            final long startNs = System.nanoTime();
            int sentCount = 0;
            while (sentCount < count || receivedCounts[source] < count)
            {
                final boolean isSent = sentCount < count && grim.endpoint().link(destination)
                    .send(number, sentCount, 0, 0, 0).isAccepted();
                sentCount += isSent ? 1 : 0;
                idle.idle(grim.endpoint().poll() + (isSent ? 1 : 0));
                if (System.nanoTime() - startNs > PATIENCE.toNanos())
                {
                    throw new IllegalStateException("round=" + round + " destination=" + destination + " sent=" +
                        sentCount + " received=" + Arrays.toString(receivedCounts));
                }
            }
        }
    }

    private static void receive(final int[] receivedCounts, final int source, final int sequence)
    {
        if (receivedCounts[source]++ != sequence)
        {
            throw new IllegalStateException("node " + source + ": message " + sequence + " came as number " +
                (receivedCounts[source] - 1));
        }
    }

    private static void say(final String what, final long startNs, final int count)
    {
        OUTPUT.println(what + " " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) + " " + count);
    }
}
