// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.endpoint.Backlog;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LinkAccounting;
import org.grim.endpoint.LinkContext;
import org.grim.endpoint.LinkHeader;
import org.grim.queue.OverflowQueue;
import org.grim.transport.Hop;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;

/**
 * Sends the messages of one link that go in parts, one at a time: the oldest in the link's overflow queue, as soon as
 * the receiver has agreed. It stays there until its final part has gone, and so counts as one message. A stream has a
 * place in the queue, too, but no bytes.
 * <p>Thread: the endpoint's owner. Allocates nothing.
 */
final class PartSender implements Backlog.LargeRecords
{
    private static final int PARTS_PER_MOVE = 32;

    private final Hop hop;
    private final LinkHeader header;
    private final LinkAccounting accounting;
    private final Backlog backlog;
    private final OverflowQueue overflow;
    private final EndpointState state;
    private final LargeSends sends;
    private final int partLengthMax;
    private final AtomicBuffer begin = Buffers.wrap(new byte[FragmentDescriptor.BEGIN_LENGTH]);
    private final Fragmenter fragmenter = new Fragmenter();
    private final OutgoingStream blockingStream = new OutgoingStream();
    private OutgoingStream stream;
    private boolean hasPlace;
    private int streamHandler;
    private int partCount;
    private long finishedCount;
    private long lostCount;

    PartSender(final LinkContext link, final LargeSends sends)
    {
        this.sends = sends;
        state = link.state();
        hop = link.hop();
        header = link.header();
        accounting = link.accounting();
        backlog = link.backlog();
        overflow = backlog.overflow();
        partLengthMax = link.payloadLengthMax();
        backlog.largeRecords(this);
    }

    /**
     * Opens a stream, which gets its place in the overflow queue. Returns false if there is no room for it, or another
     * one has its place: also while the receiver is to learn that that was aborted.
     */
    boolean tryOpen(
        final OutgoingStream newStream, final int handler, final long arguments01, final long arguments23,
        final long totalLength)
    {
        if (hasPlace || !overflow.canTakeLarge(0))
        {
            return false;
        }
        overflow.put(header.wordOne(0), header.extentWords(LargeMessageIds.BODY, 0), arguments01, arguments23, null, 0,
            0);
        stream = newStream;
        streamHandler = handler;
        hasPlace = true;
        newStream.opened(this, totalLength);
        return true;
    }

    /** A stream for sends that block: one at a time. */
    OutgoingStream blockingStream()
    {
        return blockingStream;
    }

    @Override
    public int partCount()
    {
        return partCount;
    }

    @Override
    public SendStatus move()
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
        accounting.lost(1);
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

    @Override
    public void onGivenUp(final SendStatus reason)
    {
        fragmenter.end();
        closeStream(reason);
        hasPlace = false;
    }

    /** Sends as much as there is room for of an open stream. Returns the bytes that were taken. */
    int add(final OutgoingStream open, final DirectBuffer source, final int offset, final int length)
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
            status = trySend(LargeMessageIds.BODY, fragmenter.transfer(), fragmenter.position(), source,
                offset + takenLength, partLength);
            if (status == SendStatus.SENT)
            {
                partSent(partLength);
                takenLength += partLength;
            }
        }
        open.met(status);
        giveUpIfOver(status);
        return takenLength;
    }

    /** Sends the end of an open stream that is complete. Returns {@link SendStatus#SENT}, or why not. */
    SendStatus end(final OutgoingStream open)
    {
        state.checkOwner();
        final SendStatus readiness = readiness();
        if (readiness != SendStatus.SENT)
        {
            return readiness;
        }
        final SendStatus status =
            trySend(LargeMessageIds.FINAL, fragmenter.transfer(), fragmenter.position(), null, 0, 0);
        if (status == SendStatus.SENT)
        {
            partSent(0);
            finished();
            stream = null;
            leave(true);
            accounting.accepted(open.totalLength());
            sends.sent();
        }
        giveUpIfOver(status);
        return status;
    }

    /** Gives up the open stream. */
    void abortOpen()
    {
        state.checkOwner();
        stream = null;
        if (fragmenter.state() != Fragmenter.State.IDLE && isPlaceFirst())
        {
            fragmenter.abort();
        }
        backlog.flush();
    }

    /** Sent if the stream's parts may go now. */
    private SendStatus readiness()
    {
        if (state.isClosed())
        {
            closeStream(SendStatus.CLOSED);
            return SendStatus.CLOSED;
        }
        backlog.flush();
        if (stream == null || backlog.isClaimOpen())
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
        final MessageHeader first = overflow.firstHeader();
        final int handler = isStream ? streamHandler : first.handler();
        final long totalLength = isStream ? stream.totalLength() : overflow.firstLength();
        BeginWords.write(begin, 0, handler, totalLength, fragmenter.transfer());
        final SendStatus status = trySend(
            LargeMessageIds.BEGIN, MessageHeader.pair(first.argument(0), first.argument(1)),
            MessageHeader.pair(first.argument(2), first.argument(3)), begin, 0, FragmentDescriptor.BEGIN_LENGTH);
        if (status != SendStatus.SENT)
        {
            return status;
        }
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
            final boolean isLast = position + length == totalLength;
            final SendStatus status = overflow.trySendPart(hop, header.wordOne(length),
                header.extentWords(isLast ? LargeMessageIds.FINAL : LargeMessageIds.BODY, length),
                fragmenter.transfer(), position, length);
            if (status != SendStatus.SENT)
            {
                return status;
            }
            partSent(length);
            if (isLast)
            {
                finished();
                return leave(false);
            }
        }
        return SendStatus.BACK_PRESSURED;           // Other links' turn.
    }

    /** Gives up a message that the receiver refused: lost as one for an unknown handler is, but known here. */
    private SendStatus giveUpRefused(final boolean isStream)
    {
        fragmenter.end();
        if (isStream)
        {
            closeStream(SendStatus.CLOSED);
        }
        else
        {
            accounting.lost(1);
        }
        return leave(isStream);
    }

    private SendStatus sendAbort()
    {
        final SendStatus status = trySend(LargeMessageIds.ABORT, fragmenter.transfer(), 0, null, 0, 0);
        if (status != SendStatus.SENT)
        {
            return status;
        }
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

    private SendStatus trySend(
        final int id, final long arguments01, final long arguments23, final DirectBuffer source, final int offset,
        final int length)
    {
        return hop.trySend(header.wordOne(length), header.extentWords(id, length), arguments01, arguments23, source,
            offset, length);
    }

    private void partSent(final int length)
    {
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
            backlog.refused(status);
            backlog.giveUp(status);
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
