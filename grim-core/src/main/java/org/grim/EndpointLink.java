// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.grim.counters.ChannelCounters;
import org.grim.queue.OverflowQueue;
import org.grim.transport.FrameClaim;
import org.grim.transport.Hop;
import org.grim.transport.Link;
import org.grim.transport.MessageStream;
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
    private final int incarnation;
    private final Transport transport;
    private final Hop hop;
    private final ChannelCounters counters;
    private final boolean isShared;
    private final int payloadLengthMax;
    private final int plainLengthMax;
    private final int lengthMax;
    private final LargeLink large;
    private final int typeWord;
    private final int routeWord;
    private final int destinationAddress;
    private final FrameClaim room = new FrameClaim();
    private final OverflowQueue overflow;
    private final LinkBooks books;
    private EndpointRemoteLink remote;
    private boolean isClaimOpen;
    private boolean isLent;
    private boolean isClosed;

    EndpointLink(
        final Endpoint endpoint, final int sourceChannel, final EndpointId destination, final Transport transport,
        final int incarnation, final ChannelCounters counters, final OverflowQueue overflow, final LargeSends sends)
    {
        this.endpoint = endpoint;
        this.sourceChannel = sourceChannel;
        this.destination = destination;
        this.transport = transport;
        hop = transport.connect(sourceChannel, destination);
        this.incarnation = incarnation;
        this.counters = counters;
        this.overflow = overflow;
        isShared = overflow == null;
        payloadLengthMax = Math.min(hop.payloadLengthMax(), MessageHeader.PAYLOAD_LENGTH_MAX);
        typeWord = MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, endpoint.id().address());
        routeWord = MessageHeader.routeWord(sourceChannel, destination.channel());
        destinationAddress = destination.address();
        books = new LinkBooks(endpoint, destination, hop, counters, overflow);
        large = isShared ? null : new LargeLink(this, endpoint, hop, overflow, books, sends,
            transport.sharesMemory(destination.node()));
        books.large(large);
        lengthMax = isShared ? payloadLengthMax : Math.max(payloadLengthMax, sends.limits().lengthMax());
        final boolean isShortWorthIt = !isShared && sends.limits().inPlaceMin() <= payloadLengthMax &&
            large.canGoInPlace(payloadLengthMax);
        plainLengthMax = isShortWorthIt ? sends.limits().inPlaceMin() - 1 : payloadLengthMax;
    }

    @Override
    public SendStatus send(
        final int handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        if (length > plainLengthMax)
        {
            return sendLarge(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length);
        }
        checkSend(handler, length);
        if (isWayFree() && hop.trySend(wordOne(length), extentWords(handler, length), MessageHeader.pair(a0, a1),
            MessageHeader.pair(a2, a3), source, offset, length) == SendStatus.SENT)
        {
            counters.sent(length);
            return SendStatus.SENT;
        }
        return sendByClaim(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length);
    }

    @Override
    public SendStatus tryClaim(
        final int handler, final int a0, final int a1, final int a2, final int a3, final int length,
        final FrameClaim claim)
    {
        checkSend(handler, length);
        if (length > payloadLengthMax || (length > plainLengthMax && isWayFree()))
        {
            return large.claim(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), length, claim);
        }
        final SendStatus status = claimRoom(length);
        if (status == SendStatus.SENT || status == SendStatus.QUEUED)
        {
            fillHeader(room, handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), length);
            isClaimOpen = true;
            if (!isLent)
            {
                isLent = true;
                hop.lent();
            }
            claim.claimed(this, room.buffer(), room.headerOffset(), room.offset(), length,
                status == SendStatus.QUEUED ? POSITION_QUEUED : POSITION_SENT);
        }
        return status;
    }

    @Override
    public SendStatus tryOpenStream(
        final int handler, final int a0, final int a1, final int a2, final int a3, final int totalLength,
        final MessageStream stream)
    {
        checkSend(handler, totalLength);
        return large.tryOpenStream(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), totalLength,
            stream);
    }

    @Override
    public void publish(final FrameClaim claim)
    {
        isClaimOpen = false;
        endpoint.requireOpen();                 // The peer may have taken the room back when this node left.
        endClaim(claim.position() == POSITION_QUEUED ? SendStatus.QUEUED : SendStatus.SENT, claim.length());
    }

    @Override
    public void abort(final FrameClaim claim)
    {
        isClaimOpen = false;
        if (!endpoint.isClosed())
        {
            room.abort();
        }
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
            remote = new EndpointRemoteLink(this, books, overflow, ceiling,
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
        return books.isUsable();
    }

    /** Moves what waits to the next hop, in order, as far as there is room. */
    int flush()
    {
        int count = 0;
        while (overflow.depth() > 0 && !isClaimOpen && !endpoint.isClosed())
        {
            final boolean isLarge = overflow.isFirstLarge(payloadLengthMax);
            final SendStatus status = isLarge ? large.parts().move() : overflow.tryMove(hop, room);
            count += isLarge ? large.parts().partCount() : 0;
            if (status == SendStatus.BACK_PRESSURED)
            {
                break;
            }
            if (status != SendStatus.SENT)
            {
                return count + books.giveUp(status);
            }
            books.overflowLeft();
            count++;
        }
        return count;
    }

    /** Ends the link: what waits is lost, the hop is given up. It answers as before, without the peer's memory. */
    void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            if (overflowDepth() > 0)
            {
                books.giveUp(SendStatus.CLOSED);
            }
            if (remote != null)
            {
                remote.close();
            }
            hop.close();
            room.forget();
            if (large != null)
            {
                large.forget();
            }
        }
    }

    /** True if the accounts are settled, and nobody can touch the peer's memory by this link: it may be closed. */
    boolean isOver()
    {
        return books.isSettled() && !isClaimOpen;
    }

    /** True if everything that was published has been taken by the peer. */
    boolean isEmpty()
    {
        return hop.unknownCount() == 0;
    }

    /** False while the peer is up in the incarnation that this link was made for. */
    boolean isPeerGone()
    {
        return hop.isPeerGone();
    }

    /** Accounts, once, for all that was accepted and may not have been handled: nothing can go this way any more. */
    void settle(final LossAccounts accounts)
    {
        books.settle(accounts);
        if (remote != null)
        {
            remote.settle();
        }
    }

    /** Long messages and streams. Not of shared links. */
    LargeLink large()
    {
        return large;
    }

    boolean isClaimOpen()
    {
        return isClaimOpen;
    }

    void claimBegun()
    {
        isClaimOpen = true;
    }

    void claimEnded()
    {
        isClaimOpen = false;
    }

    /** Incarnation of the destination's node that this link leads to. */
    int incarnation()
    {
        return incarnation;
    }

    /** Sends what the receiver waits for, past everything that waits here; not a message to whoever counts. */
    SendStatus trySendNotice(final int id, final long arguments01, final long arguments23)
    {
        final SendStatus status = isClaimOpen ? SendStatus.BACK_PRESSURED : hop.tryClaim(0, room);
        if (status == SendStatus.SENT)
        {
            fillHeader(room, id, arguments01, arguments23, 0);
            room.publish();
        }
        else if (status != SendStatus.BACK_PRESSURED)
        {
            books.refused(status);                  // The next one who asks gets a link to the present incarnation.
        }
        return status;
    }

    /** Sends a message of GRIM's own, one as any other but for its handler. */
    SendStatus sendBuiltIn(
        final int id, final long arguments01, final long arguments23, final DirectBuffer source, final int offset,
        final int length)
    {
        checkUse();
        return sendByClaim(id, arguments01, arguments23, source, offset, length);
    }

    void fillHeader(
        final FrameClaim claim, final int handler, final long arguments01, final long arguments23, final int length)
    {
        MessageHeader.write(claim.buffer(), claim.headerOffset(), wordOne(length), extentWords(handler, length),
            arguments01, arguments23);
    }

    /** Checks what the caller of a blocking send gave, before it is begun. */
    void checkBlocking(final int handler, final DirectBuffer source, final int offset, final int length)
    {
        checkSend(handler, length);
        source.boundsCheck(offset, length);
    }

    private SendStatus sendLarge(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        checkSend(handler, length);
        return length > payloadLengthMax || isWayFree() ?
            large.send(handler, arguments01, arguments23, source, offset, length) :
            sendByClaim(handler, arguments01, arguments23, source, offset, length);
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
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        final SendStatus status = claimRoom(length);
        if (status == SendStatus.SENT || status == SendStatus.QUEUED)
        {
            fillHeader(room, handler, arguments01, arguments23, length);
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
            return overflow.claim(length, room);
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
        books.refused(status);
        final boolean isToWait = status == SendStatus.BACK_PRESSURED && !isShared && endpoint.isInHandler();
        return isToWait ? overflow.claim(length, room) : status;
    }

    private void endClaim(final SendStatus status, final int length)
    {
        room.publish();
        counters.sent(length);
        if (status == SendStatus.QUEUED)
        {
            books.overflowed();
        }
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
        if (length < 0 || length > lengthMax)
        {
            throw new IllegalArgumentException("payload length=" + length + " exceeds max=" + lengthMax);
        }
        HandlerExchange.requireFree(handler);
    }
}
