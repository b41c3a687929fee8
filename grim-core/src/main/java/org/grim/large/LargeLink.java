// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.Objects;
import java.util.function.IntSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.MessageStream;
import org.grim.SendStatus;
import org.grim.endpoint.Backlog;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LargePath;
import org.grim.endpoint.LinkAccounting;
import org.grim.endpoint.LinkContext;
import org.grim.endpoint.LinkHeader;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;

/**
 * The part of a link for messages above the MTU: where the receiver can look at this node's memory, they are read in
 * place; else they get a place in the overflow queue and go in parts. Nothing of the link overtakes them.
 * <p>Thread: the endpoint's owner.
 */
public final class LargeLink implements LargePath, HopClaim.Publisher
{
    private final EndpointState state;
    private final Hop hop;
    private final LinkHeader header;
    private final int payloadLengthMax;
    private final LinkAccounting accounting;
    private final Backlog backlog;
    private final LargeSends sends;
    private final InPlaceSender inPlace;
    private final PartSender parts;
    private int claimHandler;

    /** Makes a link's path for large messages. */
    public LargeLink(final LinkContext link, final LargeSends sends)
    {
        this.sends = sends;
        state = link.state();
        hop = link.hop();
        header = link.header();
        payloadLengthMax = link.payloadLengthMax();
        accounting = link.accounting();
        backlog = link.backlog();
        inPlace = new InPlaceSender(link, sends);
        parts = new PartSender(link, sends);
    }

    @Override
    public SendStatus send(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        Objects.requireNonNull(source, "source").boundsCheck(offset, length);
        SendStatus status = admit(length);
        if (status == SendStatus.SENT)
        {
            status = afterInPlace(inPlace.trySend(handler, arguments01, arguments23, source, offset, length));
        }
        if (status == SendStatus.QUEUED && canStage(length))
        {
            final int headerLength = headerLength(length);
            backlog.overflow().put(header.wordOne(headerLength), header.extentWords(handler, headerLength),
                arguments01, arguments23, source, offset, length);
            staged(length);
            return status;
        }
        return status == SendStatus.QUEUED ? backlog.refused(SendStatus.BACK_PRESSURED) : status;
    }

    @Override
    public SendStatus claim(final int handler, final int length, final HopClaim claim)
    {
        SendStatus status = admit(length);
        if (status == SendStatus.SENT)
        {
            status = afterInPlace(inPlace.claim(handler, length, claim));
        }
        if (status == SendStatus.QUEUED && canStage(length))
        {
            backlog.overflow().claim(length, claim);
            claimHandler = handler;
            claim.lend(this);
            backlog.claimBegun();
            return status;
        }
        return status == SendStatus.QUEUED ? backlog.refused(SendStatus.BACK_PRESSURED) : status;
    }

    /** Sends from the caller's buffer without another copy: to be read in place, or else as a stream. */
    @Override
    public SendStatus sendBlocking(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final IntSupplier poll, final IdleStrategy idleStrategy)
    {
        while (true)
        {
            final SendStatus status = trySendOrOpen(handler, arguments01, arguments23, source, offset, length);
            if (status == SendStatus.QUEUED)
            {
                return addAll(parts.blockingStream(), source, offset, length, poll, idleStrategy);
            }
            if (status != SendStatus.BACK_PRESSURED)
            {
                return status;
            }
            idleStrategy.idle(poll.getAsInt());
        }
    }

    private static SendStatus addAll(
        final MessageStream stream, final DirectBuffer source, final int offset, final int length,
        final IntSupplier poll, final IdleStrategy idleStrategy)
    {
        try
        {
            int takenLength = 0;
            while (stream.isOpen() && takenLength < length)
            {
                takenLength += stream.add(source, offset + takenLength, length - takenLength);
                if (takenLength < length)
                {
                    idleStrategy.idle(poll.getAsInt());
                }
            }
            SendStatus status = stream.end();
            while (status == SendStatus.BACK_PRESSURED)
            {
                idleStrategy.idle(poll.getAsInt());
                status = stream.end();
            }
            return status;
        }
        finally
        {
            stream.abort();             // Does nothing, unless polling threw: then the link's turn must not be lost.
        }
    }

