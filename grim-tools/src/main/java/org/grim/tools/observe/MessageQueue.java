// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.Set;
import java.util.TreeSet;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.QueueFormat;
import org.grim.wire.MessageHeader;

/**
 * Messages that stand one after another in a queue of bytes, as far as they can be read.
 *
 * @param messageCount number of messages; of a damaged queue, those before the damage.
 * @param head         the first of them; null if there is none, or it is none.
 * @param sources      nodes that sent them.
 */
record MessageQueue(int messageCount, Head head, Set<Integer> sources)
{
    /** A queue in which nothing stands. */
    static final MessageQueue EMPTY = new MessageQueue(0, null, Set.of());

    private static final int NODE_SHIFT = 4;

    /**
     * A message's header.
     *
     * @param source      node that sent it.
     * @param destination node that it is for.
     * @param channel     NI channel that it is for.
     * @param length      bytes, padded to words.
     */
    record Head(int source, int destination, int channel, int length)
    {
    }

    /**
     * Reads from front to back, which are checked here.
     *
     * @param buffer      that holds the queue.
     * @param queueIndex  first byte of the queue in it; the whole queue lies there.
     * @param queueLength bytes, a power of two.
     */
    static MessageQueue read(
        final AtomicBuffer buffer, final int queueIndex, final int queueLength, final int front, final int back)
    {
        if (!isWithin(front, back, queueLength) || front % QueueFormat.ALIGNMENT != 0)
        {
            return EMPTY;
        }
        final Set<Integer> sources = new TreeSet<>();
        Head first = null;
        int count = 0;
        int position = front;
        Head head = next(buffer, queueIndex, queueLength, position, back);
        while (head != null)
        {
            first = first == null ? head : first;
            sources.add(head.source());
            count++;
            position += QueueFormat.readGapLength(buffer, queueIndex, position, queueLength) + head.length();
            head = isWithin(position, back, queueLength) ?
                next(buffer, queueIndex, queueLength, position, back) : null;
        }
        return new MessageQueue(count, first, sources);
    }

    /** A message's header, wherever it stands; null if it cannot be one. Words are read once each. */
    static Head header(final AtomicBuffer buffer, final int index, final int messageLengthMax)
    {
        if (messageLengthMax < QueueFormat.MESSAGE_LENGTH_MIN)
        {
            return null;
        }
        final long first =
            MessageHeader.first(buffer.getInt(index), buffer.getInt(index + MessageHeader.TYPE_OFFSET));
        final long second = MessageHeader.second(buffer.getLong(index + MessageHeader.EXTENT_OFFSET));
        if (MessageHeader.invalid(first, second, MessageHeader.PAYLOAD_LENGTH_MAX) != null)
        {
            return null;
        }
        final int length = QueueFormat.MESSAGE_LENGTH_MIN +
            BitUtil.align(MessageHeader.payloadLength(first, second), QueueFormat.ALIGNMENT);
        return length > messageLengthMax ? null : new Head(MessageHeader.sourceAddress(first) >>> NODE_SHIFT,
            MessageHeader.destinationAddress(second) >>> NODE_SHIFT, MessageHeader.destinationChannel(second), length);
    }

    /** Whether a front and a back fit a queue of so many bytes. */
    static boolean isWithin(final int front, final int back, final int queueLength)
    {
        return back - front >= 0 && back - front <= queueLength;
    }

    private static Head next(
        final AtomicBuffer buffer, final int queueIndex, final int queueLength, final int position, final int back)
    {
        if (back == position)
        {
            return null;
        }
        final int gapLength = QueueFormat.readGapLength(buffer, queueIndex, position, queueLength);
        final int start = position + gapLength;
        final int endLength = QueueFormat.endLength(start, queueLength);
        return header(buffer, queueIndex + QueueFormat.offset(start, queueLength), Math.min(back - start, endLength));
    }
}
