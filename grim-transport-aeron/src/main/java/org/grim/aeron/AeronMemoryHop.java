// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.FrameClaim;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.memory.OperationLog;
import org.grim.transport.HostRegions.OwnRegions;
import org.grim.transport.MemoryHop;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Remote memory of a node on another host: operations are messages of the {@link AeronHop} beside this one, so they
 * share its order; the loop at the target executes them, and answers over a hop of its own. An answer names the
 * operation by its number, and nothing else: what a read writes here, and where, stands in this side's log.
 * <p>An operation is one frame, so that none is copied between logs, and other hops have their turn after each.
 * <p>Thread: the link's owner, which also polls the answers. Bounds: {@value OperationLog#CAPACITY} operations that
 * were not answered, or refused and not reported.
 */
final class AeronMemoryHop implements MemoryHop, AeronQueue.Operations
{
    private final AeronHop hop;
    private final OwnRegions own;
    private final EndpointId source;
    private final EndpointId destination;
    private final int writeLengthMax;
    private final OperationLog log = new OperationLog();
    private final FrameClaim room = new FrameClaim();
    private SendStatus ended = SendStatus.SENT;         // Why nothing is accepted any more.

    AeronMemoryHop(final AeronHop hop, final OwnRegions own, final EndpointId source, final EndpointId destination)
    {
        this.hop = hop;
        this.own = own;
        this.source = source;
        this.destination = destination;
        writeLengthMax = hop.frameLengthMax() - RemoteMemoryFormat.DATA_OFFSET;
    }

    @Override
    public int writeLengthMax()
    {
        return writeLengthMax;
    }

    @Override
    public int readLengthMax()
    {
        return Math.min(writeLengthMax, OperationExecutor.READ_LENGTH_MAX);
    }

    @Override
    public SendStatus tryWrite(
        final boolean isPhysical, final long remoteAddress, final DirectBuffer data, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final int ticket)
    {
        return tryWrite(isPhysical ? MessageType.REMOTE_WRITE_PHYSICAL : MessageType.REMOTE_WRITE_VIRTUAL,
            remoteAddress, data, offset, length, notificationAddress, notificationValue, ticket);
    }

    @Override
    public SendStatus tryWriteWithSignal(
        final long remoteAddress, final DirectBuffer data, final int offset, final int length,
        final long signalAddress, final int addend, final int ticket)
    {
        return tryWrite(MessageType.REMOTE_WRITE_SIGNAL, remoteAddress, data, offset, length, signalAddress, addend,
            ticket);
    }

    @Override
    public SendStatus tryRead(
        final long remoteAddress, final long targetAddress, final int length, final long notificationAddress,
        final int notificationValue, final int ticket)
    {
        requireLength(length, readLengthMax());
        final SendStatus claimed = tryClaim(
            MessageType.REMOTE_READ, RemoteMemoryFormat.EXTENSION_LENGTH, remoteAddress, NO_NOTIFICATION);
        if (claimed == SendStatus.SENT)
        {
            putExtension(0, length);
            log.read(ticket, remoteAddress, length, targetAddress, notificationAddress, notificationValue);
            room.publish();
        }
        return claimed;
    }

    @Override
    public SendStatus tryAtomic(
        final AtomicOperation operation, final long remoteAddress, final int length, final long operand,
        final long comparand, final long targetAddress, final long notificationAddress, final int notificationValue,
        final int ticket)
    {
        final SendStatus claimed = tryClaim(MessageType.of(operation), RemoteMemoryFormat.ATOMIC_EXTENSION_LENGTH,
            remoteAddress, NO_NOTIFICATION);
        if (claimed == SendStatus.SENT)
        {
            final int header = putExtension(0, length);
            room.buffer().putLong(header + RemoteMemoryFormat.TARGET_OFFSET, 0, BIG_ENDIAN);
            room.buffer().putLong(header + RemoteMemoryFormat.OPERAND_OFFSET, operand, BIG_ENDIAN);
            room.buffer().putLong(header + RemoteMemoryFormat.COMPARAND_OFFSET, comparand, BIG_ENDIAN);
            log.read(ticket, remoteAddress, length, targetAddress, notificationAddress, notificationValue);
            room.publish();
        }
        return claimed;
    }

    @Override
    public int drainRefusals(final RefusalSink sink)
    {
        if (log.isEmpty())
        {
            return 0;
        }
        if (hop.isPeerGone())
        {
            log.giveUp(RemoteRefusal.PEER_GONE);
        }
        return log.drain(sink);
    }

