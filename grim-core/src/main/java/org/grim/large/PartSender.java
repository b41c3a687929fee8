// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.DirectBuffer;
import org.grim.FrameClaim;
import org.grim.MessageStream;
import org.grim.SendStatus;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.EndpointState;
import org.grim.queue.OverflowQueue;
import org.grim.transport.Hop;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;

/**
 * Sends the messages of one link that go in parts, one at a time: the oldest in the link's overflow queue, as soon as
 * the receiver has agreed. It stays there until its final part has gone, and so is one message to whoever counts. A
 * stream has a place in the queue, too, but no bytes.
 * <p>Thread: the endpoint's owner. Allocates nothing.
 */
final class PartSender implements MessageStream.Sender
{
    private static final int PARTS_PER_MOVE = 32;

    private final EndpointLink link;
    private final Hop hop;
    private final OverflowQueue overflow;
    private final EndpointState state;
    private final LargeSends sends;
    private final int partLengthMax;
    private final FrameClaim room = new FrameClaim();
    private final Fragmenter fragmenter = new Fragmenter();
    private final MessageStream blockingStream = new MessageStream();
    private MessageStream stream;
    private boolean hasPlace;
    private int streamHandler;
    private int partCount;
    private long finishedCount;
    private long lostCount;

    PartSender(final EndpointLink link, final LargeSends sends)
    {
        this.link = link;
        this.sends = sends;
        state = link.state();
        hop = link.hop();
        overflow = link.overflow();
        partLengthMax = link.payloadLengthMax();
    }

    /** Claims a stream's place in the overflow queue. */
    SendStatus claimPlace(final long arguments01, final long arguments23, final FrameClaim claim)
    {
        final SendStatus status = overflow.tryClaimLarge(0, claim);
        if (status == SendStatus.QUEUED)
        {
            link.writeHeader(claim, LargeMessageIds.BODY, arguments01, arguments23, 0);
            claim.publish();
        }
        return status;
    }

    /** The stream has its place. */
    void open(final MessageStream newStream, final int handler, final long totalLength)
    {
        stream = newStream;
        streamHandler = handler;
        hasPlace = true;
        newStream.opened(this, totalLength);
    }

    /** True until its place is free: also while the receiver is to learn that it was aborted. */
    boolean isStreamOpen()
    {
        return hasPlace;
    }

    /** A stream for sends that block: one at a time. */
    MessageStream blockingStream()
    {
        return blockingStream;
    }

    /** Parts that the last {@link #move()} sent. */
    int partCount()
    {
        return partCount;
    }

    /**
     * The oldest in the overflow queue is a long message, or a stream's place: takes it on. Returns
     * {@link SendStatus#SENT} if it is there no more; {@link SendStatus#BACK_PRESSURED} if it waits.
     */
    SendStatus move()
    {
        partCount = 0;
        final boolean isStream = isPlaceFirst();
        if (fragmenter.state() == Fragmenter.State.IDLE)
        {
            if (isStream && stream == null)
            {
                return leave(isStream);         // Aborted before anybody was asked.
            }
            fragmenter.begin(sends.nextTransfer(), isStream ? stream.totalLength() : overflow.firstLength());
        }
        return switch (fragmenter.state())
        {
            case IDLE, ASKING -> ask(isStream);
            case WAITING -> waiting();
            case SENDING -> isStream ? waiting() : moveParts();
            case REFUSED -> giveUpRefused(isStream);
            case ABORTING -> sendAbort();
        };
    }

    /** The hop is no more. */
    void forget()
    {
        room.forget();
    }

    /** The receiver answered; false if nobody had asked that. */
    boolean onVerdict(final long transfer, final int verdict)
    {
        return verdict == FragmentDescriptor.VERDICT_LOST ? tryLose() : fragmenter.onVerdict(transfer, verdict);
    }

    /** A message that was wholly sent is undelivered: the receiver says so once, when it takes the final part. */
    private boolean tryLose()
    {
        if (lostCount >= finishedCount)
        {
            return false;                   // A peer that errs: no more can be lost than was sent.
        }
        lostCount++;
        link.lost();
        return true;
    }

    /** The endpoint is about to close. */
    void abortStream()
    {
        if (stream != null)
        {
            stream.abort();
        }
    }

    /** Everything in the overflow queue was given up. */
    void onGivenUp(final SendStatus reason)
    {
        fragmenter.end();
        closeStream(reason);
        hasPlace = false;
    }

    @Override
    public int add(final MessageStream open, final DirectBuffer source, final int offset, final int length)
    {
        state.checkOwner();
        final SendStatus readiness = readiness();
        if (readiness != SendStatus.SENT)
        {
            if (open.isOpen())
            {
                open.met(readiness);
            }
            return 0;
        }
        int takenLength = 0;
        SendStatus status = readiness;
        while (status == SendStatus.SENT && takenLength < length)
        {
            final int partLength = fragmenter.nextLength(length - takenLength, partLengthMax);
            status = hop.tryClaim(partLength, room);
            if (status == SendStatus.SENT)
            {
                fillPart(LargeMessageIds.BODY, partLength);
                room.buffer().putBytes(room.offset(), source, offset + takenLength, partLength);
                publishPart(partLength);
                takenLength += partLength;
            }
        }
        open.met(status);
        giveUpIfOver(status);
        return takenLength;
    }

