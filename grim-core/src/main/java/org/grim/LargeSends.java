// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.concurrent.status.AtomicCounter;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.grim.fragment.Outbox;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all links of one endpoint have in common for messages above the MTU.
 * <p>Thread: the endpoint's owner. Owns: the outbox.
 */
final class LargeSends
{
    private static final Logger LOGGER = LoggerFactory.getLogger(LargeSends.class);
    /** Spreads the lives of a node over all numbers, so that none meets a transfer of the one before. */
    private static final int LIFE_SPREAD = 0x9E37_79B1;

    private final Endpoint endpoint;
    private final MessageLimits limits;
    private final AtomicCounter sentCount;
    private final AtomicCounter outboxLength;
    private final int incarnation;
    private final Outbox outbox;
    private int nextTransfer;
    private long outboxLengthSeen;

    LargeSends(
        final Endpoint endpoint, final MessageLimits limits, final NodeCounters counters, final int incarnation)
    {
        this.endpoint = endpoint;
        this.limits = limits;
        this.incarnation = incarnation;
        sentCount = counters.node(CounterKind.LARGE_MESSAGES_SENT);
        outboxLength = counters.node(CounterKind.OUTBOX_LENGTH);
        nextTransfer = incarnation * LIFE_SPREAD;
        outbox = new Outbox(limits.outboxLength(), this::tryRegister, nextTransfer);
    }

    MessageLimits limits()
    {
        return limits;
    }

    Outbox outbox()
    {
        return outbox;
    }

    /** Which life of its node this endpoint lives. */
    int incarnation()
    {
        return incarnation;
    }

    int nextTransfer()
    {
        return nextTransfer++;
    }

    /** Another endpoint of the node may count, too. */
    void sent()
    {
        sentCount.increment();
    }

    void countOutbox()
    {
        final long length = outbox.takenLength();
        if (length != outboxLengthSeen)
        {
            outboxLength.getAndAdd(length - outboxLengthSeen);
            outboxLengthSeen = length;
        }
    }

    /** The outbox is an offer: without memory for it messages go in parts. */
    private MemoryRegion tryRegister(final long length)
    {
        try
        {
            return endpoint.memory().register(length, MemoryRights.READ_WRITE);
        }
        catch (final GrimException ex)
        {
            LOGGER.warn("no memory for an outbox of {} bytes, long messages go in parts: {}", length, ex.getMessage());
            return null;
        }
    }
}
