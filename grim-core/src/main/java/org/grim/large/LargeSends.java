// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.concurrent.status.AtomicCounter;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.MessageLimits;
import org.grim.wire.MessageHeader;

/**
 * Common state of all links of one endpoint for messages above the MTU.
 * <p>Thread: the endpoint's owner. Owns: the outbox.
 */
public final class LargeSends
{
    private final MessageLimits limits;
    private final AtomicCounter sentCount;
    private final AtomicCounter outboxLength;
    private final OutboxFiles files;
    private final int incarnation;
    private final Outbox outbox;
    private long outboxLengthSeen;

    /** Makes an empty outbox. */
    public LargeSends(
        final MessageLimits limits, final NodeCounters counters, final OutboxFiles files, final int incarnation)
    {
        this.limits = limits;
        this.incarnation = incarnation;
        sentCount = counters.node(CounterKind.LARGE_MESSAGES_SENT);
        outboxLength = counters.node(CounterKind.OUTBOX_LENGTH);
        this.files = files;
        outbox = new Outbox(limits.outboxLength(), files, files.nextSequence());
    }

    MessageLimits limits()
    {
        return limits;
    }

    Outbox outbox()
    {
        return outbox;
    }

    /** Returns the incarnation of this node. */
    int incarnation()
    {
        return incarnation;
    }

    /** Name of a new transfer: incarnation and number. */
    long nextTransfer()
    {
        return MessageHeader.pair(incarnation, files.nextTransfer());
    }

    /** Lets a receiver look at a block; false if it cannot. */
    boolean tryOffer(final Outbox.Block block, final int node, final int nodeIncarnation)
    {
        return files.tryOffer(block.area(), node, nodeIncarnation);
    }

    boolean isGone(final int node, final int nodeIncarnation)
    {
        return files.isGone(node, nodeIncarnation);
    }

    /** The endpoint closes, and its node stays: receivers read what they have, then the memory goes. */
    public void closeWhenRead()
    {
        files.adopt(this);
    }

    /** Retires the outbox of a closed endpoint if no receiver reads there any more. Thread: one at a time. */
    boolean tryRetire()
    {
        outbox.collect();
        outbox.releaseIf(owner -> ((InPlaceSender)owner).isReceiverGone());
        countOutbox();
        return outbox.tryRetire();
    }

    /** The endpoint's node leaves. */
    public void close()
    {
        outbox.close();
        countOutbox();
    }

    /** Counts a message that was sent; other endpoints of the node count, too. */
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
}
