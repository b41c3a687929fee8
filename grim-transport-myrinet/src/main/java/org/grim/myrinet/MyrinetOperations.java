// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.board.MessageOutcome;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.AtomicWord;
import org.grim.memory.OperationCarrier;
import org.grim.memory.OperationLog;
import org.grim.myrinet.memory.RegisteredArena;
import org.grim.transport.HopClaim;
import org.grim.transport.MemoryHop;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/**
 * Carrier of remote-memory operations behind an NI: messages in the channel's queue like any other, so they share the
 * order of the {@link MyrinetHop} beside; the NIs at both ends execute them, and tell what they refused by the
 * message's outcome.
 * <p>Reads that the far NI has acknowledged are kept: their replies may still be under way, and with that NI, or the
 * own one, they would be lost without a word. A reply is there when the read's notification word is; of reads without
 * one, nobody can tell.
 * <p>Thread: the link's owner; outcomes come from the thread that settles the channel, inside its sender.
 * <p>Bounds: the latest {@value #ACKNOWLEDGED_COUNT_MAX} acknowledged reads; replies come in the order of their reads,
 * so older ones are there, or their successors, which are kept, are not.
 */
final class MyrinetOperations implements OperationCarrier, HopClaim.Publisher, ChannelSender.OutcomeListener
{
    private static final int ACKNOWLEDGED_COUNT_MAX = 64;

    private final AtomicBuffer sram;
    private final ChannelSender sender;
    private final BoardRunner runner;
    private final PathStatus status;
    private final RegisteredArena arena;
    private final OperationLog log;
    private final OperationLog acknowledged = new OperationLog(ACKNOWLEDGED_COUNT_MAX);
    private boolean isGivenUp;
    private boolean isPublished;

    MyrinetOperations(
        final AtomicBuffer sram, final ChannelSender sender, final BoardRunner runner, final PathStatus status,
        final RegisteredArena arena, final OperationLog log)
    {
        this.sram = sram;
        this.sender = sender;
        this.runner = runner;
        this.status = status;
        this.arena = arena;
        this.log = log;
    }

    @Override
    public boolean isPeerGone()
    {
        return status.isGone();
    }

    @Override
    public boolean tryEnter()
    {
        return sender.tryTake();
    }

    @Override
    public void leave()
    {
        final boolean hasPublished = isPublished;
        isPublished = false;
        sender.giveBack();
        if (hasPublished)
        {
            runner.onPublished();
        }
    }

    @Override
    public boolean isTargetSent()
    {
        return true;
    }

    /** A read's reply is written by this node's own board, of whose refusals nobody would learn. */
    @Override
    public RemoteRefusal judge(
        final MessageType type, final long remoteAddress, final int length, final long targetAddress,
        final long notificationAddress)
    {
        final boolean isAtomic = MessageType.atomicOf(type.code()) != null;
        if (isAtomic && !AtomicWord.isAligned(remoteAddress, length))
        {
            return RemoteRefusal.MISALIGNED_WORD;
        }
        if (length == 0)
        {
            return RemoteRefusal.ZERO_LENGTH;
        }
        if (wrapsAround(remoteAddress, length))
        {
            return RemoteRefusal.WRAP_AROUND;
        }
        if (!AtomicWord.isAligned(notificationAddress, MessageType.notificationLength(type.code())))
        {
            return RemoteRefusal.MISALIGNED_NOTIFICATION;
        }
        return isAtomic || type == MessageType.REMOTE_READ ?
            judgeTarget(targetAddress, length, notificationAddress) : null;
    }

    @Override
    public SendStatus tryClaim(
        final int payloadLength, final HopClaim room, final DirectBuffer source, final int offset, final int length)
    {
        final int index = sender.claim(MessageHeader.LENGTH + payloadLength - length, source, offset, length);
        if (index == ChannelAppender.NO_ROOM)
        {
            return sender.isClosed() ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
        }
        sram.putInt(index, MessageHeader.identityWord(0));
        room.claimed(this, sram, index, index + MessageHeader.LENGTH, payloadLength, 0);
        return SendStatus.SENT;
    }

    @Override
    public boolean tryFill(final HopClaim room, final DirectBuffer source, final int offset, final int length)
    {
        final int dataOffset = MessageHeader.LENGTH + room.length() - length;
        return sender.tryInject(room.headerOffset() + dataOffset, dataOffset, source, offset, length);
    }

    @Override
    public void publish(final HopClaim claim)
    {
        sender.publish(this);
        isPublished = true;
    }

    @Override
    public void abort(final HopClaim claim)
    {
        sender.abort();
    }

    /** A board that has gone settles nothing any more. */
    @Override
    public void settle()
    {
        sender.settleInside();
        trim();
        if (status.isNearBoardGone())
        {
            log.giveUp(RemoteRefusal.PEER_GONE);
            isGivenUp = true;
        }
    }

    @Override
    public boolean hasLost()
    {
        return !acknowledged.isEmpty() && status.isGone();
    }

    @Override
    public int drainLost(final MemoryHop.RefusalSink sink)
    {
        if (!hasLost())
        {
            return 0;
        }
        trim();
        acknowledged.giveUp(RemoteRefusal.PEER_GONE);
        return acknowledged.drain(sink);
    }

    @Override
    public void onSettled(final MessageOutcome outcome)
    {
        if (isGivenUp)
        {
            return;                     // They were reported as lost with the board.
        }
        final int index = log.settle(outcome == null ? null : outcome == MessageOutcome.REFUSED ?
            RemoteRefusal.BY_NETWORK_INTERFACE : RemoteRefusal.PEER_GONE);
        if (outcome != null || log.notificationAddress(index) == MemoryHop.NO_NOTIFICATION)
        {
            return;
        }
        if (acknowledged.isFull() && acknowledged.takeRefused() < 0)
        {
            acknowledged.settle(null);
        }
        acknowledged.read(log.ticket(index), log.address(index), log.length(index), log.targetAddress(index),
            log.notificationAddress(index), log.notificationValue(index));
    }

    private RemoteRefusal judgeTarget(final long targetAddress, final int length, final long notificationAddress)
    {
        if (wrapsAround(targetAddress, length))
        {
            return RemoteRefusal.WRAP_AROUND;
        }
        if (!arena.isRegistered(targetAddress, length))
        {
            return RemoteRefusal.OUT_OF_RANGE;
        }
        return notificationAddress == MemoryHop.NO_NOTIFICATION ||
            arena.isRegistered(notificationAddress, Integer.BYTES) ? null : RemoteRefusal.NOTIFICATION_OUT_OF_RANGE;
    }

    private static boolean wrapsAround(final long address, final int length)
    {
        return Long.compareUnsigned(address + length - 1, address) < 0;
    }

    /** Lets go of the oldest reads whose replies have come. */
    private void trim()
    {
        while (!acknowledged.isSettled() && isAnswered(acknowledged.oldest()))
        {
            acknowledged.settle(null);
        }
    }

    private boolean isAnswered(final int index)
    {
        return arena.isNotified(acknowledged.notificationAddress(index), acknowledged.notificationValue(index));
    }
}
