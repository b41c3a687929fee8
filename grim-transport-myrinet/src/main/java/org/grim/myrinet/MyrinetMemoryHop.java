// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.board.MessageOutcome;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.AtomicWord;
import org.grim.memory.OperationLog;
import org.grim.myrinet.memory.RegisteredArena;
import org.grim.transport.MemoryHop;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;

/**
 * Remote memory behind an NI: operations are messages in the channel's queue like any other, so they share the order of
 * the {@link MyrinetHop} beside this one; the NIs at both ends execute them, and tell what they refused by the
 * message's outcome.
 * <p>Thread: the link's owner; outcomes are told by whoever settles the channel, inside its sender.
 * <p>Bounds: {@value OperationLog#CAPACITY} operations under way, or refused and not drained.
 */
final class MyrinetMemoryHop implements MemoryHop, ChannelSender.OutcomeListener
{
    private static final long WORD_MASK = Integer.BYTES - 1;

    private final AtomicBuffer sram;
    private final ChannelSender sender;
    private final BoardRunner runner;
    private final PathStatus status;
    private final RegisteredArena arena;
    private final int sourceAddress;
    private final int destinationAddress;
    private final long channels;
    private final int writeLengthMax;
    private final int readLengthMax;
    private final OperationLog log = new OperationLog();
    private final UnansweredReads reads;
    private boolean isGivenUp;
    private SendStatus ended = SendStatus.SENT;         // Why nothing is accepted any more.

    /**
     * Makes the way.
     *
     * @param sourceAddress      of this node's endpoints.
     * @param destinationAddress of the far one.
     * @param channels           of both NIs, as {@link NiHeader#channels} has them.
     * @param replyLengthMax     most bytes of a reply of the far NI.
     */
    MyrinetMemoryHop(
        final AtomicBuffer sram, final ChannelSender sender, final BoardRunner runner, final PathStatus status,
        final RegisteredArena arena, final int sourceAddress, final int destinationAddress, final long channels,
        final int replyLengthMax)
    {
        this.sram = sram;
        this.sender = sender;
        this.runner = runner;
        this.status = status;
        this.arena = arena;
        this.sourceAddress = sourceAddress;
        this.destinationAddress = destinationAddress;
        this.channels = channels;
        writeLengthMax =
            Math.min(sender.messageLengthMax() - RemoteMemoryFormat.DATA_OFFSET, RemoteMemoryFormat.COUNT_MAX);
        readLengthMax = Math.max(1, replyLengthMax);        // Where none can be made, the far NI refuses.
        reads = new UnansweredReads(arena);
    }

    @Override
    public int writeLengthMax()
    {
        return writeLengthMax;
    }

    @Override
    public int readLengthMax()
    {
        return readLengthMax;
    }

    @Override
    public SendStatus tryWrite(
        final boolean isPhysical, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final int ticket)
    {
        return tryWrite(isPhysical ? MessageType.REMOTE_WRITE_PHYSICAL : MessageType.REMOTE_WRITE_VIRTUAL,
            remoteAddress, source, offset, length, notificationAddress, notificationValue, ticket);
    }

    @Override
    public SendStatus tryWriteWithSignal(
        final long remoteAddress, final DirectBuffer source, final int offset, final int length,
        final long signalAddress, final int addend, final int ticket)
    {
        return tryWrite(MessageType.REMOTE_WRITE_SIGNAL, remoteAddress, source, offset, length, signalAddress, addend,
            ticket);
    }

    @Override
    public SendStatus tryRead(
        final long remoteAddress, final long targetAddress, final int length, final long notificationAddress,
        final int notificationValue, final int ticket)
    {
        requireLength(length, readLengthMax);
        return tryAsk(MessageType.REMOTE_READ, remoteAddress, length, 0, 0, targetAddress, notificationAddress,
            notificationValue, ticket);
    }

    @Override
    public SendStatus tryAtomic(
        final AtomicOperation operation, final long remoteAddress, final int length, final long operand,
        final long comparand, final long targetAddress, final long notificationAddress, final int notificationValue,
        final int ticket)
    {
        return tryAsk(MessageType.of(operation), remoteAddress, length, operand, comparand, targetAddress,
            notificationAddress, notificationValue, ticket);
    }

    @Override
    public int drainRefusals(final RefusalSink sink)
    {
        if (log.isEmpty() && (reads.isEmpty() || !status.isGone()))
        {
            return 0;
        }
        int count = 0;
        while (drainOne(sink, count == 0))
        {
            count++;
        }
        return count;
    }

