// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.peers.MappedPeer;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * A limit for streams: a ring of bytes with a copy in and a copy out, the second at work on one piece while the first
 * is at work on the next. Messages are a length word and the payload, both in multiples of 8 bytes.
 */
final class RingPeer extends MappedPeer
{
    private static final int CAPACITY = 1 << 19;
    private static final int MASK = CAPACITY - 1;
    private static final int PIECE_LENGTH = 1 << 13;
    private static final int TAIL_OFFSET = CAPACITY;                                    // u64, sender writes
    private static final int HEAD_OFFSET = TAIL_OFFSET + Buffers.CACHE_LINE_LENGTH * 2; // u64, receiver writes
    private static final int LENGTH = HEAD_OFFSET + Buffers.CACHE_LINE_LENGTH * 2;

    private final AtomicBuffer message = Buffers.allocate(1 << 16);
    private long tailPosition;
    private long headPositionCached;
    private long headPosition;
    private int messageLength = -1;
    private int copiedLength;

    RingPeer(final Path directory, final boolean isInitiator, final MessageReceiver receiver)
    {
        super(directory.resolve("ring"), isInitiator, LENGTH, receiver);
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        final long endPosition = tailPosition + SIZE_OF_LONG + length;
        if (endPosition - headPositionCached > CAPACITY)
        {
            headPositionCached = outbound.getLongVolatile(HEAD_OFFSET);
            if (endPosition - headPositionCached > CAPACITY)
            {
                return false;
            }
        }
        outbound.putLong((int)tailPosition & MASK, length);
        tailPosition += SIZE_OF_LONG;
        int from = offset;
        do
        {
            final int index = (int)tailPosition & MASK;
            final int piece = Math.min(PIECE_LENGTH, Math.min((int)(endPosition - tailPosition), CAPACITY - index));
            outbound.putBytes(index, source, from, piece);
            from += piece;
            tailPosition += piece;
            outbound.putLongRelease(TAIL_OFFSET, tailPosition);     // partner: the volatile load in poll()
        }
        while (tailPosition < endPosition);
        return true;
    }

    @Override
    public int poll()
    {
        final long availablePosition = inbound.getLongVolatile(TAIL_OFFSET);
        int messageCount = 0;
        while (headPosition != availablePosition)
        {
            if (messageLength < 0)
            {
                messageLength = (int)inbound.getLong((int)headPosition & MASK);
                headPosition += SIZE_OF_LONG;
                copiedLength = 0;
            }
            final int index = (int)headPosition & MASK;
            final int piece = Math.min(Math.min((int)(availablePosition - headPosition), CAPACITY - index),
                messageLength - copiedLength);
            message.putBytes(copiedLength, inbound, index, piece);
            copiedLength += piece;
            headPosition += piece;
            inbound.putLongRelease(HEAD_OFFSET, headPosition);      // partner: the volatile load in trySend()
            if (copiedLength == messageLength)
            {
                receiver.onMessage(message, 0, messageLength);
                messageLength = -1;
                messageCount++;
            }
        }
        return messageCount;
    }
}