    @Override
    public void closeMemory()
    {
        ended = hop.isPeerGone() ? SendStatus.PEER_GONE : SendStatus.CLOSED;
    }

    @Override
    public Outcome tryTake(
        final long first, final long second, final MutableDirectBuffer buffer, final int offset)
    {
        if (hop.isPeerGone())
        {
            return Outcome.DONE;                // No read writes any more.
        }
        final int payloadLength = MessageHeader.payloadLength(first, second);
        final long number = AnswerDescriptor.number(buffer, offset);
        final int typeCode = MessageHeader.typeCode(first);
        if (typeCode == MessageType.REMOTE_READ_REPLY.code())
        {
            return onReply(number, buffer, offset + MessageHeader.LENGTH, payloadLength);
        }
        if (typeCode == MessageType.REFUSED.code())
        {
            return onRefused(number, AnswerDescriptor.refusal(buffer, offset));
        }
        if (typeCode == MessageType.ACK.code())
        {
            return log.trySettle(number) ? Outcome.DONE : Outcome.BAD;
        }
        return Outcome.UNKNOWN_TYPE;
    }

    @Override
    public boolean tryRelease()
    {
        return true;
    }

    @Override
    public boolean isSettled()
    {
        return log.isSettled();
    }

    /** No answer comes any more: what was not answered never will be. */
    @Override
    public void end()
    {
        hop.lose();
    }

    private Outcome onReply(
        final long number, final MutableDirectBuffer buffer, final int payloadOffset, final int payloadLength)
    {
        final int index = log.tryAnswer(number);
        if (index < 0 || !log.isRead(index) || log.length(index) != payloadLength)
        {
            return Outcome.BAD;
        }
        // A link that was given up: its reads have ended, and their memory is the application's again.
        log.settle(ended != SendStatus.SENT ? null : own.fill(log.targetAddress(index), buffer, payloadOffset,
            payloadLength, log.notificationAddress(index), log.notificationValue(index)));
        return Outcome.DONE;
    }

    private Outcome onRefused(final long number, final RemoteRefusal refusal)
    {
        if (refusal == null || log.tryAnswer(number) < 0)
        {
            return Outcome.BAD;
        }
        log.settle(refusal);
        return Outcome.DONE;
    }

    private SendStatus tryWrite(
        final MessageType type, final long remoteAddress, final DirectBuffer data, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final int ticket)
    {
        requireLength(length, writeLengthMax);
        data.boundsCheck(offset, length);
        final SendStatus claimed =
            tryClaim(type, RemoteMemoryFormat.EXTENSION_LENGTH + length, remoteAddress, notificationAddress);
        if (claimed == SendStatus.SENT)
        {
            putExtension(notificationValue, length);
            room.buffer().putBytes(room.offset() + RemoteMemoryFormat.EXTENSION_LENGTH, data, offset, length);
            log.write(ticket, remoteAddress, length);
            room.publish();
        }
        return claimed;
    }

    private SendStatus tryClaim(
        final MessageType type, final int payloadLength, final long remoteAddress, final long notificationAddress)
    {
        if (ended != SendStatus.SENT)
        {
            return ended;
        }
        if (log.isFull())
        {
            return hop.isPeerGone() ? SendStatus.PEER_GONE : SendStatus.BACK_PRESSURED;
        }
        final SendStatus status = hop.tryClaim(payloadLength, room);
        if (status == SendStatus.SENT)
        {
            AnswerDescriptor.writeHeader(room.buffer(), room.headerOffset(), type, source, destination, payloadLength,
                remoteAddress, notificationAddress);
        }
        return status;
    }

    /** Returns the index of the header. */
    private int putExtension(final int notificationValue, final int length)
    {
        final int header = room.offset() - MessageHeader.LENGTH;
        room.buffer().putInt(header + RemoteMemoryFormat.VALUE_OFFSET, notificationValue, BIG_ENDIAN);
        room.buffer().putInt(header + RemoteMemoryFormat.COUNT_OFFSET, length, BIG_ENDIAN);
        return header;
    }

    private static void requireLength(final int length, final int lengthMax)
    {
        if (length < 0 || length > lengthMax)
        {
            throw new IllegalArgumentException("length=" + length + " is outside 0 to " + lengthMax);
        }
    }
}
