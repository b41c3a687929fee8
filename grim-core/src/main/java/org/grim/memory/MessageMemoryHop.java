// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.transport.HopClaim;
import org.grim.transport.MemoryHop;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Remote memory by messages: each operation is one message of the path beside this hop, so they share its order. The
 * executor at the target, and the path of its outcome back, are those of its {@link OperationCarrier}.
 * <p>Thread: the link's owner. Bounds: {@value OperationLog#CAPACITY} operations under way, or refused and not drained.
 */
public final class MessageMemoryHop implements MemoryHop
{
    private final OperationCarrier carrier;
    private final OperationLog log;
    private final int sourceAddress;
    private final int destinationAddress;
    private final int routeWord;
    private final int writeLengthMax;
    private final int readLengthMax;
    private final HopClaim room = new HopClaim();
    private SendStatus ended = SendStatus.SENT;         // Why nothing is accepted any more.

    /** Makes the hop, with both addresses and {@link MessageHeader#routeWord} as the messages have them. */
    public MessageMemoryHop(
        final OperationCarrier carrier, final OperationLog log, final int sourceAddress, final int destinationAddress,
        final int routeWord, final int writeLengthMax, final int readLengthMax)
    {
        this.carrier = carrier;
        this.log = log;
        this.sourceAddress = sourceAddress;
        this.destinationAddress = destinationAddress;
        this.routeWord = routeWord;
        this.writeLengthMax = writeLengthMax;
        this.readLengthMax = readLengthMax;
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
        final SignalOperation operation, final long signalAddress, final long value, final int ticket)
    {
        return tryWrite(
            MessageType.of(operation), remoteAddress, source, offset, length, signalAddress, value, ticket);
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
        if ((log.isEmpty() && !carrier.hasLost()) || !carrier.tryEnter())
        {
            return 0;                       // The thread inside settles, and the next call reports.
        }
        try
        {
            carrier.settle();
            return log.drain(sink) + carrier.drainLost(sink);
        }
        finally
        {
            carrier.leave();
        }
    }

    @Override
    public void closeMemory()
    {
        // Sent operations are still executed. The directory may have gone when a caller asks again.
        ended = carrier.isPeerGone() ? SendStatus.PEER_GONE : SendStatus.CLOSED;
        carrier.close();
    }

    private SendStatus tryWrite(
        final MessageType type, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final long notificationValue, final int ticket)
    {
        requireLength(length, writeLengthMax);
        source.boundsCheck(offset, length);
        final SendStatus begun = begin(type, remoteAddress, length, NO_NOTIFICATION, notificationAddress, ticket);
        if (begun != null)
        {
            return begun;
        }
        try
        {
            final int payloadLength = RemoteMemoryFormat.extensionLength(type.code()) + length;
            final SendStatus claimed = carrier.tryClaim(payloadLength, room, source, offset, length);
            if (claimed == SendStatus.SENT)
            {
                putWords(type, payloadLength, remoteAddress, length, notificationAddress, notificationValue);
                if (!carrier.tryFill(room, source, offset, length))
                {
                    return SendStatus.BACK_PRESSURED;
                }
                log.write(ticket, remoteAddress, length);
                room.publish();
            }
            return claimed;
        }
        finally
        {
            carrier.leave();
        }
    }

    /** Sends what brings bytes: a read, or an atomic operation. */
    private SendStatus tryAsk(
        final MessageType type, final long remoteAddress, final int length, final long operand, final long comparand,
        final long targetAddress, final long notificationAddress, final int notificationValue, final int ticket)
    {
        final SendStatus begun = begin(type, remoteAddress, length, targetAddress, notificationAddress, ticket);
        if (begun != null)
        {
            return begun;
        }
        try
        {
            final boolean isAtomic = type != MessageType.REMOTE_READ;
            final boolean isTargetSent = carrier.isTargetSent();
            final int payloadLength = isAtomic ? RemoteMemoryFormat.ATOMIC_EXTENSION_LENGTH :
                isTargetSent ? RemoteMemoryFormat.READ_EXTENSION_LENGTH : RemoteMemoryFormat.EXTENSION_LENGTH;
            final SendStatus claimed = carrier.tryClaim(payloadLength, room, null, 0, 0);
            if (claimed == SendStatus.SENT)
            {
                putWords(type, payloadLength, remoteAddress, length,
                    isTargetSent ? notificationAddress : NO_NOTIFICATION, isTargetSent ? notificationValue : 0);
                if (isAtomic || isTargetSent)
                {
                    putLong(RemoteMemoryFormat.TARGET_OFFSET, isTargetSent ? targetAddress : 0);
                }
                if (isAtomic)
                {
                    putLong(RemoteMemoryFormat.OPERAND_OFFSET, operand);
                    putLong(RemoteMemoryFormat.COMPARAND_OFFSET, comparand);
                }
                log.read(ticket, remoteAddress, length, targetAddress, notificationAddress, notificationValue);
                room.publish();
            }
            return claimed;
        }
        finally
        {
            carrier.leave();
        }
    }

    /** Enters, unless the operation has its outcome at once, which is returned; null if its message must be sent. */
    private SendStatus begin(
        final MessageType type, final long remoteAddress, final int length, final long targetAddress,
        final long notificationAddress, final int ticket)
    {
        if (ended != SendStatus.SENT)
        {
            return ended;
        }
        if (carrier.isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        if (!carrier.tryEnter())
        {
            return SendStatus.BACK_PRESSURED;
        }
        if (log.isFull())
        {
            carrier.settle();
        }
        if (log.isFull())
        {
            carrier.leave();
            return SendStatus.BACK_PRESSURED;
        }
        final RemoteRefusal refusal = carrier.judge(type, remoteAddress, length, targetAddress, notificationAddress);
        if (refusal == null)
        {
            return null;
        }
        log.refused(ticket, remoteAddress, length, refusal);
        carrier.leave();
        return SendStatus.SENT;
    }

    private static void requireLength(final int length, final int lengthMax)
    {
        if (length < 0 || length > lengthMax)
        {
            throw new IllegalArgumentException("length=" + length + " is outside 0 to " + lengthMax);
        }
    }

    /** Writes all words that operations have in common. */
    private void putWords(
        final MessageType type, final int payloadLength, final long remoteAddress, final int length,
        final long notificationAddress, final long notificationValue)
    {
        final MutableDirectBuffer buffer = room.buffer();
        final int header = room.headerOffset();
        MessageHeader.write(buffer, header,
            MessageHeader.typeWord(type, sourceAddress) | MessageHeader.correction(payloadLength),
            MessageHeader.extentWords(destinationAddress, routeWord, payloadLength), remoteAddress,
            notificationAddress);
        RemoteMemoryFormat.putValue(buffer, header, type.code(), notificationValue);
        buffer.putInt(header + RemoteMemoryFormat.COUNT_OFFSET, length, BIG_ENDIAN);
    }

    private void putLong(final int wordOffset, final long value)
    {
        room.buffer().putLong(room.headerOffset() + wordOffset, value, BIG_ENDIAN);
    }
}
