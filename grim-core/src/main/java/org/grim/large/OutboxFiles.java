// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.grim.transport.Membership;
import org.grim.transport.NodeFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The files of outboxes. A sender makes an area under its own name, and a hard link in the name of each receiver before
 * the first message to it. So the memory stays until the sender and every receiver that may still read there have let
 * go of it, also if a process dies at any instruction. A receiver's links go with its other files, or when nothing of
 * the sender's incarnation can come any more.
 * <p>Thread: any; an area is its endpoint's.
 * <p>Owns: the links in this node's name.
 */
public final class OutboxFiles implements Outbox.Areas, AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(OutboxFiles.class);
    private static final int SEQUENCES_PER_OUTBOX = 1 << 20;
    private static final String AREA_KIND = "outbox-";
    private static final String LINK_KIND = "outbox-of-";
    private static final String EXAMPLE_NUMBERS = "0-0-0";
    private static final String FIX = "; free space there, or lower grim.message.outbox-length";

    private final Membership membership;
    private final NodeFiles files;                          // null if this node is alone
    private final Arrivals arrivals;
    private final int[] statusSeen;
    private final List<Link> abandoned = new ArrayList<>();
    private final Map<Integer, AtomicBuffer> privateAreas = new ConcurrentHashMap<>();
    private final AtomicInteger nextId = new AtomicInteger();
    private final AtomicInteger nextTransfer = new AtomicInteger();
    private final AtomicInteger nextSequence = new AtomicInteger(1);
    private final List<LargeSends> adopted = new ArrayList<>();

    /** Says what transports know about senders. Thread: any. */
    @FunctionalInterface
    public interface Arrivals
    {
        /**
         * Returns whether messages of a node that is gone may still be unread. False if nothing of it will be delivered
         * any more.
         */
        boolean mayHold(int node, int incarnation);
    }

    /** A link in this node's name. */
    private record Link(Path path, int node, int incarnation)
    {
    }

    /**
     * Makes the outboxes of a node, empty.
     *
     * @param membership of the node.
     * @param files      of nodes, or null if this node is alone.
     * @param arrivals   of the node.
     */
    public OutboxFiles(final Membership membership, final NodeFiles files, final Arrivals arrivals)
    {
        this.membership = membership;
        this.files = files;
        this.arrivals = arrivals;
        statusSeen = new int[membership.nodeCountMax()];
    }

    /** Number of a new transfer: another one for each of the node's endpoints, also of those that are closed. */
    int nextTransfer()
    {
        return nextTransfer.getAndIncrement();
    }

    /** Where the sequences of a new outbox start: far from those of others. */
    int nextSequence()
    {
        return nextSequence.getAndAdd(SEQUENCES_PER_OUTBOX);
    }

    boolean isGone(final int node, final int incarnation)
    {
        return membership.status(node) != membership.upStatus(incarnation);
    }

    /** Keeps an outbox whose endpoint is closed until its messages were read. */
    synchronized void adopt(final LargeSends sends)
    {
        if (!sends.tryRetire())
        {
            adopted.add(sends);
        }
    }

    @Override
    public OutboxArea tryCreate(final long length)
    {
        final int id = nextId.getAndIncrement();
        final long fileLength = length + OutboxArea.BLOCKS_OFFSET;
        try
        {
            return fileLength > Integer.MAX_VALUE ? null : files == null ? createPrivate(id, (int)fileLength) :
                createFile(id, fileLength);
        }
        catch (final GrimException ex)
        {
            LOGGER.warn("no memory for an outbox of {} bytes, long messages go in parts: {}", length, ex.getMessage());
            return null;
        }
    }

    /**
     * Gives an area a name that belongs to a receiver, unless it has one. Returns false if the receiver is gone, or the
     * file system has no hard links.
     */
    public boolean tryOffer(final OutboxArea area, final int node, final int incarnation)
    {
        if (files == null || area.offers.get(node) == incarnation)
        {
            return true;
        }
        final Path link = linkOf(area, node, incarnation);
        try
        {
            Files.createLink(link, area.file.path());
        }
        catch (final FileAlreadyExistsException ex)
        {
            LOGGER.debug("{} was there", link);             // The receiver checks the file that it opens.
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            LOGGER.warn("no hard link {}, long messages to node={} go in parts: {}", link, node, ex.toString());
            return false;
        }
        if (membership.status(node) != membership.upStatus(incarnation))
        {
            area.file.identity().at(link).delete();         // The remover of the receiver's files may not have seen it.
            return false;
        }
        area.offers.put(node, incarnation);
        return true;
    }

    @Override
    public void retire(final OutboxArea area)
    {
        area.buffer.putIntRelease(OutboxArea.RETIRED_OFFSET, 1);                // partner: OutboxView.isRetired()
        if (files != null)
        {
            area.offers.forEachInt((node, incarnation) ->
                area.file.identity().at(linkOf(area, node, incarnation)).delete());
        }
        close(area);
    }

    @Override
    public void close(final OutboxArea area)
    {
        privateAreas.remove(area.id);
        if (area.file != null)
        {
            area.file.closeAndDelete();
        }
    }

    /**
     * Looks at an area of a sender.
     *
     * @param node        number of the sender, from a peer.
     * @param incarnation of the sender, from a peer.
     * @param id          of the area, from a peer.
     * @return a view, to be closed; null if there is no such area for this node.
     */
    public OutboxView tryOpen(final int node, final int incarnation, final int id)
    {
        if (files == null)
        {
            final AtomicBuffer buffer = privateAreas.get(id);
            return buffer == null || node != membership.self() || incarnation != membership.incarnation() ? null :
                new OutboxView(node, incarnation, buffer, null);
        }
        try
        {
            final MappedFile file = MappedFile.open(own(LINK_KIND + node + "-" + incarnation + "-" + id),
                OutboxArea.MAGIC, OutboxArea.BLOCKS_OFFSET, true);
            return new OutboxView(node, incarnation, file.buffer(), file);
        }
        catch (final GrimException ex)
        {
            LOGGER.debug("no area={} of node={} incarnation={}: {}", id, node, incarnation, ex.getMessage());
            return null;
        }
    }

    /**
     * Returns whether nothing of an incarnation can come any more. True if the node is gone, and no message of it is
     * unread.
     */
    public boolean isOver(final int node, final int incarnation)
    {
        return membership.status(node) != membership.upStatus(incarnation) && !arrivals.mayHold(node, incarnation);
    }

    /**
     * Removes the links to areas of senders that are gone, once all their messages were read. Bounded; some times per
     * 100 ms. Returns the number of links removed.
     */
    public synchronized int housekeep()
    {
        if (files != null && hasMembershipChanged())
        {
            abandoned.clear();
            forEachLink(link ->
            {
                if (membership.status(link.node) != membership.upStatus(link.incarnation))
                {
                    abandoned.add(link);
                }
            });
        }
        adopted.removeIf(LargeSends::tryRetire);
        int count = 0;
        for (int i = abandoned.size() - 1; i >= 0; i--)
        {
            final Link link = abandoned.get(i);
            if (!arrivals.mayHold(link.node, link.incarnation))
            {
                MappedFile.delete(link.path);
                abandoned.remove(i);
                count++;
            }
        }
        return count;
    }

    /** Removes the links in this node's name. Areas are closed by their endpoints. */
    @Override
    public synchronized void close()
    {
        adopted.forEach(LargeSends::close);
        if (files != null)
        {
            forEachLink(link -> MappedFile.delete(link.path));
        }
    }

    private OutboxArea createPrivate(final int id, final int length)
    {
        final AtomicBuffer buffer = Buffers.allocate(length);
        privateAreas.put(id, buffer);
        return new OutboxArea(id, buffer, null);
    }

    private OutboxArea createFile(final int id, final long length)
    {
        final MappedFile file = MappedFile.create(own(AREA_KIND + id), length, FIX);
        SegmentHeader.complete(file.buffer(), OutboxArea.MAGIC);
        file.publish();
        return new OutboxArea(id, file.buffer(), file);
    }

    private Path own(final String kind)
    {
        return files.of(membership.self(), membership.incarnation(), kind);
    }

    private Path linkOf(final OutboxArea area, final int node, final int incarnation)
    {
        return files.of(node, incarnation, LINK_KIND + membership.self() + "-" + membership.incarnation() + "-" +
            area.id);
    }

    private boolean hasMembershipChanged()
    {
        boolean hasChanged = false;
        for (int node = 0; node < statusSeen.length; node++)
        {
            final int status = membership.status(node);
            hasChanged |= statusSeen[node] != status;
            statusSeen[node] = status;
        }
        return hasChanged;
    }

    private void forEachLink(final Consumer<Link> consumer)
    {
        final Path example = own(LINK_KIND + EXAMPLE_NUMBERS);
        final String name = example.getFileName().toString().replaceFirst(EXAMPLE_NUMBERS + "$", "");
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(example.getParent(), name + "*"))
        {
            for (final Path path : paths)
            {
                final Link link = parse(path, path.getFileName().toString().substring(name.length()));
                if (link != null)
                {
                    consumer.accept(link);
                }
            }
        }
        catch (final NoSuchFileException ex)
        {
            return;                     // This node was fenced, and its cluster's files removed.
        }
        catch (final IOException | DirectoryIteratorException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "list of " + example.getParent() + "/" + name + "* failed: " + ex, ex);
        }
    }

    /** Null for a file that is not GRIM's. */
    private Link parse(final Path path, final String rest)
    {
        if (!rest.matches("\\d{1,4}-\\d{1,9}-\\d{1,10}"))
        {
            return null;
        }
        final String[] numbers = rest.split("-", -1);
        final int node = Integer.parseInt(numbers[0]);
        return node >= membership.nodeCountMax() ? null : new Link(path, node, Integer.parseInt(numbers[1]));
    }
}
