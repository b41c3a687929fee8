// SPDX-License-Identifier: Apache-2.0
package org.example.rings;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.grim.SendStatus;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;

/** The sender's end of a ring. */
final class RingHop implements Hop
{
    private static final int MESSAGE = 1;

    private final Ring ring;
    private final RingTransport peer;
    private final int peerNode;
    private final HopClaim claim = new HopClaim();
    private long claimedCount;
    private long publishedCount;

    RingHop(final Ring ring, final RingTransport peer, final int peerNode)
    {
        this.ring = ring;
        this.peer = peer;
        this.peerNode = peerNode;
    }

    @Override
    public SendStatus tryClaim(final int payloadLength, final HopClaim claim)
    {
        if (isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        final RingBuffer buffer = ring.buffer;
        final int standing = buffer.size();
        if (claimedCount - ring.takenCount.get() >= ring.messageCountMax ||
            (standing > 0 && standing + payloadLength > ring.lengthMax))
        {
            return SendStatus.BACK_PRESSURED;
        }
        final int index = buffer.tryClaim(MESSAGE, HEADER_LENGTH + payloadLength);
        if (index <= 0)
        {
            return SendStatus.BACK_PRESSURED;
        }
        claimedCount++;
        claim.claimed(this, buffer.buffer(), index, index + HEADER_LENGTH, payloadLength, index);
        return SendStatus.SENT;
    }

    @Override
    public SendStatus trySend(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        return Hop.sendByClaim(
            this, claim, wordOne, extentWords, arguments01, arguments23, source, offset, length);
    }

    @Override
    public void publish(final HopClaim claim)
    {
        if (Hop.isCounted(claim.buffer(), claim.headerOffset()))
        {
            publishedCount++;
        }
        ring.buffer.commit((int)claim.position());
        peer.wake(ring.channel);
    }

    @Override
    public void abort(final HopClaim claim)
    {
        claimedCount--;
        ring.buffer.abort((int)claim.position());
    }

    @Override
    public int payloadLengthMax()
    {
        return Math.min(PAYLOAD_LENGTH_MAX, ring.buffer.maxMsgLength() - HEADER_LENGTH);
    }

    @Override
    public boolean isPeerGone()
    {
        return ring.isClosed || peer.isClosed();
    }

    @Override
    public long unknownCount()
    {
        return 0;           // Both ends are in one process: what was not handled is known.
    }

    @Override
    public long undeliveredCount()
    {
        return publishedCount - ring.handledCount.get();
    }

    @Override
    public void close()
    {
        ring.isClosed = true;
    }

    @Override
    public String toString()
    {
        return "ring to node " + peerNode + " channel " + ring.channel;
    }
}
