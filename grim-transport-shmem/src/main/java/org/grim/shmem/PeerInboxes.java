// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.queue.Inbox;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * The peers' inboxes that this process has mapped: each once, for as long as a link uses it. Only its links reach an
 * inbox, and the buffers of claims that the application was given; without those the last link that is closed unmaps it
 * at once, so that a dead peer's memory is free as soon as its accounts are settled (decision 20).
 * <p>Thread: any; a link is closed when no thread is in it. Owns: the mappings.
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
     * @throws GrimException if the file is not that incarnation's inbox, or gone: the node is leaving.
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
        final MappedFile file = open(path, node);
        try
        {
            final PeerInbox peer = new PeerInbox(file, Inbox.wrap(file.buffer()));
            if (peer.inbox.node() != node || peer.inbox.incarnation() != incarnation)
            {
                throw new GrimException(BAD_DATA,
                    path + " is the inbox of node=" + peer.inbox.node() + " incarnation=" +
                    peer.inbox.incarnation() + ", expected node=" + node + " incarnation=" + incarnation);
            }
            open.add(peer);
            return peer;
        }
        catch (final GrimException ex)
        {
            file.unmap();
            throw ex;
        }
    }

    private MappedFile open(final Path path, final int node)
    {
        try
        {
            return MappedFile.open(path, Inbox.MAGIC, lengthMin, true);
        }
        catch (final GrimException ex)
        {
            if (ex.getCause() instanceof NoSuchFileException)
            {
                throw new GrimException(
                    UNREACHABLE, "node=" + node + " is leaving: it has removed its inbox " + path, ex);
            }
            throw ex;
        }
    }

    /** The application may keep a view of an inbox: only the collector knows for how long. */
    synchronized void lent(final PeerInbox peer)
    {
        peer.isLent = true;
    }

    /** Ends one use; the last one unmaps. */
    synchronized void release(final PeerInbox peer)
    {
        peer.userCount--;
        if (peer.userCount == 0 && open.remove(peer))
        {
            if (peer.isLent)
            {
                peer.file.close();
            }
            else
            {
                peer.file.unmap();
            }
        }
    }

    /** Lets go of all; threads may still be in the links. */
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
        private boolean isLent;

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