    @Override
    public SendStatus end(final MessageStream open)
    {
        state.checkOwner();
        final SendStatus readiness = readiness();
        if (readiness != SendStatus.SENT)
        {
            return readiness;
        }
        final SendStatus status = hop.tryClaim(0, room);
        if (status == SendStatus.SENT)
        {
            fillPart(LargeMessageIds.FINAL, 0);
            publishPart(0);
            finished();
            stream = null;
            leave(true);
            link.overflowLeft();
            link.accepted(open.totalLength());
            sends.sent();
        }
        giveUpIfOver(status);
        return status;
    }

    @Override
    public void abort(final MessageStream open)
    {
        state.checkOwner();
        stream = null;
        if (fragmenter.state() != Fragmenter.State.IDLE && isPlaceFirst())
        {
            fragmenter.abort();
        }
        link.flush();
    }

    /** Sent if the stream's parts may go now. */
    private SendStatus readiness()
    {
        if (state.isClosed())
        {
            closeStream(SendStatus.CLOSED);
            return SendStatus.CLOSED;
        }
        link.flush();
        if (stream == null || link.isClaimOpen())
        {
            return stream == null ? blockedBy(SendStatus.CLOSED) : SendStatus.BACK_PRESSURED;
        }
        return isPlaceFirst() && fragmenter.state() == Fragmenter.State.SENDING ? SendStatus.SENT :
            SendStatus.BACK_PRESSURED;
    }

    private SendStatus blockedBy(final SendStatus otherwise)
    {
        return hop.isPeerGone() ? SendStatus.PEER_GONE : otherwise;
    }

    private boolean isPlaceFirst()
    {
        return overflow.depth() > 0 && LargeMessageIds.isPart(overflow.firstHeader().handler());
    }

    private SendStatus waiting()
    {
        return blockedBy(SendStatus.BACK_PRESSURED);
    }

    private SendStatus ask(final boolean isStream)
    {
        final SendStatus status = hop.tryClaim(FragmentDescriptor.BEGIN_LENGTH, room);
        if (status != SendStatus.SENT)
        {
            return status;
        }
        final MessageHeader first = overflow.firstHeader();
        final int handler = isStream ? streamHandler : first.handler();
        final long totalLength = isStream ? stream.totalLength() : overflow.firstLength();
        link.writeHeader(room, LargeMessageIds.BEGIN, MessageHeader.pair(first.argument(0), first.argument(1)),
            MessageHeader.pair(first.argument(2), first.argument(3)), FragmentDescriptor.BEGIN_LENGTH);
        BeginWords.write(room.buffer(), room.offset(), handler, totalLength, fragmenter.transfer());
        room.publish();
        fragmenter.asked();
        partCount++;
        return SendStatus.BACK_PRESSURED;
    }

    private SendStatus moveParts()
    {
        final int totalLength = overflow.firstLength();
        for (int i = 0; i < PARTS_PER_MOVE; i++)
        {
            final int position = (int)fragmenter.position();
            final int length = fragmenter.nextLength(totalLength - position, partLengthMax);
            final SendStatus status = hop.tryClaim(length, room);
            if (status != SendStatus.SENT)
            {
                return status;
            }
            final boolean isLast = position + length == totalLength;
            fillPart(isLast ? LargeMessageIds.FINAL : LargeMessageIds.BODY, length);
            overflow.copyFirst(position, room.buffer(), room.offset(), length);
            publishPart(length);
            if (isLast)
            {
                finished();
                return leave(false);
            }
        }
        return SendStatus.BACK_PRESSURED;           // Other links' turn.
    }

    /** As lost as a message for a handler that the receiver does not have; but here it is known. */
    private SendStatus giveUpRefused(final boolean isStream)
    {
        fragmenter.end();
        if (isStream)
        {
            closeStream(SendStatus.CLOSED);
        }
        else
        {
            link.lost();
        }
        return leave(isStream);
    }

    private SendStatus sendAbort()
    {
        final SendStatus status = hop.tryClaim(0, room);
        if (status != SendStatus.SENT)
        {
            return status;
        }
        link.writeHeader(room, LargeMessageIds.ABORT, fragmenter.transfer(), 0, 0);
        room.publish();
        partCount++;
        fragmenter.end();
        return leave(true);
    }

    private SendStatus leave(final boolean isStream)
    {
        overflow.removeFirst();
        hasPlace = hasPlace && !isStream;
        return SendStatus.SENT;
    }

    private void fillPart(final int id, final int length)
    {
        link.writeHeader(room, id, fragmenter.transfer(), fragmenter.position(), length);
    }

    private void publishPart(final int length)
    {
        room.publish();
        fragmenter.sent(length);
        partCount++;
    }

    private void finished()
    {
        finishedCount++;
        fragmenter.end();
    }

    private void giveUpIfOver(final SendStatus status)
    {
        if (status == SendStatus.PEER_GONE || status == SendStatus.CLOSED)
        {
            link.refused(status);
            link.giveUp(status);
        }
    }

    private void closeStream(final SendStatus reason)
    {
        if (stream != null)
        {
            stream.closed(reason);
            stream = null;
        }
    }
}
