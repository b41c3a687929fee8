// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.nodes;

import java.nio.file.Path;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.NodeDescription;
import org.grim.queue.ChannelReceiver;
import org.grim.queue.ExclusiveSender;
import org.grim.queue.Inbox;
import org.grim.queue.InboxGeometry;
import org.grim.tools.process.PrivateDirectory;
import org.grim.transport.ArrivalQueues;

/**
 * An inbox in private memory or in a mapped file, with a silent sender for each queue.
 * <p>Thread: one. Owns: the file, if there is one.
 */
final class SilentInbox implements AutoCloseable
{
    private static final int SLOT_COUNT = 1024;
    private static final int SLOT_LENGTH = 64;
    private static final int RING_LENGTH = 1 << 18;

    private final int queueCount;
    private final ClusterDirectory membership;
    private final PrivateDirectory directory;
    private final MappedFile file;
    private final Inbox inbox;

    SilentInbox(final int queueCount, final boolean isMapped, final Path base)
    {
        this.queueCount = queueCount;
        membership = ClusterDirectory.inPrivateMemory(new NodeDescription("local", "poll", 1,
            List.of(isMapped ? "shmem" : "null")));
        membership.up();
        // Sizes as by default: the words stand as far apart as in real life.
        final InboxGeometry geometry = new InboxGeometry(1, queueCount, 0, SLOT_COUNT, SLOT_LENGTH, RING_LENGTH, 0, 0);
        final int length = Inbox.lengthOf(geometry);
        directory = isMapped ? PrivateDirectory.create("grim-poll-", base) : null;
        file = isMapped ? MappedFile.create(directory.path().resolve("inbox"), length) : null;
        final AtomicBuffer memory = isMapped ? file.buffer() : Buffers.allocate(length);
        inbox = Inbox.create(memory, geometry, membership.self(), membership.incarnation(), 0);
        if (isMapped)
        {
            file.publish();
        }
    }

    /** Adds the attach word now, and a queue for each sender with the next poll. */
    void attach(final ArrivalQueues queues)
    {
        new ChannelReceiver(inbox, 0, membership, queues);
        for (int queue = 0; queue < queueCount; queue++)
        {
            ExclusiveSender.tryAttach(inbox, 0, 0, membership, new NoSenderHost());
        }
    }

    @Override
    public void close()
    {
        if (file != null)
        {
            file.closeAndDelete();
            directory.close();
        }
        membership.close();
    }
}
