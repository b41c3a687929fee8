// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.grim.counters.ChannelCounters;
import org.grim.queue.OverflowQueue;
import org.grim.transport.FrameClaim;
import org.grim.transport.Hop;
import org.grim.transport.Link;
import org.grim.transport.Transport;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/**
 * The sending half of GRIM: claim, fill, publish, over whatever next hop a transport gave. A handler's sends go to the
 * overflow queue while the hop is full, and nothing overtakes what waits there.
 * <p>Thread: the endpoint's owner, or, if shared, whoever holds the {@link org.grim.transport.SharedLink}.
 */
final class EndpointLink implements Link, FrameClaim.Publisher
{
    private static final long POSITION_SENT = 0;
    private static final long POSITION_QUEUED = 1;

    private final Endpoint endpoint;
    private final int sourceChannel;
    private final EndpointId destination;
    private final Transport transport;
    private final Hop hop;
    private final ChannelCounters counters;
    private final boolean isShared;
    private final int payloadLengthMax;
    private final int typeWord;
    private final int routeWord;
    private final int destinationAddress;
    private final FrameClaim room = new FrameClaim();
    private final OverflowQueue overflow;
    private EndpointRemoteLink remote;
    private boolean isClaimOpen;
    private boolean isUsable = true;
    private boolean isSettled;
    private long undeliveredCount;

