// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.GrimConfig;
import org.grim.board.counters.NiCounterKind;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.NodeDescription;
import org.grim.counters.CountersView;
import org.grim.myrinet.memory.TestPages;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.MemoryHop;
import org.grim.transport.Settings;
import org.grim.transport.TransportContext;

/** A node with a real board, or on that of another node, and nothing above the transport but its memory. */
final class MemoryNode implements TransportContext, AutoCloseable
{
    private static final int NODE_COUNT_MAX = 8;
    private static final int CHANNEL_COUNT = 2;

    final MyrinetTransport transport;
    final TestPages pages;
    final AtomicBuffer memory;
    private final ClusterFiles files;
    private final ClusterDirectory directory;
    private final Settings settings;
    private final List<ArrivalQueue> queues = new ArrayList<>();
    private boolean isClosed;
    private final List<Connection> connections = new ArrayList<>();

    /** Both halves of a connection. */
    record Connection(Hop hop, MemoryHop memoryHop)
    {
    }

    MemoryNode(final Path cluster, final String name, final Map<String, Object> more)
    {
        files = new ClusterFiles(cluster);
        directory = ClusterDirectory.join(files, NODE_COUNT_MAX,
            new NodeDescription("local", name, CHANNEL_COUNT, List.of("myrinet")));
        final GrimConfig.Builder builder = GrimConfig.builder();
        Map.of("grim.channels.count", CHANNEL_COUNT, "grim.channels.host", 1, "grim.myrinet.firmware", "duty-cycle",
            "grim.myrinet.queue-length", 16 << 10, "grim.myrinet.arrival.frame-length", 2048,
            "grim.myrinet.arrival.frame-count", 4, "grim.myrinet.deadline", "30s",
            "grim.myrinet.linger", "1ms", "grim.myrinet.registered-length", 256 << 10).forEach(builder::set);
        more.forEach(builder::set);
        settings = new Settings(builder.build().settings());
        transport = new MyrinetTransport(this);
        pages = new TestPages(transport.pinnedArena());
        transport.memoryReady(pages);
        memory = transport.pinnedArena().memory();
        directory.up();
    }

    int number()
    {
        return directory.self();
    }

    int incarnation()
    {
        return directory.incarnation();
    }

    /** The path to channel 0 of another node. */
    Connection connect(final MemoryNode other)
    {
        final EndpointId destination = EndpointId.of(other.number(), 0, 0);
        final Hop hop = transport.connect(0, destination);
        final Connection connection = new Connection(hop, transport.connectMemory(0, destination, hop));
        connections.add(connection);
        return connection;
    }

    /** Polls its channels from now on, as a loop does: so it follows the board when that goes and comes. */
    void bind()
    {
        final ArrivalQueues all = new ArrivalQueues()
        {
            @Override
            public void add(final ArrivalQueue queue)
            {
                queues.add(queue);
            }

            @Override
            public void remove(final ArrivalQueue queue)
            {
                queues.remove(queue);
            }
        };
        for (int channel = 0; channel < CHANNEL_COUNT; channel++)
        {
            transport.attach(channel, all);
        }
    }

    /** Lets the board advance, and answers its questions. */
    void step()
    {
        if (!queues.isEmpty())
        {
            List.copyOf(queues).forEach(queue -> queue.drain(null, 1));     // No messages come, only questions.
            for (int channel = 0; channel < CHANNEL_COUNT; channel++)
            {
                transport.housekeep(channel, 0);
            }
            return;
        }
        transport.sessionForTest().runner().advance();
        if (!transport.sessionForTest().translations().isRunning())
        {
            transport.sessionForTest().translations().poll();
        }
    }

    /** The board's counters; it copies its counts from time to time. */
    long counter(final NiCounterKind kind)
    {
        step();
        try (CountersView view = new CountersView(nodeFile(number(), incarnation(), "ni"), NiCounterKind.values()))
        {
            return view.readings().stream().filter(reading -> reading.kind() == kind)
                .mapToLong(CountersView.Reading::value).sum();
        }
    }

    @Override
    public ClusterDirectory membership()
    {
        return directory;
    }

    @Override
    public Settings settings()
    {
        return settings;
    }

    @Override
    public Path nodeFile(final int node, final int incarnation, final String kind)
    {
        return files.ofNode(node, incarnation, kind);
    }

    @Override
    public void ring(final int node, final int incarnation, final int bell)
    {
        throw new IllegalStateException("nobody sleeps here");
    }

    @Override
    public ErrorHandler errorHandler()
    {
        return error ->
        {
            throw new IllegalStateException(error);
        };
    }

    @Override
    public long firstPosition()
    {
        return 0;
    }

    /** Leaves: its board goes with it. Does nothing the second time. */
    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        connections.forEach(connection -> connection.memoryHop().closeMemory());
        transport.close();
        directory.close();
    }
}
