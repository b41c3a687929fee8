// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;
import org.grim.wire.MessageHeader;

/**
 * Where arrival queues hand over what they drain.
 * <p>Thread: the message loop's. Implementations never throw.
 */
public interface MessageSink
{
    /**
     * Takes one message in place. Its bytes are the queue's again when this returns.
     *
     * @param first         words 0 and 1 of the header, as they were judged.
     * @param second        words 2 and 3 of the header.
     * @param buffer        holding header and payload.
     * @param headerOffset  first byte of the header; {@link MessageHeader#NO_HEADER} if it came as words alone, without
     *                      arguments.
     * @param payloadOffset first byte of the payload; all of it has been checked to lie where payloads of the queue do.
     * @param payloadLength bytes of the payload.
     */
    void onMessage(
        long first, long second, MutableDirectBuffer buffer, int headerOffset, int payloadOffset, int payloadLength);

    /**
     * Judges and takes one message that stands in one piece as its link wrote it: for queues that carry messages whole.
     * Word 0 of the header is the transport's own. A wrong message is refused, and the queue goes on.
     *
     * @param buffer       holding header and payload.
     * @param headerOffset first byte of the header.
     * @param length       bytes of header and payload, and of nothing behind them.
     * @param queue        that they came through; its channel and source node are what the header must name.
     */
    default void onMessage(
        final MutableDirectBuffer buffer, final int headerOffset, final int length, final ArrivalQueue queue)
    {
        if (length < Hop.HEADER_LENGTH)
        {
            onReject(RejectReason.TRUNCATED, queue);
            return;
        }
        final long first = MessageHeader.first(MessageHeader.identityWord(0),
            buffer.getInt(headerOffset + MessageHeader.TYPE_OFFSET));
        final long second = MessageHeader.second(buffer.getLong(headerOffset + MessageHeader.EXTENT_OFFSET));
        final RejectReason reason =
            MessageHeader.invalid(first, second, length - Hop.HEADER_LENGTH, queue.sourceNode(), queue.channel());
        if (reason != null)
        {
            onReject(reason, queue);
            return;
        }
        onMessage(first, second, buffer, headerOffset, headerOffset + Hop.HEADER_LENGTH,
            MessageHeader.payloadLength(first, second));
    }

    /**
     * Returns, after each delivered message, whether it must be the last one of this poll, because something has ended
     * that the poll's caller may wait for, or the handler has paused the channel: the next message stays in the queue
     * then. A look for another one first may cost the time that its line takes from the sender's processor.
     *
     * @return true to deliver no more messages before the next poll.
     */
    default boolean isLastOfPoll()
    {
        return false;
    }

    /**
     * Learns of bytes that a queue refused and passed over.
     *
     * @param reason why.
     * @param queue  that they came through.
     */
    void onReject(RejectReason reason, ArrivalQueue queue);
}
