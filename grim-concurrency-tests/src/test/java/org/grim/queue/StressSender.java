// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.wire.MessageHeader;

/** A sending end and the numbered messages that it sends. Thread: the actor that sends, then the arbiter. */
final class StressSender
{
    private static final int PAYLOAD_LENGTH_MAX = 448;

    private final Hop hop;
    private final int node;
    private final HopClaim claim = new HopClaim();
    private final AtomicBuffer payload = Buffers.wrap(new byte[PAYLOAD_LENGTH_MAX]);
    private int acceptedCount;

    StressSender(final Hop hop, final int node)
    {
        this.hop = hop;
        this.node = node;
    }

    /** Messages that the queue took. */
    int acceptedCount()
    {
        return acceptedCount;
    }

    /** Sends until so many messages were accepted, in one step each; waits a while for room. */
    void send(final int count, final int length)
    {
        send(count, length, StressInbox.ATTEMPT_COUNT_MAX);
    }

    /** The same, for so many attempts. */
    void send(final int count, final int length, final int attemptCountMax)
    {
        for (int i = 0; i < attemptCountMax && acceptedCount < count; i++)
        {
            trySend(length);
        }
    }

    /** The same, by claim and publish alone. */
    void claim(final int count, final int length)
    {
        for (int i = 0; i < StressInbox.ATTEMPT_COUNT_MAX && acceptedCount < count; i++)
        {
            tryClaim(length);
        }
    }

    boolean trySend(final int length)
    {
        StressMessage.fill(payload, 0, length, node, acceptedCount);
        final SendStatus status = hop.trySend(StressMessage.wordOne(node, length),
            StressMessage.extentWords(acceptedCount, length), StressMessage.arguments(node, acceptedCount, 0),
            StressMessage.arguments(node, acceptedCount, 1), payload, 0, length);
        return isAccepted(status);
    }

    boolean tryClaim(final int length)
    {
        final SendStatus status = hop.tryClaim(length, claim);
        if (status == SendStatus.SENT)
        {
            fill(acceptedCount);
            claim.publish();
        }
        return isAccepted(status);
    }

    /** Claims, writes what would be a message, and thinks better of it. */
    boolean tryAbort(final int length)
    {
        final boolean isClaimed = hop.tryClaim(length, claim) == SendStatus.SENT;
        if (isClaimed)
        {
            fill(acceptedCount);
            claim.abort();
        }
        return isClaimed;
    }

    void close()
    {
        hop.close();
    }

    private void fill(final int number)
    {
        MessageHeader.write(claim.buffer(), claim.headerOffset(), StressMessage.wordOne(node, claim.length()),
            StressMessage.extentWords(number, claim.length()), StressMessage.arguments(node, number, 0),
            StressMessage.arguments(node, number, 1));
        StressMessage.fill(claim.buffer(), claim.offset(), claim.length(), node, number);
    }

    private boolean isAccepted(final SendStatus status)
    {
        final boolean isAccepted = status == SendStatus.SENT;
        if (isAccepted)
        {
            acceptedCount++;
        }
        return isAccepted;
    }
}
