// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.function.Function;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.EndpointId;
import org.grim.FrameClaim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MessageStream;
import org.grim.SendStatus;
import org.grim.counters.ChannelCounters;
import org.grim.queue.OverflowQueue;
import org.grim.transport.Hop;
import org.grim.transport.MemoryHop;
import org.grim.transport.Transport;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;

/**
 * The sending half of GRIM: claim, fill, publish, over whatever next hop a transport gave. A handler's sends go to the
 * overflow queue while the hop is full, and nothing overtakes what waits there.
 * <p>Thread: the endpoint's owner. Owns: the hop, until {@link #end()}.
 */
public final class EndpointLink extends OutgoingLink implements Link, FrameClaim.Publisher
{
    private static final long POSITION_SENT = 0;
    private static final long POSITION_QUEUED = 1;
    private static final String LENGTH_LIMIT = " (grim.message.length-max); a stream may be longer";

    private final LinkResources resources;
    private final int sourceChannel;
    private final int incarnation;
    private final Transport transport;
    private final OverflowQueue overflow;
    private final int plainLengthMax;
    private final int lengthMax;
    private final LargePath large;
    private RemotePath remote;
    private int claimHandler;
    private boolean isClaimOpen;
    private boolean isClaimLarge;
    private boolean isLent;
    private boolean isEnded;

    EndpointLink(
        final LinkResources resources, final int sourceChannel, final EndpointId destination,
        final Transport transport, final int incarnation, final ChannelCounters counters,
        final Function<EndpointLink, LargePath> largePaths)
    {
        super(resources, sourceChannel, destination, transport.connect(sourceChannel, destination), counters);
        this.resources = resources;
        this.sourceChannel = sourceChannel;
        this.transport = transport;
        this.incarnation = incarnation;
        overflow = new OverflowQueue(resources.ceiling());
        final MessageLimits limits = resources.limits();
        large = largePaths.apply(this);
        lengthMax = Math.max(payloadLengthMax, limits.lengthMax());
        plainLengthMax = limits.inPlaceMin() <= payloadLengthMax && large.canGoInPlace(payloadLengthMax) ?
            limits.inPlaceMin() - 1 : payloadLengthMax;
    }

    @Override
    public SendStatus send(
        final HandlerId id, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        final int handler = id.number();
        if (trySendNow(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length))
        {
            return SendStatus.SENT;
        }
        checkUse();
        checkLength(length, lengthMax, LENGTH_LIMIT);
        return length <= plainLengthMax ?
            fillClaim(claimRoom(length), handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source,
                offset, length) :
            sendLarge(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length);
    }

    @Override
    public SendStatus sendBlocking(
        final HandlerId id, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length, final IdleStrategy idleStrategy)
    {
        state.requireOutsideHandler("sendBlocking");
        if (length > payloadLengthMax)
        {
            checkUse();
            checkLength(length, lengthMax, LENGTH_LIMIT);
            source.boundsCheck(offset, length);
            return large.sendBlocking(id.number(), MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source,
                offset, length, resources.poll(), idleStrategy);
        }
        while (true)
        {
            final SendStatus status = send(id, a0, a1, a2, a3, source, offset, length);
            if (status != SendStatus.BACK_PRESSURED)
            {
                return status;
            }
            idleStrategy.idle(resources.poll().getAsInt());
        }
    }

    @Override
    public SendStatus tryClaim(final HandlerId id, final int length, final FrameClaim claim)
    {
        final int handler = id.number();
        checkUse();
        checkLength(length, lengthMax, LENGTH_LIMIT);
        if (length > payloadLengthMax || (length > plainLengthMax && canSendNow()))
        {
            return large.claim(handler, length, claim);
        }
        final SendStatus status = claimRoom(length);
        if (status == SendStatus.SENT || status == SendStatus.QUEUED)
        {
            claimHandler = handler;
            isClaimOpen = true;
            isClaimLarge = false;
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
        final HandlerId id, final int a0, final int a1, final int a2, final int a3, final long totalLength,
        final MessageStream stream)
    {
        final int handler = id.number();
        checkUse();
        if (totalLength < 0)
        {
            throw new IllegalArgumentException("stream total length=" + totalLength + " is negative");
        }
        return large.tryOpenStream(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), totalLength,
            stream);
    }