    @Override
    public void closeMemory()
    {
        // What stands in the channel's queue is still executed. The directory may have gone when somebody asks again.
        ended = status.isGone() ? SendStatus.PEER_GONE : SendStatus.CLOSED;
    }

    @Override
    public void onSettled(final MessageOutcome outcome)
    {
        if (isGivenUp)
        {
            return;                     // They were told of as lost with the board.
        }
        final int index = log.settle(refusal(outcome));
        if (outcome == null && log.notificationAddress(index) != NO_NOTIFICATION)
        {
            reads.add(log, index);
        }
    }

    private SendStatus tryWrite(
        final MessageType type, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final int ticket)
    {
        requireLength(length, writeLengthMax);
        source.boundsCheck(offset, length);
        final SendStatus entered = enter();
        if (entered != SendStatus.SENT)
        {
            return entered;
        }
        try
        {
            final RemoteRefusal refusal = judge(remoteAddress, length, notificationAddress);
            if (refusal != null)
            {
                log.refused(ticket, remoteAddress, length, refusal);
                return SendStatus.SENT;
            }
            final int index = sender.claim(RemoteMemoryFormat.DATA_OFFSET, source, offset, length);
            if (index == ChannelAppender.NO_ROOM)
            {
                return noRoom();
            }
            putHeader(
                index, type, RemoteMemoryFormat.EXTENSION_LENGTH + length, remoteAddress, notificationAddress);
            putExtension(index, notificationValue, length);
            if (!sender.tryInject(index + RemoteMemoryFormat.DATA_OFFSET, RemoteMemoryFormat.DATA_OFFSET, source,
                offset, length))
            {
                return SendStatus.BACK_PRESSURED;
            }
            log.write(ticket, remoteAddress, length);
            sender.publish(this);
        }
        finally
        {
            sender.giveBack();
        }
        runner.onPublished();
        return SendStatus.SENT;
    }

    /** Sends what is answered: a read, or an atomic operation. */
    private SendStatus tryAsk(
        final MessageType type, final long remoteAddress, final int length, final long operand, final long comparand,
        final long targetAddress, final long notificationAddress, final int notificationValue, final int ticket)
    {
        final boolean isAtomic = type != MessageType.REMOTE_READ;
        final int payloadLength = isAtomic ?
            RemoteMemoryFormat.ATOMIC_EXTENSION_LENGTH : RemoteMemoryFormat.READ_EXTENSION_LENGTH;
        final SendStatus entered = enter();
        if (entered != SendStatus.SENT)
        {
            return entered;
        }
        try
        {
            final RemoteRefusal refusal = isAtomic && !AtomicWord.isAligned(remoteAddress, length) ?
                RemoteRefusal.MISALIGNED_WORD :
                judgeRead(remoteAddress, targetAddress, length, notificationAddress);
            if (refusal != null)
            {
                log.refused(ticket, remoteAddress, length, refusal);
                return SendStatus.SENT;
            }
            final int index = sender.claim(MessageHeader.LENGTH + payloadLength);
            if (index == ChannelAppender.NO_ROOM)
            {
                return noRoom();
            }
            putHeader(index, type, payloadLength, remoteAddress, notificationAddress);
            putExtension(index, notificationValue, length);
            sram.putLong(index + RemoteMemoryFormat.TARGET_OFFSET, targetAddress, ByteOrder.BIG_ENDIAN);
            if (isAtomic)
            {
                sram.putLong(index + RemoteMemoryFormat.OPERAND_OFFSET, operand, ByteOrder.BIG_ENDIAN);
                sram.putLong(index + RemoteMemoryFormat.COMPARAND_OFFSET, comparand, ByteOrder.BIG_ENDIAN);
            }
            log.read(ticket, remoteAddress, length, targetAddress, notificationAddress, notificationValue);
            sender.publish(this);
        }
        finally
        {
            sender.giveBack();
        }
        runner.onPublished();
        return SendStatus.SENT;
    }

    private static void requireLength(final int length, final int lengthMax)
    {
        if (length < 0 || length > lengthMax)
        {
            throw new IllegalArgumentException("length=" + length + " is outside 0 to " + lengthMax);
        }
    }

