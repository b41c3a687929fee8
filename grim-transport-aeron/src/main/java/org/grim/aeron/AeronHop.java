// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.FrameClaim;
import org.grim.SendStatus;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

/**
 * The sender's end: an exclusive publication to the peer's host. A message of one frame is written into the
 * publication's log in place; a longer one, and one that the application claims, whose memory must outlast the log,
 * is put together beside it and offered. Room for it is looked for before the claim.
 * <p>A hop is lost when Aeron says that nothing can go through it any more although the peer may live: the peer's
 * driver was silent for too long, refused it, or this process's client has ended. The first frame says who sends.
 * <p>Thread: the link's owner, but for what is said to be any. Owns: the publication; holds the session until {@link
 * #close()}.
 */
final class AeronHop implements Hop
{
    private static final int ACTIVE_MESSAGE_CODE = MessageType.ACTIVE_MESSAGE.code();
    private static final int IDENTITY = MessageHeader.identityWord(0);
    private static final int ROTATION_COUNT_MAX = 2;
    private static final long IN_PLACE = 0;
    private static final long BESIDE = 1;

    @SuppressWarnings("UnusedVariable")             // It keeps the status word mapped.
    private final Membership membership;
    private final HopRegistry registry;
    private final DriverSession session;
    private final ExclusivePublication publication;
    private final BufferClaim room = new BufferClaim();
    private final AtomicBuffer hello;
    private final FrameSeal seal;                   // null without a key
    private final Party destination;
    private final int number;
    private final long flowKey;
    private final long peerStatusAddress;
    private final int peerStatus;
    private final int overheadLength;               // Bytes of a seal.
    private final int frameLengthMax;               // Most bytes of a message in one frame.
    private final int inPlaceLengthMax;             // The same, of one that is written into the log in place.
    private final int payloadLengthMax;
    private AtomicBuffer beside;
    private boolean isLent;
    private boolean isWatched;                      // The transport's thread, as the next one.
    private long answerDeadlineNs;
    private long publishedCount;
    private long undeliveredCount;
    private long undeliveredCountSeen;
    private volatile AeronQueue.Operations memory;
    private volatile boolean isBegun;
    private volatile boolean isClosed;
    private volatile boolean isLost;
    private volatile long consumedCount;

    /** Who knows all hops of a node. */
    @FunctionalInterface
    interface HopRegistry
    {
        /** A hop was lost; called once. Thread: any. */
        void onLost(AeronHop hop);
    }

    AeronHop(
        final Membership membership, final HopRegistry registry, final DriverSession session,
        final ExclusivePublication publication, final int number, final long flowKey, final Party destination,
        final AtomicBuffer hello, final FrameSeal seal)
    {
        this.membership = membership;
        this.registry = registry;
        this.session = session;
        this.publication = publication;
        this.number = number;
        this.flowKey = flowKey;
        this.destination = destination;
        this.hello = hello;
        this.seal = seal;
        peerStatusAddress = membership.statusAddress(destination.node());
        peerStatus = membership.upStatus(destination.incarnation());
        overheadLength = seal == null ? 0 : FrameSeal.TAG_LENGTH;
        frameLengthMax = publication.maxPayloadLength() - overheadLength;
        inPlaceLengthMax = seal == null ? frameLengthMax : 0;
        payloadLengthMax =
            Math.min(PAYLOAD_LENGTH_MAX, publication.maxMessageLength() - HEADER_LENGTH - overheadLength);
        session.hold();
    }

    @Override
    public SendStatus trySend(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        if (length > 0)
        {
            source.boundsCheck(offset, length);
        }
        if (!isBegun || isClosed || isPeerGone())
        {
            return SendStatus.BACK_PRESSURED;
        }
        if (HEADER_LENGTH + length > inPlaceLengthMax)
        {
            return trySendLong(wordOne, extentWords, arguments01, arguments23, source, offset, length);
        }
        final long reservedValue = ShortFrame.reservedValue(wordOne, extentWords, arguments01 | arguments23, length);
        final int headerLength = reservedValue == ShortFrame.NONE ? HEADER_LENGTH : 0;
        if (publication.tryClaim(headerLength + length, room) <= 0)
        {
            return SendStatus.BACK_PRESSURED;
        }
        final MutableDirectBuffer buffer = room.buffer();
        final int index = room.offset();
        if (reservedValue == ShortFrame.NONE)
        {
            buffer.putInt(index, IDENTITY);
            MessageHeader.write(buffer, index, wordOne, extentWords, arguments01, arguments23);
        }
        else
        {
            room.reservedValue(reservedValue);
        }
        if (length > 0)
        {
            buffer.putBytes(index + headerLength, source, offset, length);
        }
        publishedCount += Hop.isCounted(extentWords) ? 1 : 0;
        room.commit();
        return SendStatus.SENT;
    }