    @Override
    public void checkThread()
    {
        state.checkOwner();
    }

    @Override
    public void publish(final FrameClaim claim)
    {
        claimEnds();
        state.requireOpen();                    // The peer may have taken the room back when this node left.
        if (isClaimLarge)
        {
            large.publish(claim);
            return;
        }
        writeHeader(room, claimHandler, claim.arguments01(), claim.arguments23(), claim.length());
        endClaim(claim.position() == POSITION_QUEUED ? SendStatus.QUEUED : SendStatus.SENT, claim.length());
    }

    @Override
    public void abort(final FrameClaim claim)
    {
        claimEnds();
        if (isClaimLarge)
        {
            large.abort(claim);
        }
        else if (!state.isClosed())
        {
            room.abort();
        }
    }

    /** {@return the next hop} */
    public Hop hop()
    {
        return hop;
    }

    /** {@return what waits for the hop} */
    public OverflowQueue overflow()
    {
        return overflow;
    }

    /** {@return bytes that the endpoint's overflow queues share} */
    public OverflowQueue.Ceiling ceiling()
    {
        return resources.ceiling();
    }

    /** {@return the endpoint's state} */
    public EndpointState state()
    {
        return state;
    }

    /** {@return counters of the link's channel} */
    public ChannelCounters counters()
    {
        return counters;
    }

    /** {@return incarnation of the destination's node that this link leads to} */
    public int incarnation()
    {
        return incarnation;
    }

    /** {@return true if the peer can look at this node's memory} */
    public boolean sharesMemory()
    {
        return transport.sharesMemory(destination.node());
    }

    /** {@return messages above the MTU, and streams} */
    public LargePath large()
    {
        return large;
    }

    /** {@return remote memory's half; null if there is none yet} */
    public RemotePath remote()
    {
        return remote;
    }

    /**
     * Attaches remote memory's half.
     *
     * @param newRemote that ends with this link.
     */
    public void attach(final RemotePath newRemote)
    {
        remote = newRemote;
    }

    /**
     * Whether something that came is an answer to what this link sent: from the node and the channel that it leads to,
     * to the channel that it begins at. It comes from the node's host CPU, whatever device it is about.
     *
     * @param flowKey that it came, as {@link FlowKey}.
     * @return true if so.
     */
    boolean isAnsweredBy(final long flowKey)
    {
        return FlowKey.sourceNode(flowKey) == destination.node() &&
            FlowKey.channelFrom(flowKey) == destination.channel() && FlowKey.channelTo(flowKey) == sourceChannel;
    }

    /** {@return a remote-memory hop in one order with this link} */
    public MemoryHop connectMemory()
    {
        return transport.connectMemory(sourceChannel, destination, hop);
    }

    /** {@return false after the hop said that nothing can be sent any more: the peer may be back, for a new link} */
    public boolean isUsable()
    {
        return accounting.isUsable();
    }

    /**
     * Moves what waits to the next hop, in order, as far as there is room. Returns the number of messages, operations
     * and parts that were moved.
     */
    public int flush()
    {
        int count = 0;
        while (overflow.depth() > 0 && !isClaimOpen && !state.isClosed())
        {
            final boolean isLarge = overflow.isFirstLarge(payloadLengthMax);
            final SendStatus status = isLarge ? large.move() : overflow.tryMove(hop, room);
            count += isLarge ? large.partCount() : 0;
            if (status == SendStatus.BACK_PRESSURED)
            {
                break;
            }
            if (status != SendStatus.SENT)
            {
                return count + giveUp(status);
            }
            overflowLeft();
            count++;
        }
        return count;
    }

    /** Ends the link: what waits is lost, the hop is given up. It answers as before, without the peer's memory. */
    @Override
    void end()
    {
        if (!isEnded)
        {
            isEnded = true;
            if (overflow.depth() > 0)
            {
                giveUp(SendStatus.CLOSED);
            }
            try
            {
                if (remote != null)
                {
                    remote.close();
                }
            }
            finally
            {
                endHop();
            }
        }
    }