    /** Keeps other threads out; {@link SendStatus#SENT} if an operation can be entered in the log. */
    private SendStatus enter()
    {
        if (ended != SendStatus.SENT)
        {
            return ended;
        }
        if (status.isGone())
        {
            return SendStatus.PEER_GONE;
        }
        if (!sender.tryTake())
        {
            return SendStatus.BACK_PRESSURED;
        }
        if (log.isFull())
        {
            sender.settleInside();
            reads.trim();
        }
        if (log.isFull())
        {
            sender.giveBack();
            return SendStatus.BACK_PRESSURED;
        }
        return SendStatus.SENT;
    }

    private SendStatus noRoom()
    {
        return sender.isClosed() ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
    }

    private static RemoteRefusal judge(final long address, final int length, final long notificationAddress)
    {
        if (length == 0)
        {
            return RemoteRefusal.ZERO_LENGTH;
        }
        if (wrapsAround(address, length))
        {
            return RemoteRefusal.WRAP_AROUND;
        }
        return (notificationAddress & WORD_MASK) == 0 ? null : RemoteRefusal.MISALIGNED_NOTIFICATION;
    }

    /** The reply is written by this node's own board, of whose refusals nobody would learn. */
    private RemoteRefusal judgeRead(
        final long remoteAddress, final long targetAddress, final int length, final long notificationAddress)
    {
        final RemoteRefusal refusal = judge(remoteAddress, length, notificationAddress);
        if (refusal != null)
        {
            return refusal;
        }
        if (wrapsAround(targetAddress, length))
        {
            return RemoteRefusal.WRAP_AROUND;
        }
        if (!arena.isRegistered(targetAddress, length))
        {
            return RemoteRefusal.OUT_OF_RANGE;
        }
        return notificationAddress == NO_NOTIFICATION || arena.isRegistered(notificationAddress, Integer.BYTES) ?
            null : RemoteRefusal.NOTIFICATION_OUT_OF_RANGE;
    }

    private static boolean wrapsAround(final long address, final int length)
    {
        return Long.compareUnsigned(address + length - 1, address) < 0;
    }

    private void putHeader(
        final int index, final MessageType type, final int payloadLength, final long remoteAddress,
        final long notificationAddress)
    {
        sram.putInt(index, MessageHeader.identityWord(0));
        MessageHeader.write(sram, index,
            MessageHeader.typeWord(type, sourceAddress) | MessageHeader.correction(payloadLength),
            NiHeader.withChannels(MessageHeader.extentWords(destinationAddress, 0, payloadLength), channels),
            remoteAddress, notificationAddress);
    }

    private void putExtension(final int index, final int notificationValue, final int length)
    {
        sram.putInt(index + RemoteMemoryFormat.VALUE_OFFSET, notificationValue, ByteOrder.BIG_ENDIAN);
        sram.putInt(index + RemoteMemoryFormat.COUNT_OFFSET, length, ByteOrder.BIG_ENDIAN);
    }

    /** The sink may use this way: nobody is inside meanwhile. */
    private boolean drainOne(final RefusalSink sink, final boolean isFirst)
    {
        if (!sender.tryTake())
        {
            return false;               // Who is inside settles, and the next call tells.
        }
        final int ticket;
        final long address;
        final int length;
        final RemoteRefusal refusal;
        try
        {
            if (isFirst)
            {
                settle();
            }
            final int refused = log.takeRefused();
            if (refused >= 0)
            {
                ticket = log.ticket(refused);
                address = log.address(refused);
                length = log.length(refused);
                refusal = log.refusal(refused);
            }
            else
            {
                final int unanswered = status.isGone() ? reads.takeUnanswered() : -1;
                if (unanswered < 0)
                {
                    return false;
                }
                ticket = reads.ticket(unanswered);
                address = reads.address(unanswered);
                length = reads.length(unanswered);
                refusal = RemoteRefusal.PEER_GONE;
            }
        }
        finally
        {
            sender.giveBack();
        }
        sink.onRefused(ticket, address, length, refusal);
        return true;
    }

    /** A board that has gone settles nothing any more. */
    private void settle()
    {
        sender.settleInside();
        reads.trim();
        if (status.isNearBoardGone())
        {
            log.giveUp(RemoteRefusal.PEER_GONE);
            isGivenUp = true;
        }
    }

    private static RemoteRefusal refusal(final MessageOutcome outcome)
    {
        if (outcome == null)
        {
            return null;
        }
        return outcome == MessageOutcome.REFUSED ? RemoteRefusal.BY_NETWORK_INTERFACE : RemoteRefusal.PEER_GONE;
    }
}
