// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.death.Faults;
import org.grim.death.History;
import org.grim.death.PeerJvm;

/** One victim JVM from its start to its death, and the reader of its history. */
final class Run implements AutoCloseable
{
    final List<RunNode> nodes = new ArrayList<>();
    volatile long killedNs;
    volatile long acceptedCount;
    volatile long abortedCount;

    private final PeerJvm jvm;
    private final Faults faults;
    private final Thread reader;
    private volatile boolean isReady;

    Run(final Path directory, final Path log, final int nodeCount, final Faults faults)
    {
        this.faults = faults;
        jvm = new PeerJvm(log, VictimMain.class, directory.toString(), Integer.toString(nodeCount));
        reader = new Thread(this::read, "history");
        reader.setDaemon(true);
        reader.start();
    }

    /** Has the nodes join and send. The list of nodes is complete before the first of them says anything. */
    void go(final String name, final int firstKey, final int nodeCount, final long seed)
    {
        for (int node = 0; node < nodeCount; node++)
        {
            nodes.add(new RunNode(this, name + "-" + node, firstKey + node));
        }
        jvm.tell(name + " " + firstKey + " " + seed);
    }

    boolean isReady()
    {
        return isReady;
    }

    boolean hasJoined()
    {
        return nodes.stream().allMatch(RunNode::hasJoined);
    }

    boolean isAlive()
    {
        return jvm.process().isAlive();
    }

    PeerJvm jvm()
    {
        return jvm;
    }

    void kill()
    {
        killedNs = System.nanoTime();
        jvm.kill();
    }

    /** Waits until all of the history is read. */
    void awaitEnd()
    {
        try
        {
            reader.join(60_000);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (reader.isAlive())
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, "history of a killed process does not end: " + nodes);
        }
    }

    @Override
    public void close()
    {
        jvm.close();
    }

    private void read()
    {
        try
        {
            History.read(jvm.process().getInputStream(), this::onRecord);
        }
        catch (final IOException ex)
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, "history cannot be read: " + ex);
        }
    }

    private void onRecord(final int type, final int node, final int first, final int second, final int third)
    {
        switch (type)
        {
            case History.READY -> isReady = true;
            case History.JOINED ->
            {
                nodes.get(node).incarnation = second;
                nodes.get(node).number = first;
            }
            case History.ACCEPTED -> onAccepted(nodes.get(node), first, second);
            case History.ABORTED -> abortedCount = abortedCount() + 1;
            case History.DELIVERED -> nodes.get(node).dripDelivered = second;
            default -> onFault(nodes.get(node), first, second, third);
        }
    }

    private long abortedCount()
    {
        return abortedCount;
    }

    private void onAccepted(final RunNode node, final int stream, final int sequence)
    {
        final int before = node.accepted.getOrDefault(stream, 0);
        if (sequence != before + 1)
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, "history of " + node + " is not whole: " + before + ", " + sequence);
        }
        node.accepted.put(stream, sequence);
        acceptedCount = totalAccepted() + 1;
    }

    private long totalAccepted()
    {
        return acceptedCount;
    }

    private void onFault(final RunNode node, final int code, final int second, final int third)
    {
        final Faults.Kind kind = switch (code)
        {
            case History.FAULT_CORRUPT -> Faults.Kind.CORRUPT;
            case History.FAULT_STALE -> Faults.Kind.PHANTOM;
            case History.FAULT_GAP -> third <= second ? Faults.Kind.REPEATED : Faults.Kind.LOST;
            default -> Faults.Kind.UNRESOLVED;
        };
        faults.add(kind, 1, "reported by " + node + ": code=" + code + " " + second + " " + third);
    }
}