    EndpointLink(
        final Endpoint endpoint, final int sourceChannel, final EndpointId destination, final Transport transport,
        final ChannelCounters counters, final OverflowQueue overflow)
    {
        this.endpoint = endpoint;
        this.sourceChannel = sourceChannel;
        this.destination = destination;
        this.transport = transport;
        hop = transport.connect(sourceChannel, destination);
        this.counters = counters;
        this.overflow = overflow;
        isShared = overflow == null;
        payloadLengthMax = Math.min(hop.payloadLengthMax(), MessageHeader.PAYLOAD_LENGTH_MAX);
        typeWord = MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, endpoint.id().address());
        routeWord = MessageHeader.routeWord(sourceChannel, destination.channel());
        destinationAddress = destination.address();
    }

    @Override
    public SendStatus send(
        final int handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        checkSend(handler, length);
        if (isWayFree() && hop.trySend(wordOne(length), extentWords(handler, length), MessageHeader.pair(a0, a1),
            MessageHeader.pair(a2, a3), source, offset, length) == SendStatus.SENT)
        {
            counters.sent(length);
            return SendStatus.SENT;
        }
        return sendByClaim(handler, a0, a1, a2, a3, source, offset, length);
    }

    @Override
    public SendStatus tryClaim(
        final int handler, final int a0, final int a1, final int a2, final int a3, final int length,
        final FrameClaim claim)
    {
        checkSend(handler, length);
        final SendStatus status = claimRoom(length);
        if (status == SendStatus.SENT || status == SendStatus.QUEUED)
        {
            fillHeader(handler, a0, a1, a2, a3, length);
            isClaimOpen = true;
            claim.claimed(this, room.buffer(), room.headerOffset(), room.offset(), length,
                status == SendStatus.QUEUED ? POSITION_QUEUED : POSITION_SENT);
        }
        return status;
    }

    @Override
    public void publish(final FrameClaim claim)
    {
        isClaimOpen = false;
        endClaim(claim.position() == POSITION_QUEUED ? SendStatus.QUEUED : SendStatus.SENT, claim.length());
    }

    @Override
    public void abort(final FrameClaim claim)
    {
        isClaimOpen = false;
        room.abort();
    }

    @Override
    public EndpointId destination()
    {
        return destination;
    }

    @Override
    public int payloadLengthMax()
    {
        return payloadLengthMax;
    }

    /** The way to the same endpoint's memory, in one order with this link. */
    EndpointRemoteLink remote(final OverflowQueue.Ceiling ceiling, final RemoteMemory memory)
    {
        if (remote == null)
        {
            remote = new EndpointRemoteLink(this, overflow, ceiling,
                transport.connectMemory(sourceChannel, destination, hop), counters, memory);
        }
        return remote;
    }

    /** Messages and operations of this link that wait in the overflow queue. */
    int overflowDepth()
    {
        return isShared ? 0 : overflow.depth();
    }

    /** False after the hop said that nothing can go this way any more: the peer may be back, for a new link. */
    boolean isUsable()
    {
        return isUsable;
    }

    /** Moves what waits to the next hop, in order, as far as there is room. */
    int flush()
    {
        int count = 0;
        while (overflow.depth() > 0 && !isClaimOpen)
        {
            final SendStatus status = overflow.tryMove(hop, room);
            if (status == SendStatus.BACK_PRESSURED)
            {
                break;
            }
            if (status != SendStatus.SENT)
            {
                return count + giveUp();
            }
            counters.overflowLeft();
            endpoint.onOverflowLeft();
            count++;
        }
        return count;
    }

    /** The hop and what waits for it are no more. */
    void close()
    {
        if (overflowDepth() > 0)
        {
            giveUp();
        }
        if (remote != null)
        {
            remote.close();
        }
        hop.close();
    }

    /** False while the peer is up in the incarnation that this link was made for. */
    boolean isPeerGone()
    {
        return hop.isPeerGone();
    }

    /** Accounts, once, for all that was accepted and may not have been handled: nothing can go this way any more. */
    void settle(final LossAccounts accounts)
    {
        if (!isSettled)
        {
            isSettled = true;
            giveUp();
            final long lostCount = hop.undeliveredCount();
            counters.undelivered((int)lostCount);
            accounts.add(destination.node(), undeliveredCount + lostCount, hop.unknownCount());
            if (remote != null)
            {
                remote.settle();
            }
        }
    }

    /** Discards what waits in the overflow queue. */
    int giveUp()
    {
        isUsable = false;
        final int depth = overflow.depth();
        final int count = overflow.discard();
        undeliveredCount += count;
        counters.undelivered(count);
        for (int i = count; i < depth; i++)         // Remote-memory operations are told one by one.
        {
            counters.overflowLeft();
        }
        for (int i = 0; i < depth; i++)
        {
            endpoint.onOverflowLeft();
        }
        return depth;
    }

    /** Whether an operation may go to the hop; if it has to wait in the overflow queue; or why neither. */
    SendStatus gate()
    {
        if (endpoint.isClosed())
        {
            return SendStatus.CLOSED;
        }
        if (overflow.depth() == 0)
        {
            return SendStatus.SENT;
        }
        if (endpoint.isInHandler())
        {
            return SendStatus.QUEUED;
        }
        flush();
        return overflow.depth() == 0 ? SendStatus.SENT :
            refuse(hop.isPeerGone() ? SendStatus.PEER_GONE : SendStatus.BACK_PRESSURED);
    }

    /** Takes note that the hop did not accept; says what it said. */
    SendStatus refuse(final SendStatus status)
    {
        if (status == SendStatus.BACK_PRESSURED)
        {
            counters.backPressured();
            endpoint.onBackPressure(isShared);
        }
        else
        {
            isUsable = false;
            endpoint.onRefused(status);
        }
        return status;
    }

    /** A message or an operation entered the overflow queue. */
    void onQueued()
    {
        counters.overflowed();
        endpoint.onOverflowed();
    }

    boolean isInHandler()
    {
        return endpoint.isInHandler();
    }

    /** Refuses a second thread, and any use while a claim is open. */
    void checkUse()
    {
        if (!isShared)
        {
            endpoint.checkOwner();
        }
        if (isClaimOpen)
        {
            throw new IllegalStateException("a claim on the link to " + destination + " is open: publish or abort it");
        }
    }

    boolean isWayFree()
    {
        return !endpoint.isClosed() && (isShared || overflow.depth() == 0);
    }

    private SendStatus sendByClaim(
        final int handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        final SendStatus status = claimRoom(length);
        if (status == SendStatus.SENT || status == SendStatus.QUEUED)
        {
            fillHeader(handler, a0, a1, a2, a3, length);
            if (length > 0)
            {
                fillPayload(source, offset, length);
            }
            endClaim(status, length);
        }
        return status;
    }

    private SendStatus claimRoom(final int length)
    {
        if (endpoint.isClosed())
        {
            return SendStatus.CLOSED;
        }
        if (!isShared && overflow.depth() > 0)
        {
            return claimBehindOverflow(length);
        }
        final SendStatus status = hop.tryClaim(length, room);
        return status == SendStatus.SENT ? status : onRefused(status, length);
    }

    private SendStatus claimBehindOverflow(final int length)
    {
        if (endpoint.isInHandler())
        {
            return claimOverflow(length);
        }
        flush();
        if (overflow.depth() > 0)
        {
            return onRefused(hop.isPeerGone() ? SendStatus.PEER_GONE : SendStatus.BACK_PRESSURED, length);
        }
        final SendStatus status = hop.tryClaim(length, room);
        return status == SendStatus.SENT ? status : onRefused(status, length);
    }

    private SendStatus onRefused(final SendStatus status, final int length)
    {
        return refuse(status) == SendStatus.BACK_PRESSURED && !isShared && endpoint.isInHandler() ?
            claimOverflow(length) : status;
    }

    private SendStatus claimOverflow(final int length)
    {
        return overflow.claim(length, room);
    }

    private void endClaim(final SendStatus status, final int length)
    {
        room.publish();
        counters.sent(length);
        if (status == SendStatus.QUEUED)
        {
            onQueued();
        }
    }

    private void fillHeader(
        final int handler, final int a0, final int a1, final int a2, final int a3, final int length)
    {
        MessageHeader.write(room.buffer(), room.headerOffset(), wordOne(length), extentWords(handler, length),
            MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3));
    }

    private int wordOne(final int length)
    {
        return typeWord | MessageHeader.correction(length);
    }

    private long extentWords(final int handler, final int length)
    {
        return MessageHeader.extentWords(destinationAddress, routeWord | handler, length);
    }

    /** The caller's buffer may be too short: then the claim goes back, and nothing has happened. */
    private void fillPayload(final DirectBuffer source, final int offset, final int length)
    {
        try
        {
            room.buffer().putBytes(room.offset(), source, offset, length);
        }
        catch (final RuntimeException ex)
        {
            room.abort();
            throw ex;
        }
    }

    private void checkSend(final int handler, final int length)
    {
        checkUse();
        if (length < 0 || length > payloadLengthMax)
        {
            throw new IllegalArgumentException("payload length=" + length + " exceeds max=" + payloadLengthMax);
        }
        if (handler < 0 || handler > MessageHeader.HANDLER_MAX)
        {
            throw new IllegalArgumentException("handler=" + handler + " is outside 0 to " + MessageHeader.HANDLER_MAX);
        }
    }
}
