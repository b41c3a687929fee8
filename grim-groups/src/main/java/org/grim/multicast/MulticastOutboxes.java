// SPDX-License-Identifier: Apache-2.0
package org.grim.multicast;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.grim.counters.ChannelCounters;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Membership;
import org.grim.transport.NodeFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * The multicast outboxes that a node has made, and those of others that it reads.
 * <p>Thread: the host endpoint's owner; {@link #close()} any.
 */
public final class MulticastOutboxes implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MulticastOutboxes.class);
    private static final int OFFER_BITS = 12;       // No offer of a node is one of the number's last owner.
    private static final String KIND = "multicast-";
    private static final String FIX = "; free space there, or lower grim.group.outbox-length";

    private final Membership membership;
    private final NodeFiles files;
    private final Bells bells;
    private final ArrivalQueues queues;
    private final ChannelCounters counters;
    private final int length;
    private final List<MulticastOutbox> own = new ArrayList<>();
    private final ArrayList<MulticastArrivals> arrivals = new ArrayList<>();
    private int nextNumber;
    private int nextOffer;
    private boolean isClosed;

    /** Wakes who sleeps. Thread: any. */
    @FunctionalInterface
    public interface Bells
    {
        /**
         * Rings the doorbell of an endpoint.
         *
         * @param node        its number.
         * @param incarnation of the node.
         * @param bell        number of the doorbell, as it stands in memory where anybody may have written anything.
         */
        void ring(int node, int incarnation, int bell);
    }

    /**
     * None yet.
     *
     * @param membership of the node.
     * @param files      of nodes; null if this node is alone: it has no outboxes then.
     * @param bells      of nodes.
     * @param queues     of the host endpoint's loop.
     * @param counters   of what the host endpoint sends.
     * @param length     bytes of each outbox, a power of two; 0 if there shall be none.
     */
    public MulticastOutboxes(
        final Membership membership, final NodeFiles files, final Bells bells, final ArrivalQueues queues,
        final ChannelCounters counters, final int length)
    {
        this.membership = membership;
        this.files = files;
        this.bells = bells;
        this.queues = queues;
        this.counters = counters;
        this.length = length;
        nextOffer = membership.incarnation() << OFFER_BITS;
    }

    /** {@return whether this node may have outboxes} */
    public boolean isEnabled()
    {
        return files != null && length > 0;
    }

    /** Makes an outbox without readers. Returns the outbox; null if there is no memory for it, which is logged. */
    public synchronized MulticastOutbox tryCreate()
    {
        if (isClosed || !isEnabled())
        {
            return null;
        }
        final int number = nextNumber;
        nextNumber++;
        try
        {
            final MappedFile file = MappedFile.create(
                files.of(membership.self(), membership.incarnation(), KIND + number),
                OutboxLayout.RECORDS_OFFSET + (long)length, FIX);
            final MulticastOutbox outbox = new MulticastOutbox(number, file, this, membership, bells, counters);
            SegmentHeader.complete(file.buffer(), OutboxLayout.MAGIC);
            file.publish();
            own.add(outbox);
            return outbox;
        }
        catch (final GrimException ex)
        {
            LOGGER.warn("no memory for multicasts, each member gets a message: {}", ex.getMessage());
            return null;
        }
    }

    /**
     * Looks at an outbox of a node of this host.
     *
     * @param node    number of the sender, from a peer.
     * @param number  of the outbox, from a peer.
     * @param reader  number of this reader, from a peer.
     * @param offer   number of the offer, from a peer.
     * @param firstEpoch this node's first one in the group: what is of an earlier one is passed over.
     * @param taker   of the messages; null if the loop's handlers run.
     * @return what reads it, as soon as it begins; null if there is no such outbox any more, the offer is an old one,
     *     or the file cannot be mapped, which is logged.
     */
    public MulticastArrivals tryOpen(
        final int node, final int number, final int reader, final int offer, final int firstEpoch,
        final MulticastArrivals.Taker taker)
    {
        final int incarnation = membership.incarnationOf(membership.status(node));
        if (!isEnabled() || number < 0 || reader < 0 || reader >= OutboxLayout.READER_COUNT_MAX)
        {
            return null;
        }
        final Path path = files.of(node, incarnation, KIND + number);
        if (Files.notExists(path))
        {
            return null;                // The sender has left the group, or died.
        }
        try
        {
            final MappedFile file = MappedFile.open(path, OutboxLayout.MAGIC, OutboxLayout.RECORDS_OFFSET, true);
            if (OutboxLayout.capacity(file.buffer().capacity()) == 0)
            {
                file.close();
                throw new GrimException(BAD_DATA,
                    file.path() + " has no multicast outbox's length=" + file.buffer().capacity());
            }
            final MulticastArrivals opened = new MulticastArrivals(
                this, file, reader, offer, node, incarnation, membership.self(), firstEpoch, taker);
            if (!opened.tryAttach())
            {
                file.close();
                return null;
            }
            return opened;
        }
        catch (final GrimException ex)
        {
            LOGGER.warn("no multicasts of node={} in place: {}", node, ex.getMessage());
            return null;
        }
    }

    /**
     * The host endpoint is about to sleep, or wakes.
     *
     * @param bell number of its doorbell; -1 for awake.
     */
    public void asleep(final int bell)
    {
        for (int i = 0; i < arrivals.size(); i++)
        {
            arrivals.get(i).asleep(bell + 1);
        }
    }

    /** Ends an outbox. */
    public synchronized void close(final MulticastOutbox outbox)
    {
        own.remove(outbox);
        outbox.close();
    }

    /** Removes this node's files. */
    @Override
    public synchronized void close()
    {
        isClosed = true;
        own.forEach(MulticastOutbox::close);
        own.clear();
    }

    int nextOffer()
    {
        nextOffer++;
        return nextOffer;
    }

    void add(final MulticastArrivals newArrivals)
    {
        arrivals.ensureCapacity(arrivals.size() + 1);       // Both or, without heap, none.
        queues.add(newArrivals);
        arrivals.add(newArrivals);
    }

    void remove(final MulticastArrivals oldArrivals)
    {
        arrivals.remove(oldArrivals);
        queues.remove(oldArrivals);
    }
}
