// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.EndpointId;
import org.grim.FrameClaim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.MessageStream;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.counters.ChannelCounters;
import org.grim.transport.HopClaim;
import org.grim.transport.Transport;
import org.grim.wire.FlowKey;
import org.grim.wire.MessageHeader;
import org.grim.wire.NamedHandler;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The sending half of GRIM: claim, fill, publish, over the next hop that a transport gave. A message that the hop takes
 * at once passes through here alone; {@link Backlog} decides about all others.
 * <p>Thread: the endpoint's owner. Owns: the hop, until {@link #end()}.
 */
public final class EndpointLink extends OutgoingLink implements Link
{
    private static final String LENGTH_LIMIT = " (grim.message.length-max); a stream may be longer";

    private final LinkResources resources;
    private final LinkContext context;
    private final Backlog backlog;
    private final PlainClaims claims;
    private final int plainLengthMax;
    private final int lengthMax;
    private final LargePath large;
    private final Requests.Path path = new RequestPath();
    private HopClaim gathering;
    private RemotePath remote;
    private boolean isEnded;

    EndpointLink(
        final LinkResources resources, final int sourceChannel, final EndpointId destination,
        final Transport transport, final int incarnation, final ChannelCounters counters,
        final Function<LinkContext, LargePath> largePaths)
    {
        super(resources, sourceChannel, destination, incarnation, transport.connect(sourceChannel, destination),
            counters);
        this.resources = resources;
        backlog = new Backlog(resources, destination, hop, payloadLengthMax, accounting);
        context = new LinkContext(
            state, transport, sourceChannel, destination, incarnation, hop, header, accounting, backlog);
        claims = new PlainClaims(context);
        final MessageLimits limits = resources.limits();
        large = largePaths.apply(context);
        lengthMax = Math.max(payloadLengthMax, limits.lengthMax());
        plainLengthMax = limits.inPlaceMin() <= payloadLengthMax && large.canGoInPlace(payloadLengthMax) ?
            limits.inPlaceMin() - 1 : payloadLengthMax;
    }

    @Override
    public SendStatus send(
        final HandlerId id, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        final int handler = NamedHandler.toSend(id);
        return handler == NamedHandler.NONE ? awaited() :
            send(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length);
    }

    /** The outcome of a send whose handler has no number yet. */
    private SendStatus awaited()
    {
        backlog.checkUse();
        return state.isClosed() ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
    }

    private SendStatus send(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        if (isPlainNow(length))
        {
            return sendNow(Backlog.Waiting.ALWAYS, handler, arguments01, arguments23, source, offset, length);
        }
        backlog.checkUse();
        checkLength(length, lengthMax, LENGTH_LIMIT);
        return isLarge(length) ? large.send(handler, arguments01, arguments23, source, offset, length) :
            backlog.send(Backlog.Waiting.ALWAYS, header.wordOne(length), header.extentWords(handler, length),
                arguments01, arguments23, source, offset, length);
    }

    @Override
    public SendStatus send(
        final HandlerId id, final int a0, final int a1, final int a2, final int a3, final DirectBuffer... pieces)
    {
        long length = 0;
        for (final DirectBuffer piece : Objects.requireNonNull(pieces, "pieces"))
        {
            length += Objects.requireNonNull(piece, "piece").capacity();
        }
        if (gathering == null)
        {
            gathering = new HopClaim();
        }
        final SendStatus status = tryClaim(id, (int)Math.min(length, Integer.MAX_VALUE), gathering);
        if (status.isAccepted())
        {
            int offset = gathering.offset();
            for (final DirectBuffer piece : pieces)
            {
                gathering.buffer().putBytes(offset, piece, 0, piece.capacity());
                offset += piece.capacity();
            }
            gathering.arguments(a0, a1, a2, a3).publish();
        }
        return status;
    }

    @Override
    public SendStatus request(final HandlerId id, final String text, final Duration timeout, final Reply reply)
    {
        final byte[] bytes = Objects.requireNonNull(text, "text").getBytes(UTF_8);
        return request(id, 0, 0, 0, Buffers.wrap(bytes), 0, bytes.length, timeout, reply);
    }

