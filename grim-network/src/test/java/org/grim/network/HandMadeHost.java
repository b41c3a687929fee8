// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.grim.cluster.AgentMembership;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.HostDirectory;
import org.grim.cluster.HostNetwork;
import org.grim.cluster.HostRequests;
import org.grim.cluster.NodeDescription;
import org.grim.network.registry.Decision;
import org.grim.network.registry.Pledge;
import org.grim.network.registry.RegistryFile;

/** A host whose agent a test runs step by step, with a hand-moved clock. Thread: one, but for joining nodes. */
final class HandMadeHost
{
    static final long SUCCESSION_NS = TimeUnit.SECONDS.toNanos(2);
    static final int NODE_COUNT_MAX = 8;

    final String label;
    private final Path base;
    private final List<ClusterDirectory> nodes = new ArrayList<>();
    private volatile HostDirectory directory;
    private final AtomicInteger startCount = new AtomicInteger();
    private HandMadeNetwork.HandMadeGroup group;
    private HostAgent agent;
    private AgentMembership membership;
    private long clockOffsetMs;
    private volatile long joinTimeoutNs = TimeUnit.SECONDS.toNanos(60);

    HandMadeHost(final Path base, final String label)
    {
        this.base = base;
        this.label = label;
    }

    /**
     * Says how long nodes that join from now on wait for a number, by the machine's clock. An agent that begins from
     * now on frees a number that no node has taken for twice as long, by the test's clock.
     */
    void joinTimeoutNs(final long timeoutNs)
    {
        joinTimeoutNs = timeoutNs;
    }

    /** Begins to join a node; the agent has to be run until it is done. */
    CompletableFuture<ClusterDirectory> join(final String name)
    {
        return CompletableFuture.supplyAsync(() -> ClusterDirectory.join(
            new ClusterFiles(base.resolve(label)), NODE_COUNT_MAX,
            new NodeDescription(label, name, 1, List.of("null")), new Start()),
            joining -> new Thread(joining, "joining").start());         // The common pool may have one thread for all.
    }

    /** A node is there. */
    ClusterDirectory joined(final CompletableFuture<ClusterDirectory> node)
    {
        try
        {
            final ClusterDirectory directoryOfNode = node.join();
            nodes.add(directoryOfNode);
            directoryOfNode.up();
            return directoryOfNode;
        }
        catch (final CompletionException ex)
        {
            throw (RuntimeException)ex.getCause();
        }
    }

    /** The host is there without a node. */
    void makeDirectory()
    {
        membership = AgentMembership.join(new ClusterFiles(base.resolve(label)), NODE_COUNT_MAX, new Start());
    }

    /** An agent takes the role. */
    void beginAgent(final HandMadeNetwork network)
    {
        group = network.join();
        agent = new HostAgent(directory, new NetworkSettings(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 7900), null, List.of(), "", "", "", null,
            joinTimeoutNs, SUCCESSION_NS, TimeUnit.SECONDS.toNanos(10)), label, group);
    }

    /** Stores a decision about the members, as an agent does that dies before it acts on it. */
    void learnWithoutAgent(final List<String> members)
    {
        final RegistryFile file = new RegistryFile(directory.registry(), directory.temporaryRegistry());
        final RegistryFile.Content kept = file.read();
        final Decision before = kept.registry().snapshot();
        file.write(kept.host(), kept.givenUp(), new Decision(before.cluster(), 0, before.epoch() + 1, members,
            before.grants(), before.handlers()), Pledge.NONE);
    }

    /** The agent's process dies: it says nothing. */
    void killAgent()
    {
        group.close();
        agent = null;
    }

    /** {@return how many times nodes began to join} */
    int startCount()
    {
        return startCount.get();
    }

    /** {@return whether a node of this host waits for an answer of the agent} */
    boolean hasRequest()
    {
        return directory.requests().hasOpen();
    }

    HandMadeNetwork.HandMadeGroup group()
    {
        return group;
    }

    /** Reason for which a joining node waits or was refused. */
    String reason()
    {
        return directory.requests().reason(HostRequests.NUMBER_SLOT);
    }

    HostAgent agent()
    {
        return agent;
    }

    /** The time of day jumps. */
    void clockOffsetMs(final long offsetMs)
    {
        clockOffsetMs = offsetMs;
    }

    void doWork(final long nowNs)
    {
        if (agent != null)
        {
            agent.doWork(nowNs, TimeUnit.NANOSECONDS.toMillis(nowNs) + clockOffsetMs);
        }
    }

    void close()
    {
        nodes.forEach(ClusterDirectory::close);
        if (membership != null)
        {
            membership.close();
        }
    }

    /** Gives the test the directory: another object for each node, of the same file until that is made again. */
    private final class Start implements HostNetwork
    {
        @Override
        public void start(final HostDirectory newDirectory)
        {
            directory = newDirectory;
            startCount.incrementAndGet();
        }

        @Override
        public long joinTimeoutNs()
        {
            return joinTimeoutNs;
        }

        @Override
        public void stopFollowing()
        {
        }

        @Override
        public void leave(final boolean isLast)
        {
            // The test ends the agent.
        }
    }
}