    private void endHop()
    {
        try
        {
            hop.close();
        }
        finally
        {
            room.forget();
            large.forget();
        }
    }

    /** Has the hop give back what it takes, if nothing passes. */
    void releaseIfIdle()
    {
        if (!isClaimOpen && overflow.depth() == 0)
        {
            hop.releaseIfIdle();
        }
    }

    /** True if the accounts are settled, and nobody can touch the peer's memory by this link: it may be ended. */
    boolean isOver()
    {
        return accounting.isSettled() && !isClaimOpen;
    }

    /** {@return false while the peer is up in the incarnation that this link was made for} */
    public boolean isPeerGone()
    {
        return hop.isPeerGone();
    }

    /** As {@link #settle}, unless the peer's last account may come yet: false, then ask again. */
    boolean trySettle(final LossAccounts accounts)
    {
        if (!accounting.isSettled() && hop.isAccountComing())
        {
            return false;
        }
        settle(accounts);
        return true;
    }

    /** Accounts, once, for all that was accepted and may not have been handled: nothing can be sent any more. */
    void settle(final LossAccounts accounts)
    {
        if (!accounting.isSettled())
        {
            giveUp(SendStatus.PEER_GONE);
            large.onPeerGone();
            accounting.settle(accounts);
        }
        if (remote != null)
        {
            remote.settle();
        }
    }

    /**
     * Discards what waits in the overflow queue.
     *
     * @param reason why nothing can be sent any more.
     * @return records discarded.
     */
    public int giveUp(final SendStatus reason)
    {
        final int depth = overflow.depth();
        accounting.gaveUp(overflow.discard());
        large.onGivenUp(reason);
        for (int i = 0; i < depth; i++)
        {
            overflowLeft();
        }
        return depth;
    }

    /** Counts a refusal, and notes if it is one for good. Returns the same. */
    public SendStatus refused(final SendStatus status)
    {
        accounting.refused(status);
        if (status == SendStatus.BACK_PRESSURED)
        {
            resources.probe().onBackPressure();
        }
        return status;
    }

    /**
     * Counts an accepted message.
     *
     * @param length bytes of the payload.
     */
    public void accepted(final long length)
    {
        counters.sent(length);
    }

    /** Counts an accepted message as undelivered. */
    public void lost()
    {
        accounting.lost(1);
    }

    /** Counts what entered the overflow queue. */
    public void overflowed()
    {
        counters.overflowed();
        state.overflowed();
        resources.countOverflow();
    }

    /** Counts what left the overflow queue. */
    public void overflowLeft()
    {
        counters.overflowLeft();
        state.overflowLeft();
        resources.countOverflow();
    }

    /** {@return true between a claim and its end} */
    public boolean isClaimOpen()
    {
        return isClaimOpen;
    }

    /** A claim of a large message begins. */
    public void claimBegun()
    {
        isClaimOpen = true;
        isClaimLarge = true;
    }

    /**
     * Sends an answer that the receiver waits for, past everything that waits here; it counts as no message.
     *
     * @param id          of the built-in handler.
     * @param arguments01 words 4 and 5 of the header.
     * @param arguments23 words 6 and 7.
     * @return the outcome.
     */
    public SendStatus trySendNotice(final int id, final long arguments01, final long arguments23)
    {
        final SendStatus status = isClaimOpen ? SendStatus.BACK_PRESSURED : hop.tryClaim(0, room);
        if (status == SendStatus.SENT)
        {
            writeHeader(room, id, arguments01, arguments23, 0);
            room.publish();
        }
        else if (status != SendStatus.BACK_PRESSURED)
        {
            refused(status);                        // The next one who asks gets a link to the present incarnation.
        }
        return status;
    }

