// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Messages of one kind from this node to the root of one tree.
 * <p>Thread: the host endpoint's owner. Allocates nothing after construction.
 */
final class TreeTraffic
{
    /** Bytes of the format behind its first word, which the hop writes. */
    static final int WORDS_LENGTH = MulticastFormat.EXTENSION_LENGTH - Integer.BYTES;

    private static final int BEGIN = MulticastFormat.DATA_OFFSET - WORDS_LENGTH;
    private static final int EPOCH_OFFSET = MulticastFormat.EPOCH_OFFSET - BEGIN;
    private static final int TICKET_OFFSET = MulticastFormat.TICKET_OFFSET - BEGIN;
    private static final int FORWARDING_OFFSET = MulticastFormat.FORWARDING_OFFSET - BEGIN;
    private static final int TOTAL_OFFSET = MulticastFormat.TOTAL_OFFSET - BEGIN;
    private static final int FRAGMENT_OFFSET = MulticastFormat.FRAGMENT_OFFSET - BEGIN;

    private final Hop hop;
    private final GroupTree tree;
    private final int wordOne;
    private final int destinationAddress;
    private final long arguments01;
    private final long arguments23;
    private long sentCount;

    TreeTraffic(
        final Hop hop, final GroupTree tree, final MessageType type, final int self, final int groupId,
        final int kind)
    {
        this.hop = hop;
        this.tree = tree;
        wordOne = MulticastFormat.typeWord(type, EndpointId.of(self, 0, 0).address(), tree.number());
        destinationAddress = EndpointId.of(tree.root(), 0, 0).address();
        arguments01 = MessageHeader.pair(groupId, tree.rosterEpoch());
        arguments23 = MessageHeader.pair(kind, 0);
    }

    static int totalLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + TOTAL_OFFSET, BIG_ENDIAN);
    }

    static int fragmentOffset(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + FRAGMENT_OFFSET, BIG_ENDIAN);
    }

    /** A buffer for {@link #trySend}. */
    static MutableDirectBuffer newFrame(final int dataLengthMax)
    {
        return Buffers.wrap(new byte[WORDS_LENGTH + dataLengthMax]);
    }

    /** Most bytes of data of one message that this node can send. */
    int dataLengthMax()
    {
        return hop.payloadLengthMax() - WORDS_LENGTH;
    }

    /** Sends what stands in a frame behind the words. */
    boolean trySend(
        final MutableDirectBuffer frame, final int dataLength, final int totalLength, final int fragmentOffset)
    {
        frame.putInt(EPOCH_OFFSET, tree.epoch(), BIG_ENDIAN);
        frame.putInt(TICKET_OFFSET, 0);
        frame.putInt(FORWARDING_OFFSET, -1);            // No NI twice.
        frame.putInt(TOTAL_OFFSET, totalLength, BIG_ENDIAN);
        frame.putInt(FRAGMENT_OFFSET, fragmentOffset, BIG_ENDIAN);
        final int length = WORDS_LENGTH + dataLength;
        final boolean isSent = hop.trySend(wordOne | MessageHeader.correction(length),
            MessageHeader.extentWords(destinationAddress, GroupTraffic.MULTICAST, length), arguments01, arguments23,
            frame, 0, length) == SendStatus.SENT;
        sentCount += isSent ? 1 : 0;
        return isSent;
    }

    /** Messages that the root has not taken, and did not refuse yet. */
    long openCount()
    {
        return hop.unknownCount();
    }

    /** Messages that the root refused, or that did not reach it: after {@link #openCount()}, and as of then. */
    long refusedCount()
    {
        return hop.undeliveredCount();
    }

    /** Messages that were sent. */
    long sentCount()
    {
        return sentCount;
    }

    boolean isRootGone()
    {
        return hop.isPeerGone();
    }
}