    @Override
    public SendStatus request(
        final HandlerId id, final int a0, final int a1, final int a2, final DirectBuffer source, final int offset,
        final int length, final Duration timeout, final Reply reply)
    {
        final int handler = NamedHandler.toSend(id);
        if (handler == NamedHandler.NONE || state.isClosed())
        {
            return awaited();
        }
        state.checkOwner();
        final int correlation = resources.requests().begin(path, timeout, reply);
        SendStatus status = SendStatus.CLOSED;
        try
        {
            status =
                send(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, correlation), source, offset, length);
        }
        finally
        {
            if (!status.isAccepted())
            {
                resources.requests().cancel(correlation);
            }
        }
        return status;
    }

    /** Answers a request of the destination. */
    SendStatus answer(
        final int correlation, final int a0, final int a1, final int a2, final DirectBuffer source, final int offset,
        final int length)
    {
        if (correlation == Requests.NO_REQUEST)
        {
            throw new IllegalStateException("a message from " + destination + " is no request: reply with a handler");
        }
        return send(Requests.ANSWER, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, correlation), source, offset,
            length);
    }

    @Override
    public SendStatus sendBlocking(
        final HandlerId id, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length, final IdleStrategy idleStrategy)
    {
        state.requireOutsideHandler("sendBlocking");
        while (NamedHandler.toSend(id) == NamedHandler.NONE && awaited() != SendStatus.CLOSED)
        {
            idleStrategy.idle(resources.poll().getAsInt());
        }
        if (state.isClosed())
        {
            return SendStatus.CLOSED;
        }
        if (length > payloadLengthMax)
        {
            backlog.checkUse();
            checkLength(length, lengthMax, LENGTH_LIMIT);
            Objects.requireNonNull(source, "source").boundsCheck(offset, length);
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
        final int handler = NamedHandler.toSend(id);
        if (handler == NamedHandler.NONE)
        {
            return awaited();
        }
        backlog.checkUse();
        checkLength(length, lengthMax, LENGTH_LIMIT);
        final HopClaim room = (HopClaim)Objects.requireNonNull(claim, "claim");
        return isLarge(length) ? large.claim(handler, length, room) : claims.tryClaim(handler, length, room);
    }

    @Override
    public SendStatus tryOpenStream(
        final HandlerId id, final int a0, final int a1, final int a2, final int a3, final long totalLength,
        final MessageStream stream)
    {
        final int handler = NamedHandler.toSend(id);
        if (handler == NamedHandler.NONE)
        {
            return awaited();
        }
        backlog.checkUse();
        if (totalLength < 0)
        {
            throw new IllegalArgumentException("stream total length=" + totalLength + " is negative");
        }
        return large.tryOpenStream(handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), totalLength,
            stream);
    }

    /** {@return incarnation of the destination's node that this link leads to} */
    public int incarnation()
    {
        return context.incarnation();
    }

    /** {@return what waits for the hop} */
    Backlog backlog()
    {
        return backlog;
    }

    /** {@return messages above the MTU, and streams} */
    LargePath large()
    {
        return large;
    }

    /**
     * Returns remote memory's half of this link, which ends with it.
     *
     * @param maker of one that is not there yet.
     * @return the same each time.
     */
    public RemotePath remote(final Function<LinkContext, RemotePath> maker)
    {
        if (remote == null)
        {
            remote = maker.apply(context);
        }
        return remote;
    }

    /**
     * Whether something that came is an answer to what this link sent: from the endpoint that it leads to, to the
     * channel that it begins at.
     *
     * @param flowKey that it came, as {@link FlowKey}.
     * @return true if so.
     */
    boolean isAnsweredBy(final long flowKey)
    {
        return FlowKey.sourceKey(flowKey) == destination.key() &&
            FlowKey.channelTo(flowKey) == context.sourceChannel();
    }

    /** {@return false after the hop said that nothing can be sent any more: the peer may be back, for a new link} */
    public boolean isUsable()
    {
        return accounting.isUsable();
    }

    /** Ends the link: what waits is lost, the hop is given up. It answers as before, without the peer's memory. */
    @Override
    void end()
    {
        if (!isEnded)
        {
            isEnded = true;
            if (backlog.overflow().depth() > 0)
            {
                backlog.giveUp(SendStatus.CLOSED);
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
            large.forget();
        }
    }

    /** Has the hop give back what it takes, if nothing passes. */
    void releaseIfIdle()
    {
        if (backlog.isFree())
        {
            hop.releaseIfIdle();
        }
    }

    /** True after {@link #settle}: nothing comes from there any more. */
    boolean isSettled()
    {
        return accounting.isSettled();
    }

    /** True if the accounts are settled, and nobody can touch the peer's memory by this link: it may be ended. */
    boolean isOver()
    {
        return accounting.isSettled() && !backlog.isClaimOpen();
    }

    /** {@return false while the peer is up in the incarnation that this link was made for, and a device not gone} */
    public boolean isPeerGone()
    {
        return backlog.isShut() || hop.isPeerGone();
    }

    /** The device that it leads to is gone, and its node goes on: sends are refused as those to a node that is gone. */
    void shut()
    {
        backlog.shut();
    }

    /** Settles as {@link #settle} does; returns false if the peer's last account may still come: ask again then. */
    boolean trySettle(final LossAccounts accounts)
    {
        if (!accounting.isSettled() && !backlog.isShut() && hop.isAccountComing())
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
            backlog.giveUp(SendStatus.PEER_GONE);
            large.onPeerGone();
            accounting.settle(accounts);
        }
        if (remote != null)
        {
            remote.settle();
        }
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
        final SendStatus status = backlog.isShut() ? SendStatus.PEER_GONE :
            backlog.isClaimOpen() ? SendStatus.BACK_PRESSURED :
            hop.trySend(header.wordOne(0), header.extentWords(id, 0), arguments01, arguments23, null, 0, 0);
        if (status == SendStatus.PEER_GONE || status == SendStatus.CLOSED)
        {
            backlog.refused(status);                // The next one who asks gets a link to the present incarnation.
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
        final Backlog.Waiting waiting = mayQueue ? Backlog.Waiting.IF_ROOM : Backlog.Waiting.NEVER;
        if (isPlainNow(length))
        {
            return sendNow(waiting, id, arguments01, arguments23, source, offset, length);
        }
        state.checkOwner();
        checkLength(length, mayQueue ? lengthMax : payloadLengthMax,
            ", the most of a message of the library on this link");
        if (backlog.isClaimOpen() || state.isClosed())
        {
            return state.isClosed() ? SendStatus.CLOSED : SendStatus.BACK_PRESSURED;
        }
        if (length > payloadLengthMax)
        {
            return state.isInHandler() ? SendStatus.BACK_PRESSURED :
                large.send(id, arguments01, arguments23, source, offset, length);
        }
        return backlog.send(waiting, header.wordOne(length), header.extentWords(id, length), arguments01, arguments23,
            source, offset, length);
    }

    /** True for a message that goes to the hop at once; all checks that a send needs if it is. */
    private boolean isPlainNow(final int length)
    {
        return length >= 0 && length <= plainLengthMax && state.isOpenToCaller() && backlog.isFree();
    }

    private boolean isLarge(final int length)
    {
        return length > payloadLengthMax || (length > plainLengthMax && backlog.canSendNow());
    }

    private SendStatus sendNow(
        final Backlog.Waiting waiting, final int handler, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        final int wordOne = header.wordOne(length);
        final long extentWords = header.extentWords(handler, length);
        final SendStatus status = hop.trySend(wordOne, extentWords, arguments01, arguments23, source, offset, length);
        if (status == SendStatus.SENT)
        {
            counters.sent(length);
            return status;
        }
        return backlog.onRefused(
            status, waiting, wordOne, extentWords, arguments01, arguments23, source, offset, length);
    }

    /** This link, as its requests see it. */
    private final class RequestPath implements Requests.Path
    {
        @Override
        public EndpointId destination()
        {
            return destination;
        }

        @Override
        public boolean isAnsweredBy(final long flowKey)
        {
            return EndpointLink.this.isAnsweredBy(flowKey);
        }

        @Override
        public boolean isSettled()
        {
            return EndpointLink.this.isSettled();
        }
    }
}