    /**
     * Sends a message of the library to a built-in handler. It never fails because of the application: there is no room
     * while a claim on this link is open, and while the overflow queues are full.
     *
     * @param id          of the handler.
     * @param arguments01 words 4 and 5 of the header.
     * @param arguments23 words 6 and 7.
     * @param source      holding the payload.
     * @param offset      first byte of the payload.
     * @param length      bytes of the payload; above the MTU it goes as a large message, and not from inside a
     *                    handler.
     * @param mayQueue    false if the sender itself keeps what finds no room in the next hop.
     * @return the outcome; after {@link SendStatus#BACK_PRESSURED} the sender tries again in a later step.
     * @throws IllegalArgumentException if the payload is longer than any message, or than the MTU and may not wait in
     *                                  the overflow queue.
     */
    public SendStatus sendBuiltIn(
        final int id, final long arguments01, final long arguments23, final DirectBuffer source, final int offset,
        final int length, final boolean mayQueue)
    {
        if (trySendNow(id, arguments01, arguments23, source, offset, length))
        {
            return SendStatus.SENT;
        }
        state.checkOwner();
        checkLength(length, mayQueue ? lengthMax : payloadLengthMax,
            ", the most of a message of the library on this link");
        if (isClaimOpen || state.isClosed())
        {
            return state.isClosed() ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
        }
        if (length > payloadLengthMax)
        {
            return state.isInHandler() ? SendStatus.BACK_PRESSURED :
                large.send(id, arguments01, arguments23, source, offset, length);
        }
        final SendStatus status = claimNow(length);
        return fillClaim(status == SendStatus.BACK_PRESSURED && mayQueue && state.isInHandler() ?
            overflow.tryClaim(length, room) : status, id, arguments01, arguments23, source, offset, length);
    }

    /** Refuses a second thread, and any use while a claim is open. */
    public void checkUse()
    {
        state.checkOwner();
        if (isClaimOpen)
        {
            throw new IllegalStateException("a claim on the link to " + destination + " is open: publish or abort it");
        }
    }

    /** {@return true if the endpoint is open and nothing waits before a message of now} */
    public boolean canSendNow()
    {
        return !state.isClosed() && overflow.depth() == 0;
    }

    private SendStatus sendLarge(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        return length > payloadLengthMax || canSendNow() ?
            large.send(handler, arguments01, arguments23, source, offset, length) :
            fillClaim(claimRoom(length), handler, arguments01, arguments23, source, offset, length);
    }

    /** Sends what may go at once; everything else is for the callers, which say what is wrong. */
    private boolean trySendNow(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        if (length >= 0 && length <= plainLengthMax && state.isOpenToCaller() && !isClaimOpen &&
            overflow.depth() == 0 && hop.trySend(wordOne(length), extentWords(handler, length), arguments01,
            arguments23, source, offset, length) == SendStatus.SENT)
        {
            counters.sent(length);
            return true;
        }
        return false;
    }

    private SendStatus fillClaim(
        final SendStatus status, final int handler, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        if (status == SendStatus.SENT || status == SendStatus.QUEUED)
        {
            writeHeader(room, handler, arguments01, arguments23, length);
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
        if (state.isClosed())
        {
            return SendStatus.CLOSED;
        }
        final SendStatus status =
            overflow.depth() > 0 && state.isInHandler() ? SendStatus.BACK_PRESSURED : claimNow(length);
        return status == SendStatus.BACK_PRESSURED && state.isInHandler() ? overflow.claim(length, room) : status;
    }

    /** Claims room in the hop, if nothing waits before it. */
    private SendStatus claimNow(final int length)
    {
        if (overflow.depth() > 0 && !state.isInHandler())
        {
            flush();
        }
        if (overflow.depth() > 0)
        {
            return refused(hop.isPeerGone() ? SendStatus.PEER_GONE : SendStatus.BACK_PRESSURED);
        }
        final SendStatus status = hop.tryClaim(length, room);
        return status == SendStatus.SENT ? status : refused(status);
    }

    private void endClaim(final SendStatus status, final int length)
    {
        room.publish();
        counters.sent(length);
        if (status == SendStatus.QUEUED)
        {
            overflowed();
        }
    }

    /** The claim that ends may be one that this link never gave. */
    private void claimEnds()
    {
        if (!isClaimOpen)
        {
            throw new IllegalStateException("no claim on the link to " + destination + " is open");
        }
        isClaimOpen = false;
    }
}
