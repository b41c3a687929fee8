// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.memory.OperationCarrier;
import org.grim.memory.OperationLog;
import org.grim.transport.HopClaim;
import org.grim.transport.HostRegions.OwnRegions;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/**
 * Carrier of remote-memory operations to a node on another host, by an {@link AeronHop}: the loop at the target
 * executes them, and answers over a hop of its own. An answer names the operation by its number, and nothing else: what
 * a read writes here, and where, stands in this side's log.
 * <p>An operation is one frame, so that none is copied between logs, and other hops have their turn after each.
 * <p>Thread: the link's owner, which also polls the answers.
 */
final class AeronOperations implements OperationCarrier, AeronQueue.Operations
{
    private final AeronHop hop;
    private final OwnRegions own;
    private final OperationLog log;
    private boolean isClosed;

    AeronOperations(final AeronHop hop, final OwnRegions own, final OperationLog log)
    {
        this.hop = hop;
        this.own = own;
        this.log = log;
    }

    @Override
    public boolean isPeerGone()
    {
        return hop.isPeerGone();
    }

    @Override
    public SendStatus tryClaim(
        final int payloadLength, final HopClaim room, final DirectBuffer source, final int offset, final int length)
    {
        return hop.tryClaim(payloadLength, room);
    }

    @Override
    public void settle()
    {
        if (hop.isPeerGone())
        {
            log.giveUp(RemoteRefusal.PEER_GONE);
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
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
        log.settle(isClosed ? null : own.fill(log.targetAddress(index), buffer, payloadOffset, payloadLength,
            log.notificationAddress(index), log.notificationValue(index)));
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
}
