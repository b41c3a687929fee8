// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.ByteOrder;
import java.util.Objects;

import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayQueue;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.board.MessageOutcome;
import org.grim.board.host.ChannelAppender;
import org.grim.memory.MessageMemoryHop;
import org.grim.memory.OperationLog;
import org.grim.myrinet.memory.RegisteredArena;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.MemoryHop;
import org.grim.wire.MessageHeader;
import org.grim.wire.RemoteMemoryFormat;

/**
 * The path from a channel of this process to an endpoint behind an NI: the next hop is the channel's queue in the
 * memory of the own board. Header and payload are written there once, in place.
 * <p>Thread: one at a time; paths of one channel that find another one inside get back pressure.
 */
final class MyrinetHop implements Hop, ChannelSender.OutcomeListener
{
    private final AtomicBuffer sram;
    private final ChannelSender sender;
    private final BoardRunner runner;
    private final PathStatus status;
    private final int incarnationWord;
    private final long channels;
    private final int payloadLengthMax;
    private final int arrivalCountMax;
    private final LongArrayQueue partNumbers = new LongArrayQueue();
    private long publishedCount;
    private long partCount;
    private long acknowledgedCount;
    private long undeliveredCount;
    private long undeliveredCountSeen;
    private long settledCount;

    MyrinetHop(
        final AtomicBuffer sram, final ChannelSender sender, final BoardRunner runner, final PathStatus status,
        final int incarnationWord, final int niSourceChannel, final int niDestinationChannel,
        final int payloadLengthMax, final int arrivalCountMax)
    {
        assert arrivalCountMax >= 0 : arrivalCountMax;
        this.arrivalCountMax = arrivalCountMax;
        this.sram = sram;
        this.sender = sender;
        this.runner = runner;
        this.status = status;
        this.incarnationWord = incarnationWord;
        channels = NiHeader.channels(niSourceChannel, niDestinationChannel);
        this.payloadLengthMax = payloadLengthMax;
    }

    /** Makes the remote-memory half of this path. */
    MemoryHop memoryHop(
        final RegisteredArena arena, final int sourceAddress, final int destinationAddress, final int replyLengthMax)
    {
        final OperationLog log = new OperationLog();
        final int writeLengthMax = RemoteMemoryFormat.writeLengthMax(sender.messageLengthMax());
        final int readLengthMax = Math.max(1, replyLengthMax);          // Where none can be made, the far NI refuses.
        return new MessageMemoryHop(new MyrinetOperations(sram, sender, runner, status, arena, log), log,
            sourceAddress, destinationAddress, (int)channels, writeLengthMax, readLengthMax);
    }

    @Override
    public SendStatus trySend(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        if (length > 0)
        {
            Objects.requireNonNull(source, "source").boundsCheck(offset, length);
        }
        if (status.isGone())
        {
            return SendStatus.PEER_GONE;
        }
        if (!sender.tryTake())
        {
            return SendStatus.BACK_PRESSURED;
        }
        try
        {
            final int index = sender.claim(NiHeader.LENGTH, source, offset, length);
            if (index == ChannelAppender.NO_ROOM)
            {
                return refusal();
            }
            sram.putInt(index, MessageHeader.identityWord(0));
            MessageHeader.write(sram, index, wordOne, extent(extentWords), arguments01, arguments23);
            NiHeader.putIncarnationWord(sram, index, incarnationWord);
            if (length > 0 && !sender.tryInject(
                index + NiHeader.LENGTH, NiHeader.LENGTH, source, offset, length))
            {
                return refusal();
            }
            publish(extentWords);
        }
        finally
        {
            sender.giveBack();
        }
        runner.onPublished();
        return SendStatus.SENT;
    }

    @Override
    public SendStatus tryClaim(final int payloadLength, final HopClaim claim)
    {
        if (status.isGone())
        {
            return SendStatus.PEER_GONE;
        }
        if (!sender.tryTake())
        {
            return SendStatus.BACK_PRESSURED;
        }
        final int index = sender.claim(NiHeader.LENGTH + payloadLength);
        if (index == ChannelAppender.NO_ROOM)
        {
            final SendStatus refusal = refusal();
            sender.giveBack();
            return refusal;
        }
        claim.claimed(this, sram, index, index + NiHeader.LENGTH, payloadLength, 0);
        return SendStatus.SENT;
    }

    /** The link has written words 1 to 7 as between endpoints; here they become those between NIs. */
    @Override
    public void publish(final HopClaim claim)
    {
        final int index = claim.headerOffset();
        sram.putInt(index, MessageHeader.identityWord(0));
        final long extentWords = sram.getLong(index + MessageHeader.EXTENT_OFFSET, ByteOrder.BIG_ENDIAN);
        sram.putLong(index + MessageHeader.EXTENT_OFFSET, extent(extentWords), ByteOrder.BIG_ENDIAN);
        NiHeader.putIncarnationWord(sram, index, incarnationWord);
        publish(extentWords);
        sender.giveBack();
        runner.onPublished();
    }

    @Override
    public void abort(final HopClaim claim)
    {
        sender.abort();
        sender.giveBack();
    }

    @Override
    public int payloadLengthMax()
    {
        return payloadLengthMax;
    }

    @Override
    public boolean isPeerGone()
    {
        return status.isGone();
    }

    @Override
    public long unknownCount()
    {
        sender.settleIfFree();              // A thread inside reports to this path.
        // Each figure is read once: one that changes meanwhile takes no message out of both.
        final long arrivedCount = acknowledgedCount;
        undeliveredCountSeen = undeliveredCount;
        // Acknowledged messages were in the host's memory, and may have been unread when the host died.
        final long unreadCountMax =
            status.isDestinationGone() ? Math.min(arrivedCount, status.unreadCountMax(arrivalCountMax)) : 0;
        return publishedCount - partCount - arrivedCount - undeliveredCountSeen + unreadCountMax;
    }

    @Override
    public long undeliveredCount()
    {
        return undeliveredCountSeen;
    }

    @Override
    public void close()
    {
        // The channel's queue goes on; what stands there is still delivered.
    }

    @Override
    public void onSettled(final MessageOutcome outcome)
    {
        final long number = settledCount++;
        assert settledCount <= publishedCount : settledCount;
        if (!partNumbers.isEmpty() && partNumbers.peekLong() == number)
        {
            partNumbers.pollLong();         // Belongs to a message, and is none.
        }
        else if (outcome == null)
        {
            acknowledgedCount++;
        }
        else if (outcome != MessageOutcome.UNKNOWN)
        {
            undeliveredCount++;             // Refused: it reached the far NI, and was handed to nobody.
        }
    }

    /** Words 2 and 3 as between NIs. */
    private long extent(final long extentWords)
    {
        return NiHeader.toNi(extentWords, channels);
    }

    private SendStatus refusal()
    {
        return sender.isClosed() ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
    }

    private void publish(final long extentWords)
    {
        if (!Hop.isCounted(extentWords))
        {
            partNumbers.addLong(publishedCount);
            partCount++;
        }
        publishedCount++;
        sender.publish(this);
    }
}
