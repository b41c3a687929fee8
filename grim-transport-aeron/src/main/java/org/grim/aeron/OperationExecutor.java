// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.aeron.observe.Party;
import org.grim.buffer.AtomicWord;
import org.grim.buffer.Buffers;
import org.grim.memory.OperationLog;
import org.grim.transport.HopClaim;
import org.grim.transport.HostRegions.OwnRegions;
import org.grim.transport.Membership;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Executes the remote-memory operations that come over one hop, on this node's memory, and answers over a hop back,
 * which is made at the first operation: what was read, what was refused, and now and then how much was executed. An
 * operation whose answer finds no room is not taken: its hop waits, and no other.
 * <p>Thread: the loop's. Owns: the hop back, until {@link #end()}.
 */
final class OperationExecutor implements AeronQueue.Operations
{
    /** Most bytes of a read: their answer fits the smallest log that a target can be configured with. */
    static final int READ_LENGTH_MAX = 4096;

    private static final Logger LOGGER = LoggerFactory.getLogger(OperationExecutor.class);
    private static final int TOLD_INTERVAL = OperationLog.CAPACITY / 4;

    private final Membership membership;
    private final Answers answers;
    private final EndpointId self;
    private final Party source;
    private final int sourceStatus;
    private final int number;
    private final HopClaim room = new HopClaim();
    private final MutableDirectBuffer nobodysResult = Buffers.allocate(Long.BYTES);
    private EndpointId initiator;
    private OwnRegions own;
    private AeronHop hop;
    private long executedCount;
    private long reportedCount;

    /** Memory for operations, and sender of their answers. Thread: any loop's. */
    interface Answers
    {
        /**
         * Finds this node's memory.
         *
         * @throws GrimException if it cannot be reached now.
         */
        OwnRegions memory(int channel);

        /**
         * Makes the hop back. Waits for the driver, not for the peer.
         *
         * @throws GrimException if it cannot be made.
         */
        AeronHop connect(int channel, EndpointId initiator, Party source, int answeredNumber);
    }

    OperationExecutor(
        final Membership membership, final Answers answers, final int channel, final Party source, final int number)
    {
        this.membership = membership;
        this.answers = answers;
        this.source = source;
        this.number = number;
        self = EndpointId.of(membership.self(), 0, channel);
        sourceStatus = membership.upStatus(source.incarnation());
    }

    @Override
    public Outcome tryTake(
        final long first, final long second, final MutableDirectBuffer buffer, final int offset)
    {
        final int typeCode = MessageHeader.typeCode(first);
        if (!MessageType.isOperation(typeCode))
        {
            return Outcome.UNKNOWN_TYPE;
        }
        final boolean isRead = typeCode == MessageType.REMOTE_READ.code();
        final AtomicOperation atomic = MessageType.atomicOf(typeCode);
        final int payloadLength = MessageHeader.payloadLength(first, second);
        final int dataLength = payloadLength -
            (isRead ? RemoteMemoryFormat.EXTENSION_LENGTH : RemoteMemoryFormat.extensionLength(typeCode));
        final int count = dataLength < 0 ? -1 : buffer.getInt(offset + RemoteMemoryFormat.COUNT_OFFSET, BIG_ENDIAN);
        final boolean isGood = atomic != null ?
            dataLength == 0 && AtomicWord.isLength(count) :
            count >= 0 && (isRead ? count <= READ_LENGTH_MAX : count == dataLength);
        if (!isGood)
        {
            return Outcome.BAD;
        }
        final boolean isSourceUp = membership.status(source.node()) == sourceStatus;
        if (isSourceUp && !canAnswer(MessageHeader.sourceChannel(second)))
        {
            return Outcome.LOST;
        }
        final boolean isTaken = atomic != null ? tryAtomic(atomic, buffer, offset, count, isSourceUp) :
            isRead ? !isSourceUp || tryRead(buffer, offset, count) :
            tryWrite(typeCode, buffer, offset, count, isSourceUp);
        if (!isTaken)
        {
            return hop.isPeerGone() ? Outcome.LOST : Outcome.LATER;
        }
        executedCount++;
        if (executedCount - reportedCount >= TOLD_INTERVAL)
        {
            tryTellExecuted();
        }
        return Outcome.DONE;
    }

    @Override
    public boolean tryRelease()
    {
        if (hop == null || membership.status(source.node()) != sourceStatus)
        {
            return true;
        }
        tryTellExecuted();
        return !hop.isPeerGone();
    }

    @Override
    public boolean isSettled()
    {
        return true;
    }

    @Override
    public void end()
    {
        if (hop != null)
        {
            hop.close();
        }
    }

