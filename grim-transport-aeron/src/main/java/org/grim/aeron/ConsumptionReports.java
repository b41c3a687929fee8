// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.transport.Membership;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.aeron.ExclusivePublication;
import io.aeron.exceptions.AeronException;

/**
 * Reports to each sender the number of consumed messages of each of its hops, over one publication to each peer, which
 * is made on first need. Counts grow: a report that is lost is made good by the next one, and a new publication reports
 * everything again.
 * <p>Thread: the transport's, but for {@link #add}. Owns: the publications.
 */
final class ConsumptionReports
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ConsumptionReports.class);
    private static final long RETRY_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long UNREPORTED = Long.MIN_VALUE;

    private final Membership membership;
    private final AeronConfig config;
    private final Party self;
    private final Queue<AeronQueue> added = new ConcurrentLinkedQueue<>();
    private final Map<Party, Peer> peers = new HashMap<>();
    private final HopSeals seals;                   // null without a key
    private final AtomicBuffer report = Buffers.allocate(ReportDescriptor.LENGTH);
    private final AtomicBuffer envelope = Buffers.allocate(HopSeals.OVERHEAD_LENGTH + ReportDescriptor.LENGTH);

    ConsumptionReports(
        final Membership membership, final AeronConfig config, final Party self, final HopSeals seals)
    {
        this.membership = membership;
        this.config = config;
        this.self = self;
        this.seals = seals;
    }

    /** A hop begins. Thread: any. */
    void add(final AeronQueue queue)
    {
        added.add(queue);
    }

    /** Sends what is new. Returns the number of reports sent. */
    int send(final DriverSession session)
    {
        for (AeronQueue queue = added.poll(); queue != null; queue = added.poll())
        {
            peers.computeIfAbsent(queue.source(), Peer::new).queues.add(queue);
        }
        int count = 0;
        for (final Iterator<Peer> each = peers.values().iterator(); each.hasNext();)
        {
            final Peer peer = each.next();
            if (peer.hasEnded())
            {
                peer.closePublication();
                each.remove();
            }
            else
            {
                count += peer.send(session);
            }
        }
        return count;
    }

    /** {@return whether every peer was sent everything} */
    boolean isDone(final DriverSession session)
    {
        return added.isEmpty() && peers.values().stream().allMatch(peer -> peer.isDone(session));
    }

    /** One incarnation of a node that sends here. */
    private final class Peer
    {
        private final Party node;
        private final List<AeronQueue> queues = new ArrayList<>();
        private DriverSession session;
        private long publicationId;
        private ExclusivePublication publication;
        private FrameSeal seal;
        private boolean isConnected;
        private long answerDeadlineNs;
        private long retryDeadlineNs;               // 0: none
        private long silenceDeadlineNs;

        Peer(final Party node)
        {
            this.node = node;
        }

        /** Whether a later incarnation is known, or this one to have gone: one that is not known yet is to come. */
        boolean hasEnded()
        {
            final int incarnation = membership.incarnationOf(membership.status(node.node()));
            return incarnation > node.incarnation() ||
                (incarnation == node.incarnation() && !membership.isPresent(node.node()));
        }

        int send(final DriverSession current)
        {
            int count = 0;
            for (int i = queues.size() - 1; i >= 0; i--)
            {
                final AeronQueue queue = queues.get(i);
                final boolean isEnded = queue.isEnded();        // Before the count is read: it is the last one then.
                final long consumed = queue.consumed();
                if (consumed != queue.reported())
                {
                    if (!isReady(current) || !tryOffer(queue, consumed))
                    {
                        return count;
                    }
                    count++;
                }
                else if (isEnded)
                {
                    queues.remove(i);
                }
            }
            closeSilent(current);
            return count;
        }

        boolean isDone(final DriverSession current)
        {
            return hasEnded() || (
                queues.stream().allMatch(queue -> queue.consumed() == queue.reported()) &&
                (publication == null || session != current || current.isSent(publication)));
        }

        void closePublication()
        {
            if (publication != null && !session.isLost())
            {
                publication.close();
            }
            publication = null;
            session = null;
            isConnected = false;
        }

        /** One that has nothing to say costs both drivers datagrams all the same; the next report makes another. */
        private void closeSilent(final DriverSession current)
        {
            if (publication != null && silenceDeadlineNs - System.nanoTime() < 0 && isDone(current))
            {
                closePublication();
            }
        }

        private boolean tryOffer(final AeronQueue queue, final long consumed)
        {
            ReportDescriptor.write(report, queue.number(), node, self, consumed);
            final long position = seal == null ? publication.offer(report, 0, ReportDescriptor.LENGTH) :
                publication.offer(
                    envelope, 0, HopSeals.wrap(seal, report, ReportDescriptor.LENGTH, envelope));
            if (position > 0)
            {
                isConnected = true;
                silenceDeadlineNs = System.nanoTime() + SILENCE_NS;
                queue.reported(consumed);
                return true;
            }
            if ((isConnected || answerDeadlineNs - System.nanoTime() < 0) && !publication.isConnected())
            {
                closePublication();             // The peer's driver was replaced, or does not answer: begin again.
            }
            return false;
        }

        private boolean isReady(final DriverSession current)
        {
            if (retryDeadlineNs != 0 && retryDeadlineNs - System.nanoTime() > 0)
            {
                return false;
            }
            try
            {
                retryDeadlineNs = 0;
                return tryMake(current);
            }
            catch (final AeronException ex)
            {
                LOGGER.warn("reports to node {} cannot be sent yet: {}", node.node(), ex.getMessage());
                closePublication();
                retryDeadlineNs = System.nanoTime() + RETRY_INTERVAL_NS;
                return false;
            }
        }

        /** Makes the publication: step by step, because the driver answers to this thread. */
        private boolean tryMake(final DriverSession current)
        {
            if (session != current)
            {
                closePublication();
                final String address = membership.address(node.node(), AeronTransportProvider.NAME);
                if (address.isEmpty() || HopSeals.hasKey(address) != (seals != null))
                {
                    return false;
                }
                publicationId = current.beginToPublish(
                    config.reportChannel(HopSeals.endpoint(address)), node.reportStream());
                seal = seals == null ? null : seals.newSeal(address, node);
                session = current;
                answerDeadlineNs = System.nanoTime() + config.silenceTimeoutNs();
                queues.forEach(queue -> queue.reported(UNREPORTED));
            }
            if (publication == null)
            {
                publication = current.tryPublication(publicationId);
            }
            return publication != null;
        }
    }
}