    @Override
    public SendStatus tryClaim(final int payloadLength, final FrameClaim claim)
    {
        if (isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        if (isClosed)
        {
            return SendStatus.CLOSED;
        }
        if (!isBegun && !tryBegin())
        {
            return isPeerGone() ? SendStatus.PEER_GONE : SendStatus.BACK_PRESSURED;
        }
        final int length = HEADER_LENGTH + payloadLength;
        if (isLent || length > inPlaceLengthMax)
        {
            if (!hasRoom(length))
            {
                return refusal(publication.isConnected() ? Publication.BACK_PRESSURED : Publication.NOT_CONNECTED);
            }
            claim.claimed(this, beside(), 0, HEADER_LENGTH, payloadLength, BESIDE);
            return SendStatus.SENT;
        }
        long position = publication.tryClaim(length, room);
        for (int i = 0; i < ROTATION_COUNT_MAX && position == Publication.ADMIN_ACTION; i++)
        {
            position = publication.tryClaim(length, room);
        }
        if (position <= 0)
        {
            return refusal(position);
        }
        claim.claimed(this, room.buffer(), room.offset(), room.offset() + HEADER_LENGTH, payloadLength, IN_PLACE);
        return SendStatus.SENT;
    }

    @Override
    public void publish(final FrameClaim claim)
    {
        final MutableDirectBuffer buffer = claim.buffer();
        final int index = claim.headerOffset();
        buffer.putInt(index, IDENTITY);
        final boolean isCounted = isCounted(buffer, index);
        publishedCount += isCounted ? 1 : 0;
        if (claim.position() == IN_PLACE)
        {
            room.commit();
        }
        else if ((seal == null ? offer(buffer, buffer, HEADER_LENGTH, claim.length()) :
            offerSealed(buffer, claim.length())) <= 0)
        {
            // The connection went between claim and publication: the message is accepted, and goes nowhere.
            undeliveredCount += isCounted ? 1 : 0;
            lose();
        }
    }

    @Override
    public void abort(final FrameClaim claim)
    {
        if (claim.position() == IN_PLACE)
        {
            room.abort();
        }
    }

    @Override
    public int payloadLengthMax()
    {
        return payloadLengthMax;
    }

    @Override
    public boolean isPeerGone()
    {
        return isLost || Buffers.intVolatile(peerStatusAddress) != peerStatus;
    }

    @Override
    public long unknownCount()
    {
        undeliveredCountSeen = undeliveredCount;
        return Math.max(0, publishedCount - undeliveredCountSeen - consumedCount);
    }

    @Override
    public long undeliveredCount()
    {
        return undeliveredCountSeen;
    }

    @Override
    public void lent()
    {
        isLent = true;
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            if (!session.isLost())
            {
                publication.close();
            }
            session.release();
            isClosed = true;                        // Last: the counts change no more.
        }
    }

    /** Begins, if the peer's driver has answered: what comes first says who sends. Thread: the owner, or its maker. */
    boolean tryBegin()
    {
        isBegun = publication.offer(hello, 0, hello.capacity()) > 0;
        return isBegun;
    }

    /**
     * Loses the hop if the peer's driver, or this process's own, has gone silent, or the peer's has not answered for
     * long: it may have had another session of that number, a stranger's. Thread: the transport's.
     */
    void loseIfDisconnected(final long nowNs, final long silenceTimeoutNs)
    {
        if (!isWatched)
        {
            isWatched = true;
            answerDeadlineNs = nowNs + silenceTimeoutNs;
        }
        if (!isClosed && !isLost && (session.isLost() ||
            ((isBegun || answerDeadlineNs - nowNs < 0) && !publication.isConnected())))
        {
            lose();
        }
    }

    /** Nothing can be sent on this hop any more. Thread: any. */
    synchronized void lose()
    {
        if (!isLost)
        {
            isLost = true;
            registry.onLost(this);
        }
    }

    /** Learns how many messages the peer has consumed. Thread: the transport's. */
    void onConsumed(final long count)
    {
        if (count > consumedCount)
        {
            consumedCount = count;
        }
    }

    /**
     * Whether nothing is to be learned any more: all was consumed, or the hop leads nowhere. Thread: any, when the hop
     * is closed or all loops have stopped.
     */
    boolean isSettled()
    {
        final AeronQueue.Operations operations = memory;
        return isPeerGone() || (publishedCount - undeliveredCount <= consumedCount &&
            (isClosed || operations == null || operations.isSettled()));
    }