    /** Makes the hop back, if it is not there; false if answers cannot be sent, now or ever. */
    private boolean canAnswer(final int sourceChannel)
    {
        if (hop == null)
        {
            try
            {
                initiator = EndpointId.of(source.node(), 0, sourceChannel);
                hop = answers.connect(self.channel(), initiator, source, number);
            }
            catch (final GrimException ex)
            {
                LOGGER.warn("remote memory: {} cannot be answered", source, ex);
                return false;
            }
        }
        return !hop.isPeerGone();
    }

    private boolean tryWrite(
        final int typeCode, final MutableDirectBuffer buffer, final int offset, final int count,
        final boolean isSourceUp)
    {
        final OwnRegions memory = memory();
        final long address = buffer.getLong(offset + RemoteMemoryFormat.REMOTE_OFFSET, BIG_ENDIAN);
        final long wordAddress = buffer.getLong(offset + RemoteMemoryFormat.NOTIFICATION_OFFSET, BIG_ENDIAN);
        final long value = RemoteMemoryFormat.value(buffer, offset, typeCode);
        final int dataOffset = offset + MessageHeader.LENGTH + RemoteMemoryFormat.extensionLength(typeCode);
        final SignalOperation signal = MessageType.signalOf(typeCode);
        final RemoteRefusal refusal = memory == null ? RemoteRefusal.NO_MEMORY :
            signal != null ?
            memory.writeWithSignal(address, buffer, dataOffset, count, signal, wordAddress, value) :
            memory.write(typeCode == MessageType.REMOTE_WRITE_PHYSICAL.code(), address, buffer, dataOffset, count,
                wordAddress, (int)value);
        return refusal == null || !isSourceUp || tryRefuse(refusal);
    }

    /** Executes it once, when there is room for the answer; for a node that is gone, as its writes, without one. */
    private boolean tryAtomic(
        final AtomicOperation atomic, final MutableDirectBuffer buffer, final int offset, final int length,
        final boolean isSourceUp)
    {
        if (isSourceUp && hop.tryClaim(length, room) != SendStatus.SENT)
        {
            return false;
        }
        final OwnRegions memory = memory();
        final RemoteRefusal refusal = memory == null ? RemoteRefusal.NO_MEMORY :
            memory.atomic(atomic, buffer.getLong(offset + RemoteMemoryFormat.REMOTE_OFFSET, BIG_ENDIAN), length,
                buffer.getLong(offset + RemoteMemoryFormat.OPERAND_OFFSET, BIG_ENDIAN),
                buffer.getLong(offset + RemoteMemoryFormat.COMPARAND_OFFSET, BIG_ENDIAN),
                isSourceUp ? room.buffer() : nobodysResult, isSourceUp ? room.offset() : 0);
        if (!isSourceUp)
        {
            return true;
        }
        if (refusal != null)
        {
            room.abort();
            return tryRefuse(refusal);
        }
        publish(MessageType.REMOTE_READ_REPLY, length, executedCount + 1, 0);
        return true;
    }

    private boolean tryRead(final MutableDirectBuffer buffer, final int offset, final int count)
    {
        if (hop.tryClaim(count, room) != SendStatus.SENT)
        {
            return false;
        }
        final OwnRegions memory = memory();
        final RemoteRefusal refusal = memory == null ? RemoteRefusal.NO_MEMORY :
            memory.read(buffer.getLong(offset + RemoteMemoryFormat.REMOTE_OFFSET, BIG_ENDIAN), room.buffer(),
                room.offset(), count);
        if (refusal != null)
        {
            room.abort();
            return tryRefuse(refusal);
        }
        publish(MessageType.REMOTE_READ_REPLY, count, executedCount + 1, 0);
        return true;
    }

    private boolean tryRefuse(final RemoteRefusal refusal)
    {
        if (hop.tryClaim(0, room) != SendStatus.SENT)
        {
            return false;
        }
        publish(MessageType.REFUSED, 0, executedCount + 1, refusal.code());
        return true;
    }

    private void tryTellExecuted()
    {
        if (executedCount != reportedCount && hop.tryClaim(0, room) == SendStatus.SENT)
        {
            publish(MessageType.ACK, 0, executedCount, 0);
        }
    }

    private void publish(final MessageType type, final int length, final long answered, final int code)
    {
        AnswerDescriptor.writeHeader(
            room.buffer(), room.headerOffset(), type, self, initiator, length, answered, code);
        room.publish();
        reportedCount = answered;
    }

    private OwnRegions memory()
    {
        if (own == null)
        {
            try
            {
                own = answers.memory(self.channel());
            }
            catch (final GrimException ex)
            {
                LOGGER.warn("remote memory: operations of {} are refused", source, ex);
            }
        }
        return own;
    }
}
