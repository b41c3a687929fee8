// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.function.IntSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.FrameClaim;
import org.grim.MessageStream;
import org.grim.SendStatus;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LargePath;
import org.grim.queue.OverflowQueue;
import org.grim.transport.Hop;

/**
 * What a link does with messages above the MTU: where the receiver can look at this node's memory, they are read in
 * place; else they get a place in the overflow queue and go in parts. Nothing of the link overtakes them.
 * <p>Thread: the endpoint's owner.
 */
public final class LargeLink implements LargePath
{
    private final EndpointLink link;
    private final EndpointState state;
    private final Hop hop;
    private final OverflowQueue overflow;
    private final LargeSends sends;
    private final InPlaceSender inPlace;
    private final PartSender parts;
    private final FrameClaim room = new FrameClaim();
    private final FrameClaim own = new FrameClaim();
    private int stagedHandler;
    private boolean isInPlace;              // What is claimed.

    /** Makes a link's path for large messages. */
    public LargeLink(final EndpointLink link, final LargeSends sends)
    {
        this.link = link;
        this.sends = sends;
        state = link.state();
        hop = link.hop();
        overflow = link.overflow();
        inPlace = new InPlaceSender(link, sends);
        parts = new PartSender(link, sends);
    }

    @Override
    public SendStatus send(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        source.boundsCheck(offset, length);
        final SendStatus status = claim(handler, length, own);
        if (status.isAccepted())
        {
            publishCopy(arguments01, arguments23, source, offset);
        }
        return status;
    }

    private void publishCopy(
        final long arguments01, final long arguments23, final DirectBuffer source, final int offset)
    {
        own.buffer().putBytes(own.offset(), source, offset, own.length());
        own.arguments((int)(arguments01 >>> Integer.SIZE), (int)arguments01, (int)(arguments23 >>> Integer.SIZE),
            (int)arguments23).publish();
    }

    @Override
    public SendStatus claim(final int handler, final int length, final FrameClaim claim)
    {
        final SendStatus ahead = statusAhead();
        if (ahead != SendStatus.SENT && (ahead != SendStatus.BACK_PRESSURED || !state.isInHandler()))
        {
            return link.refused(ahead);
        }
        if (ahead == SendStatus.SENT && canGoInPlace(length))
        {
            final SendStatus status = claimInPlace(handler, length, claim);
            if (status != SendStatus.BACK_PRESSURED || !state.isInHandler())
            {
                return status == SendStatus.SENT ? status : link.refused(status);
            }
        }
        return claimStaged(handler, length, claim);
    }

    /** In place, or else as a stream: the message goes from the caller's buffer, and is copied nowhere else. */
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
        final SendStatus ahead = statusAhead();
        if (ahead != SendStatus.SENT)
        {
            return link.refused(ahead);
        }
        if (canGoInPlace(length))
        {
            final SendStatus status = claimInPlace(handler, length, own);
            if (status == SendStatus.SENT)
            {
                publishCopy(arguments01, arguments23, source, offset);
                return status;
            }
            return link.refused(status);
        }
        final SendStatus status = tryOpenStream(handler, arguments01, arguments23, length, parts.blockingStream());
        return status == SendStatus.SENT ? SendStatus.QUEUED : status;
    }

    @Override
    public SendStatus tryOpenStream(
        final int handler, final long arguments01, final long arguments23, final long totalLength,
        final MessageStream stream)
    {
        if (stream.isOpen())
        {
            throw new IllegalStateException("the stream is open: end or abort it");
        }
        final SendStatus ahead = statusAhead();
        if (parts.isStreamOpen() || (ahead != SendStatus.SENT &&
            (ahead != SendStatus.BACK_PRESSURED || !state.isInHandler())))
        {
            return link.refused(ahead == SendStatus.SENT ? SendStatus.BACK_PRESSURED : ahead);
        }
        final SendStatus status = parts.claimPlace(arguments01, arguments23, room);
        if (status != SendStatus.QUEUED)
        {
            return link.refused(status);
        }
        link.overflowed();
        parts.open(stream, handler, totalLength);
        link.flush();
        return stream.isOpen() ? SendStatus.SENT : stream.status();
    }

    @Override
    public boolean canGoInPlace(final int length)
    {
        return inPlace.canSend(length);
    }

    @Override
    public SendStatus move()
    {
        return parts.move();
    }

    @Override
    public int partCount()
    {
        return parts.partCount();
    }

    @Override
    public void abortStream()
    {
        parts.abortStream();
    }

    @Override
    public void onGivenUp(final SendStatus reason)
    {
        parts.onGivenUp(reason);
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
        room.forget();
        own.forget();
        inPlace.forget();
        parts.forget();
    }

    @Override
    public void onPeerGone()
    {
        inPlace.onPeerGone();
    }

    @Override
    public void publish(final FrameClaim claim)
    {
        if (isInPlace)
        {
            inPlace.publish(claim);
            return;
        }
        // The header has no room for the length of a long message; its parts have headers of their own.
        link.writeHeader(room, stagedHandler, claim.arguments01(), claim.arguments23(),
            claim.length() > link.payloadLengthMax() ? 0 : claim.length());
        room.publish();
        link.accepted(claim.length());
        sends.sent();
        link.overflowed();
        if (!state.isInHandler())
        {
            link.flush();
        }
    }

    @Override
    public void abort(final FrameClaim claim)
    {
        if (isInPlace)
        {
            inPlace.abort();
        }
        else
        {
            room.abort();
        }
    }

    /** Sent if nothing waits before a message of now; otherwise what keeps it. */
    private SendStatus statusAhead()
    {
        if (state.isClosed())
        {
            return SendStatus.CLOSED;
        }
        if (overflow.depth() > 0 && !state.isInHandler())
        {
            link.flush();
        }
        if (hop.isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        return overflow.depth() == 0 ? SendStatus.SENT : SendStatus.BACK_PRESSURED;
    }

    private SendStatus claimInPlace(final int handler, final int length, final FrameClaim claim)
    {
        isInPlace = true;
        return inPlace.claim(handler, length, claim);
    }

    private SendStatus claimStaged(final int handler, final int length, final FrameClaim claim)
    {
        final SendStatus status = overflow.tryClaimLarge(length, room);
        if (status != SendStatus.QUEUED)
        {
            if (state.isInHandler())
            {
                overflow.claim(length, room);           // Says by an exception what is full, as for any other message.
            }
            return link.refused(status);
        }
        stagedHandler = handler;
        link.claimBegun();
        claim.claimed(link, room.buffer(), room.headerOffset(), room.offset(), length, 0);
        isInPlace = false;
        return SendStatus.QUEUED;
    }
}
