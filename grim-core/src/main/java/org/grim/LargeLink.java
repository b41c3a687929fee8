// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.grim.queue.OverflowQueue;
import org.grim.transport.FrameClaim;
import org.grim.transport.Hop;
import org.grim.transport.MessageStream;

/**
 * What a link does with messages above the MTU: where the receiver can look at this node's memory, they are read in
 * place; else they get a place in the overflow queue and go in parts. Nothing of the link overtakes them.
 * <p>Thread: the endpoint's owner.
 */
final class LargeLink implements FrameClaim.Publisher
{
    private final EndpointLink link;
    private final Endpoint endpoint;
    private final Hop hop;
    private final OverflowQueue overflow;
    private final LinkBooks books;
    private final LargeSends sends;
    private final InPlaceSender inPlace;
    private final PartSender parts;
    private final FrameClaim room = new FrameClaim();
    private final FrameClaim own = new FrameClaim();

    LargeLink(
        final EndpointLink link, final Endpoint endpoint, final Hop hop, final OverflowQueue overflow,
        final LinkBooks books, final LargeSends sends, final boolean isMemoryShared)
    {
        this.link = link;
        this.endpoint = endpoint;
        this.hop = hop;
        this.overflow = overflow;
        this.books = books;
        this.sends = sends;
        inPlace = new InPlaceSender(link, hop, books, sends, isMemoryShared);
        parts = new PartSender(link, hop, overflow, books, sends);
    }

    /** Sends a message that is above the MTU, or long enough to be read in place. */
    SendStatus send(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        source.boundsCheck(offset, length);
        final SendStatus status = claim(handler, arguments01, arguments23, length, own);
        if (status.isAccepted())
        {
            own.buffer().putBytes(own.offset(), source, offset, length);
            own.publish();
        }
        return status;
    }

    /** Claims room for one: a block of the outbox, or a place in the overflow queue. */
    SendStatus claim(
        final int handler, final long arguments01, final long arguments23, final int length, final FrameClaim claim)
    {
        final SendStatus ahead = statusAhead();
        if (ahead != SendStatus.SENT && (ahead != SendStatus.BACK_PRESSURED || !endpoint.isInHandler()))
        {
            return books.refused(ahead);
        }
        if (ahead == SendStatus.SENT && canGoInPlace(length))
        {
            final SendStatus status = inPlace.claim(handler, arguments01, arguments23, length, claim);
            if (status != SendStatus.BACK_PRESSURED || !endpoint.isInHandler())
            {
                return status == SendStatus.SENT ? status : books.refused(status);
            }
        }
        return claimStaged(handler, arguments01, arguments23, length, claim);
    }

    /** Sends a message in place, or opens a stream for it if that is no way: what a caller that waits can do. */
    SendStatus trySendOrOpen(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        final SendStatus ahead = statusAhead();
        if (ahead != SendStatus.SENT)
        {
            return books.refused(ahead);
        }
        if (canGoInPlace(length))
        {
            final SendStatus status = inPlace.claim(handler, arguments01, arguments23, length, own);
            if (status == SendStatus.SENT)
            {
                own.buffer().putBytes(own.offset(), source, offset, length);
                own.publish();
                return status;
            }
            return books.refused(status);
        }
        final SendStatus status = tryOpenStream(handler, arguments01, arguments23, length, parts.blockingStream());
        return status == SendStatus.SENT ? SendStatus.QUEUED : status;
    }

    /** Claims the turn for a stream. */
    SendStatus tryOpenStream(
        final int handler, final long arguments01, final long arguments23, final int totalLength,
        final MessageStream stream)
    {
        if (stream.isOpen())
        {
            throw new IllegalStateException("the stream is open: end or abort it");
        }
        final SendStatus ahead = statusAhead();
        if (parts.isStreamOpen() || (ahead != SendStatus.SENT &&
            (ahead != SendStatus.BACK_PRESSURED || !endpoint.isInHandler())))
        {
            return books.refused(ahead == SendStatus.SENT ? SendStatus.BACK_PRESSURED : ahead);
        }
        final SendStatus status = parts.claimPlace(arguments01, arguments23, room);
        if (status != SendStatus.QUEUED)
        {
            return books.refused(status);
        }
        books.overflowed();
        parts.open(stream, handler, totalLength);
        link.flush();
        return stream.isOpen() ? SendStatus.SENT : stream.status();
    }

    /** Tells whether a message of this length, above the MTU or not, can be read in place if nothing is ahead of it. */
    boolean canGoInPlace(final int length)
    {
        return inPlace.canSend(length);
    }

    /** What goes in parts. */
    PartSender parts()
    {
        return parts;
    }

    /** The receiver cannot look at a message in place; false if there is none. */
    boolean onNotInPlace(final int incarnation, final int sequence)
    {
        return inPlace.onNotInPlace(incarnation, sequence);
    }

    /** The hop is no more: claims keep its memory no longer. */
    void forget()
    {
        room.forget();
        own.forget();
        inPlace.forget();
        parts.forget();
    }

    /** The receiver is gone: it reads nothing any more. */
    void onPeerGone()
    {
        inPlace.onPeerGone();
    }

    @Override
    public void publish(final FrameClaim claim)
    {
        link.claimEnded();
        books.requireOpen();
        room.publish();
        books.accepted(claim.length());
        sends.sent();
        books.overflowed();
        if (!endpoint.isInHandler())
        {
            link.flush();
        }
    }

    @Override
    public void abort(final FrameClaim claim)
    {
        link.claimEnded();
        room.abort();
    }

    /** Sent if nothing waits before a message of now; otherwise what keeps it. */
    private SendStatus statusAhead()
    {
        if (endpoint.isClosed())
        {
            return SendStatus.CLOSED;
        }
        if (overflow.depth() > 0 && !endpoint.isInHandler())
        {
            link.flush();
        }
        if (hop.isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        return overflow.depth() == 0 ? SendStatus.SENT : SendStatus.BACK_PRESSURED;
    }

    private SendStatus claimStaged(
        final int handler, final long arguments01, final long arguments23, final int length, final FrameClaim claim)
    {
        final SendStatus status = overflow.tryClaimLarge(length, room);
        if (status != SendStatus.QUEUED)
        {
            if (endpoint.isInHandler())
            {
                overflow.claim(length, room);           // Says by an exception what is full, as for any other message.
            }
            return books.refused(status);
        }
        // The header has no room for the length of a long message; its parts have headers of their own.
        link.fillHeader(room, handler, arguments01, arguments23, length > link.payloadLengthMax() ? 0 : length);
        link.claimBegun();
        claim.claimed(this, room.buffer(), room.headerOffset(), room.offset(), length, 0);
        return SendStatus.QUEUED;
    }
}