    /** Sends a message in place, or opens a stream for it if it cannot be read in place. */
    private SendStatus trySendOrOpen(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        final SendStatus ahead = admit(length);
        if (ahead == SendStatus.SENT)
        {
            return afterInPlace(inPlace.trySend(handler, arguments01, arguments23, source, offset, length));
        }
        if (ahead != SendStatus.QUEUED)
        {
            return ahead;
        }
        final SendStatus status = tryOpenStream(handler, arguments01, arguments23, length, parts.blockingStream());
        return status == SendStatus.SENT ? SendStatus.QUEUED : status;
    }

    @Override
    public SendStatus tryOpenStream(
        final int handler, final long arguments01, final long arguments23, final long totalLength,
        final MessageStream stream)
    {
        if (Objects.requireNonNull(stream, "stream").isOpen())
        {
            throw new IllegalStateException("the stream is open: end or abort it");
        }
        final SendStatus ahead = admit();
        if (!ahead.isAccepted())
        {
            return ahead;
        }
        if (!parts.tryOpen((OutgoingStream)stream, handler, arguments01, arguments23, totalLength))
        {
            return backlog.refused(SendStatus.BACK_PRESSURED);
        }
        backlog.flush();
        return stream.isOpen() ? SendStatus.SENT : stream.status();
    }

    @Override
    public boolean canGoInPlace(final int length)
    {
        return inPlace.canSend(length);
    }

    @Override
    public void abortStream()
    {
        parts.abortStream();
    }

    @Override
    public boolean onVerdict(final long transfer, final int verdict)
    {
        return parts.onVerdict(transfer, verdict);
    }

    @Override
    public boolean onNotInPlace(final int incarnation, final int sequence)
    {
        return inPlace.onNotInPlace(incarnation, sequence);
    }

    @Override
    public void forget()
    {
        inPlace.forget();
    }

    @Override
    public void onPeerGone()
    {
        inPlace.onPeerGone();
    }

    @Override
    public void checkThread()
    {
        state.checkOwner();
    }

    @Override
    public void publish(final HopClaim claim)
    {
        backlog.claimEnds();
        state.requireOpen();
        header.write(
            claim, claimHandler, claim.arguments01(), claim.arguments23(), headerLength(claim.length()));
        claim.publishRoom();
        staged(claim.length());
    }

    @Override
    public void abort(final HopClaim claim)
    {
        backlog.claimEnds();
        claim.abortRoom();
    }

    /** The header has no room for the length of a long message; its parts have headers of their own. */
    private int headerLength(final int length)
    {
        return length > payloadLengthMax ? 0 : length;
    }

    private void staged(final int length)
    {
        accounting.accepted(length);
        sends.sent();
        if (!state.isInHandler())
        {
            backlog.flush();
        }
    }

    /** Admits as {@link Backlog#admit()} does; a message that is not tried at once needs a receiver to wait for. */
    private SendStatus admit()
    {
        final SendStatus ahead = backlog.admit();
        return ahead == SendStatus.SENT && hop.isPeerGone() ? backlog.refused(SendStatus.PEER_GONE) : ahead;
    }

    /** Sent if the message may be tried in place, queued if it has to wait; otherwise why it is refused. */
    private SendStatus admit(final int length)
    {
        final SendStatus ahead = admit();
        return ahead == SendStatus.SENT && !canGoInPlace(length) ? SendStatus.QUEUED : ahead;
    }

    /** A message that finds no room to be read in place waits if a handler sends it. */
    private SendStatus afterInPlace(final SendStatus status)
    {
        return status == SendStatus.SENT ? status :
            status == SendStatus.BACK_PRESSURED && state.isInHandler() ? SendStatus.QUEUED : backlog.refused(status);
    }

    /** Returns whether a copy has room. In a handler the queue throws if it is full, as for any other message. */
    private boolean canStage(final int length)
    {
        return backlog.overflow().canTakeLarge(length) || state.isInHandler();
    }
}