    /** {@return whether the link has given it up; then it sends no more. Thread: any} */
    boolean isClosed()
    {
        return isClosed;
    }

    /** {@return most bytes of a message in one frame, header and payload. Thread: any} */
    int frameLengthMax()
    {
        return frameLengthMax;
    }

    /** {@return who takes the answers to this hop's operations; null if there are none. Thread: any} */
    AeronQueue.Operations memory()
    {
        return memory;
    }

    /** Operations go over this hop, too, from now on. */
    void memory(final AeronQueue.Operations newMemory)
    {
        memory = newMemory;
    }

    /** {@return number of this hop, unique among those of this incarnation of the node. Thread: any} */
    int number()
    {
        return number;
    }

    /** {@return where its messages come from and go to, as {@link FlowKey}. Thread: any} */
    long flowKey()
    {
        return flowKey;
    }

    /** {@return whom it leads to. Thread: any} */
    Party destination()
    {
        return destination;
    }

    /** {@return what Aeron knows the publication by. Thread: any} */
    long registrationId()
    {
        return publication.registrationId();
    }

    @Override
    public String toString()
    {
        return "Aeron hop " + number + " to " + destination;
    }

    private SendStatus trySendLong(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        if (!hasRoom(HEADER_LENGTH + length))
        {
            return SendStatus.BACK_PRESSURED;
        }
        final AtomicBuffer header = beside();
        header.putInt(0, IDENTITY);
        MessageHeader.write(header, 0, wordOne, extentWords, arguments01, arguments23);
        if (seal != null && length > 0)
        {
            header.putBytes(HEADER_LENGTH, source, offset, length);
        }
        if ((seal == null ? offer(header, source, offset, length) : offerSealed(header, length)) <= 0)
        {
            return SendStatus.BACK_PRESSURED;
        }
        publishedCount += Hop.isCounted(extentWords) ? 1 : 0;
        return SendStatus.SENT;
    }

    /** A header, from the first byte of its buffer, and its payload. */
    private long offer(final DirectBuffer header, final DirectBuffer source, final int offset, final int length)
    {
        long position = publication.offer(header, 0, HEADER_LENGTH, source, offset, length);
        for (int i = 0; i < ROTATION_COUNT_MAX && position == Publication.ADMIN_ACTION; i++)
        {
            position = publication.offer(header, 0, HEADER_LENGTH, source, offset, length);
        }
        return position;
    }

    /** A header and its payload behind it. What was refused was seen by nobody: its place is the next one's. */
    private long offerSealed(final DirectBuffer message, final int length)
    {
        final int sealedLength = seal.seal(message, 0, HEADER_LENGTH + length);
        long position = publication.offer(seal.sealed(), 0, sealedLength);
        for (int i = 0; i < ROTATION_COUNT_MAX && position == Publication.ADMIN_ACTION; i++)
        {
            position = publication.offer(seal.sealed(), 0, sealedLength);
        }
        if (position > 0)
        {
            seal.advance();
        }
        return position;
    }

    /** Whether a message can be offered now, also if what is left of the term is too short for it. */
    private boolean hasRoom(final int length)
    {
        final long position = publication.position();
        final int termLength = publication.termBufferLength();
        final int restLength = termLength - ((int)position & (termLength - 1));
        final int neededLength = length <= frameLengthMax ?
            BitUtil.align(
                length + overheadLength + DataHeaderFlyweight.HEADER_LENGTH, FrameDescriptor.FRAME_ALIGNMENT) :
            LogBufferDescriptor.computeFragmentedFrameLength(length + overheadLength, publication.maxPayloadLength());
        return publication.availableWindow() > (neededLength > restLength ? restLength : 0);
    }

    private SendStatus refusal(final long result)
    {
        if (result == Publication.BACK_PRESSURED || result == Publication.ADMIN_ACTION)
        {
            return SendStatus.BACK_PRESSURED;
        }
        lose();
        return SendStatus.PEER_GONE;
    }

    /** Operations of remote memory are accounted for one by one, by their refusals. */
    private static boolean isCounted(final DirectBuffer buffer, final int index)
    {
        return MessageHeader.typeCode(MessageHeader.first(
            IDENTITY, buffer.getInt(index + MessageHeader.TYPE_OFFSET))) == ACTIVE_MESSAGE_CODE &&
            Hop.isCounted(buffer, index);
    }

    private AtomicBuffer beside()
    {
        if (beside == null)
        {
            beside = Buffers.allocate(HEADER_LENGTH + payloadLengthMax);
        }
        return beside;
    }
}
