// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.queue.Inbox;

/**
 * The peers' inboxes that this process has mapped: each once, for as long as a link uses it.
 * <p>Thread: any. Owns: the mappings.
 */
final class PeerInboxes
{
    private final Paths paths;
    private final int lengthMin;
    private final List<PeerInbox> open = new ArrayList<>();

    /** Where inboxes stand. */
    interface Paths
    {
        Path of(int node, int incarnation);
    }

    PeerInboxes(final Paths paths, final int lengthMin)
    {
        this.paths = paths;
        this.lengthMin = lengthMin;
    }

    /**
     * Maps the inbox of one incarnation of a node, unless it is mapped. Paired with {@link #release}.
     *
     * @throws GrimException if the file is not that incarnation's inbox.
     */
    synchronized PeerInbox acquire(final int node, final int incarnation)
    {
        for (final PeerInbox peer : open)
        {
            if (peer.inbox.node() == node && peer.inbox.incarnation() == incarnation)
            {
                peer.userCount++;
                return peer;
            }
        }
        final Path path = paths.of(node, incarnation);
        final MappedFile file = MappedFile.open(path, Inbox.MAGIC, lengthMin, true);
        try
        {
            final PeerInbox peer = new PeerInbox(file, Inbox.wrap(file.buffer()));
            if (peer.inbox.node() != node || peer.inbox.incarnation() != incarnation)
            {
                throw new GrimException(path + " is the inbox of node=" + peer.inbox.node() + " incarnation=" +
                    peer.inbox.incarnation() + ", expected node=" + node + " incarnation=" + incarnation);
            }
            open.add(peer);
            return peer;
        }
        catch (final GrimException ex)
        {
            file.close();
            throw ex;
        }
    }

    /** Ends one use; the last one unmaps. */
    synchronized void release(final PeerInbox peer)
    {
        peer.userCount--;
        if (peer.userCount == 0 && open.remove(peer))
        {
            peer.file.close();
        }
    }

    synchronized void close()
    {
        open.forEach(peer -> peer.file.close());
        open.clear();
    }

    /** One mapped inbox. */
    static final class PeerInbox
    {
        private final MappedFile file;
        private final Inbox inbox;
        private int userCount = 1;

        PeerInbox(final MappedFile file, final Inbox inbox)
        {
            this.file = file;
            this.inbox = inbox;
        }

        Inbox inbox()
        {
            return inbox;
        }
    }
}
