// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.nodes;

import java.nio.file.Path;
import java.util.List;

import org.agrona.ErrorHandler;
import org.grim.GrimConfig;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.NodeDescription;
import org.grim.myrinet.MyrinetTransportProvider;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.process.PrivateDirectory;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Membership;
import org.grim.transport.Settings;
import org.grim.transport.Transport;
import org.grim.transport.TransportContext;

/**
 * Channels of a real board to which nobody sends. Its firmware has a thread of its own, which sleeps while nothing
 * comes, so that a poll looks at nothing but the tail flags.
 * <p>Thread: one. Owns: the board, its node and their files.
 */
final class SilentBoard implements AutoCloseable
{
    private static final int NODE_COUNT_MAX = 2;
    private static final int SRAM_LENGTH = 4 << 20;
    private static final int QUEUE_LENGTH = 16 << 10;
    private static final int FRAME_LENGTH = 4096;
    private static final int FRAME_COUNT = 32;

    private final PrivateDirectory directory;
    private final ClusterDirectory membership;
    private final Transport transport;
    private final int queueCount;

    SilentBoard(final int queueCount, final Path base)
    {
        this.queueCount = queueCount;
        directory = PrivateDirectory.create("grim-poll-board-", base);
        final GrimConfig config = BoardKind.THREAD.apply(GrimConfig.builder().directory(directory.path())
            .set("grim.channels.count", queueCount)
            .set("grim.myrinet.translation", "thread")
            .set("grim.myrinet.sram-length", SRAM_LENGTH)
            .set("grim.myrinet.queue-length", QUEUE_LENGTH)
            .set("grim.myrinet.arrival.frame-length", FRAME_LENGTH)
            .set("grim.myrinet.arrival.frame-count", FRAME_COUNT)
            .build());
        final ClusterFiles files = new ClusterFiles(config.clusterDirectory());
        membership = ClusterDirectory.join(files, NODE_COUNT_MAX, new NodeDescription("local", "poll", queueCount,
            List.of(BoardKind.TRANSPORT)));
        transport = new MyrinetTransportProvider().open(
            new Context(membership, new Settings(config.settings()), files));
        membership.up();
    }

    /** Adds a queue for each channel. */
    void attach(final ArrivalQueues queues)
    {
        for (int channel = 0; channel < queueCount; channel++)
        {
            transport.attach(channel, queues);
        }
    }

    @Override
    public void close()
    {
        transport.close();
        membership.close();
        directory.close();
    }

    /** The context of the transport. */
    private record Context(ClusterDirectory directory, Settings settings, ClusterFiles files)
        implements TransportContext
    {
        @Override
        public Membership membership()
        {
            return directory;
        }

        @Override
        public Path nodeFile(final int node, final int incarnation, final String kind)
        {
            return files.ofNode(node, incarnation, kind);
        }

        @Override
        public void ring(final int node, final int incarnation, final int bell)
        {
            throw new IllegalStateException("nobody sleeps: node=" + node + " bell=" + bell);
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
    }
}
