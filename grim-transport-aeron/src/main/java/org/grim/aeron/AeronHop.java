// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.aeron.HelloDescriptor.Preceding;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.transport.Membership;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

/**
 * The sender's end: an exclusive publication to the peer's host. A message of one frame is written into the
 * publication's log in place; a longer one, and one that the application claims, whose memory must outlast the log,
 * is put together beside it and offered. Room for it is looked for before the claim.
 * <p>A hop through which nothing passed for long is idle: its publication is closed, and what comes next begins another
 * one, which names the one before.
 * <p>A hop is lost when Aeron says that nothing can go through it any more although the peer may live: the peer's
 * driver was silent for too long, refused it, or this process's client has ended. The first frame says who sends.
 * <p>Thread: the link's owner, but for what is said to be any. Owns: the publication; holds the session until {@link
 * #close()}.
 */
final class AeronHop implements Hop
{
    private static final Logger LOGGER = LoggerFactory.getLogger(AeronHop.class);
    private static final int ACTIVE_MESSAGE_CODE = MessageType.ACTIVE_MESSAGE.code();
    private static final int IDENTITY = MessageHeader.identityWord(0);
    private static final long LAST_REPORT_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long IN_PLACE = 0;
    private static final long BESIDE = 1;

    @SuppressWarnings("UnusedVariable")             // It keeps the status word mapped.
    private final Membership membership;
    private final HopRegistry registry;
    private final DriverSession session;
    private final BufferClaim room = new BufferClaim();
    private final Party destination;
    private final long flowKey;
    private final long idleTimeoutNs;               // 0: it keeps its publication
    private final long peerStatusAddress;
    private final int peerStatus;
    private final int overheadLength;               // Bytes of a seal.
    private final int frameLengthMax;               // Most bytes of a message in one frame.
    private final int inPlaceLengthMax;             // The same, of one that is written into the log in place.
    private final int payloadLengthMax;
    private volatile Start start;                   // The owner writes, as the next two.
    private volatile ExclusivePublication publication;          // null while there is none
    private volatile State state = State.CONNECTING;
    private long publicationId;
    private AeronException failure;
    private long idlePosition = -1;
    private long idleDeadlineNs;
    private AtomicBuffer beside;
    private boolean isLent;
    private long answerDeadlineNs;                  // The transport's thread.
    private long publishedCount;
    private long undeliveredCount;
    private long undeliveredCountSeen;
    private volatile AeronQueue.Operations memory;
    private volatile long consumedCount;
    private volatile boolean hasPeerLeft;            // After its last count.
    private long lastReportDeadlineNs;               // 0: none

    /** Where a hop stands. All but {@link #transition} and {@link #lose} ask only. */
    enum State
    {
        /** The driver makes a publication, or has not taken its first frame. */
        CONNECTING,
        /** Messages go. */
        OPEN,
        /** Nothing passed for long: there is no publication, until something is sent. */
        IDLE,
        /** The link has given it up. */
        CLOSED,
        /** Nothing can be sent any more, although the peer may live. */
        LOST,
        /** Lost, and given up by the link. */
        ENDED;

        boolean isLost()
        {
            return this == LOST || this == ENDED;
        }

        boolean isClosed()
        {
            return this == CLOSED || this == ENDED;
        }

        private boolean canBecome(final State next)
        {
            return switch (this)
            {
                case CONNECTING -> next == OPEN || next == CLOSED || next == LOST;
                case OPEN -> next == IDLE || next == CLOSED || next == LOST;
                case IDLE -> next == CONNECTING || next == CLOSED || next == LOST;
                case CLOSED, LOST -> next == ENDED;
                case ENDED -> false;
            };
        }
    }

    /**
     * The first values of a hop's publication.
     *
     * @param number          of the hop from then on, unique among those of this incarnation of the node.
     * @param preceding       what the hop was before it became idle.
     * @param channel         URI.
     * @param streamId        of the receiver's channel.
     * @param hello           first frame.
     * @param offer           of messages that are not written in place.
     * @param precedingCount  messages that were consumed before.
     */
    record Start(
        int number, Preceding preceding, String channel, int streamId, AtomicBuffer hello, FrameOffer offer,
        long precedingCount)
    {
    }

    /** The object that knows all hops of a node. */
    interface HopRegistry
    {
        /** A hop was lost; called once. Thread: any. */
        void onLost(AeronHop hop);

        /**
         * A hop that was idle is needed again: it has another number from now on. Thread: the hop's owner.
         *
         * @param hop            with its number until now.
         * @param position       up to which its last publication was used.
         * @param precedingCount of its messages that were consumed until now.
         * @return what its next publication begins with; null if the peer has no address any more.
         */
        Start onResume(AeronHop hop, long position, long precedingCount);
    }

    AeronHop(
        final Membership membership, final HopRegistry registry, final DriverSession session, final AeronConfig config,
        final Start start, final long flowKey, final Party destination)
    {
        this.membership = membership;
        this.registry = registry;
        this.session = session;
        this.start = start;
        this.flowKey = flowKey;
        this.destination = destination;
        idleTimeoutNs = config.idleTimeoutNs();
        peerStatusAddress = membership.statusAddress(destination.node());
        peerStatus = membership.upStatus(destination.incarnation());
        overheadLength = start.offer().overheadLength();
        frameLengthMax = config.mtuLength() - DataHeaderFlyweight.HEADER_LENGTH - overheadLength;
        inPlaceLengthMax = start.offer().isInPlace() ? frameLengthMax : 0;
        payloadLengthMax = Math.min(PAYLOAD_LENGTH_MAX,
            FrameDescriptor.computeMaxMessageLength(config.termLength()) - HEADER_LENGTH - overheadLength);
        answerDeadlineNs = System.nanoTime() + config.silenceTimeoutNs();
        publicationId = session.beginToPublish(start.channel(), start.streamId());
        session.hold();
    }

    @Override
    public SendStatus trySend(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        if (length > 0)
        {
            Objects.requireNonNull(source, "source").boundsCheck(offset, length);
        }
        if (state != State.OPEN || Buffers.intVolatile(peerStatusAddress) != peerStatus)
        {
            final SendStatus status = begin();
            if (status != SendStatus.SENT)
            {
                return status;
            }
        }
        if (HEADER_LENGTH + length > inPlaceLengthMax)
        {
            return trySendLong(wordOne, extentWords, arguments01, arguments23, source, offset, length);
        }
        final long reservedValue = ShortFrame.reservedValue(wordOne, extentWords, arguments01 | arguments23, length);
        final int headerLength = reservedValue == ShortFrame.NONE ? HEADER_LENGTH : 0;
        final long position = claimInLog(headerLength + length);
        if (position <= 0)
        {
            return refusal(position);
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
    public SendStatus tryClaim(final int payloadLength, final HopClaim claim)
    {
        if (state != State.OPEN || Buffers.intVolatile(peerStatusAddress) != peerStatus)
        {
            final SendStatus status = begin();
            if (status != SendStatus.SENT)
            {
                return status;
            }
        }
        final int length = HEADER_LENGTH + payloadLength;
        if (isLent || length > inPlaceLengthMax)
        {
            if (!hasRoom(length))
            {
                return noRoom();
            }
            claim.claimed(this, beside(), 0, HEADER_LENGTH, payloadLength, BESIDE);
            return SendStatus.SENT;
        }
        final long position = claimInLog(length);
        if (position <= 0)
        {
            return refusal(position);
        }
        claim.claimed(this, room.buffer(), room.offset(), room.offset() + HEADER_LENGTH, payloadLength, IN_PLACE);
        return SendStatus.SENT;
    }

    @Override
    public void publish(final HopClaim claim)
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
        else if (start.offer().tryOffer(publication, beside, beside, HEADER_LENGTH, claim.length()) <= 0)
        {
            // The connection went between claim and publication: the message is accepted, and goes nowhere.
            undeliveredCount += isCounted ? 1 : 0;
            lose();
        }
    }

    @Override
    public void abort(final HopClaim claim)
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
        return state.isLost() || Buffers.intVolatile(peerStatusAddress) != peerStatus;
    }

    @Override
    public long unknownCount()
    {
        final boolean isLeft = hasPeerLeft;             // Before the count is read.
        final long unreadCount = unreadCount();
        undeliveredCountSeen = undeliveredCount + (isLeft ? unreadCount : 0);
        return isLeft ? 0 : unreadCount;
    }

    /** The status of a peer that left in order may be seen before its last report, which came over another path. */
    @Override
    public boolean isAccountComing()
    {
        if (state.isLost() || hasPeerLeft || unreadCount() == 0)
        {
            return false;
        }
        final long nowNs = System.nanoTime();
        if (lastReportDeadlineNs == 0)
        {
            lastReportDeadlineNs = nowNs + LAST_REPORT_NS;
        }
        return lastReportDeadlineNs - nowNs > 0;
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
        if (!state.isClosed())
        {
            closePublication();
            session.release();
            synchronized (this)
            {
                transition(state.isLost() ? State.ENDED : State.CLOSED);    // Last: the counts change no more.
            }
        }
    }

    /**
     * Closes the publication if nothing has passed for long, and all messages were consumed. Not with remote memory:
     * the peer answers to this hop.
     */
    @Override
    public void releaseIfIdle()
    {
        if (idleTimeoutNs == 0 || state != State.OPEN || memory != null || isPeerGone())
        {
            return;
        }
        final long nowNs = System.nanoTime();
        final long position = publication.position();
        if (position != idlePosition || publishedCount - undeliveredCount != consumedCount)
        {
            idlePosition = position;
            idleDeadlineNs = nowNs + idleTimeoutNs;
        }
        else if (idleDeadlineNs - nowNs < 0)
        {
            transition(State.IDLE);                 // First: the transport's thread loses a hop that is open.
            closePublication();
        }
    }

    /** Begins, if the peer's driver has answered: what comes first says who sends. Thread: the owner, or its maker. */
    boolean tryBegin()
    {
        if (publication == null && !tryResume())
        {
            return false;
        }
        final AtomicBuffer hello = start.hello();
        return publication.offer(hello, 0, hello.capacity()) > 0 && transition(State.OPEN);
    }

    /**
     * Loses the hop if the peer's driver, or this process's own, has gone silent, or the peer's has not answered for
     * long: it may have had another session of that number, a stranger's. Thread: the transport's.
     */
    void loseIfDisconnected(final long nowNs, final long silenceTimeoutNs)
    {
        final State before = state;
        final ExclusivePublication current = publication;
        if (before != State.CONNECTING)
        {
            answerDeadlineNs = nowNs + silenceTimeoutNs;
        }
        final boolean isDue =
            before == State.OPEN || (before == State.CONNECTING && answerDeadlineNs - nowNs < 0);
        final boolean isSilent = isDue && (current == null || !current.isConnected());
        final boolean isAsBefore = state == before && publication == current;
        if (!before.isClosed() && !before.isLost() && (session.isLost() || (isSilent && isAsBefore)))
        {
            lose();                                 // Not if the owner has closed that publication meanwhile.
        }
    }

    /** Nothing can be sent on this hop any more. Thread: any. */
    synchronized void lose()
    {
        if (!state.isLost())
        {
            transition(state == State.CLOSED ? State.ENDED : State.LOST);
            registry.onLost(this);
        }
    }

    /** Learns how many messages the peer has consumed under a number of this hop. Thread: the transport's. */
    void onConsumed(final int number, final long count, final boolean isLast)
    {
        final Start current = start;
        if (number == current.number())
        {
            consumedCount = Math.max(consumedCount, current.precedingCount() + count);
            hasPeerLeft |= isLast;
        }
    }

    /**
     * Returns whether nothing more can be learned: all was consumed, or the hop leads nowhere. Thread: any, when the
     * hop is closed or all loops have stopped.
     */
    boolean isSettled()
    {
        final AeronQueue.Operations operations = memory;
        return isPeerGone() || ((hasPeerLeft || publishedCount - undeliveredCount <= consumedCount) &&
            (state.isClosed() || operations == null || operations.isSettled()));
    }

    /** {@return whether the link has given it up; then it sends no more. Thread: any} */
    boolean isClosed()
    {
        return state.isClosed();
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

    /** {@return why the driver refused a publication; null if it did not} */
    AeronException failure()
    {
        return failure;
    }

    /** {@return number of this hop, unique among those of this incarnation of the node. Thread: any} */
    int number()
    {
        return start.number();
    }

    /** {@return number that it had before it became idle; 0: it did not. Thread: any} */
    int precedingNumber()
    {
        return start.preceding().number();
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

    /** Whether Aeron knows the publication by this id. Thread: any. */
    boolean isRegistered(final long registrationId)
    {
        final ExclusivePublication current = publication;
        return current != null && current.registrationId() == registrationId;
    }

    @Override
    public String toString()
    {
        return "Aeron hop " + number() + " to " + destination;
    }

    /** Has the driver make a publication; it answers to the transport's thread. */
    private boolean tryResume()
    {
        try
        {
            if (state == State.IDLE)
            {
                final Start next = session.isLost() ? null : registry.onResume(this, idlePosition, consumedCount);
                if (next == null)
                {
                    return false;                   // The hop is lost, or the peer gone, in a moment.
                }
                publicationId = session.beginToPublish(next.channel(), next.streamId());
                start = next;
                transition(State.CONNECTING);
            }
            publication = session.tryPublication(publicationId);
            return publication != null;
        }
        catch (final AeronException ex)
        {
            LOGGER.warn("{} does not begin: {}", this, ex.toString());
            failure = ex;
            lose();
            return false;
        }
    }

    private void closePublication()
    {
        publication = null;                         // First, as the state: the publication itself closes later.
        session.endPublication(publicationId);
    }

    /**
     * Takes a step. Returns false if another thread has lost the hop meanwhile: then it stays so.
     */
    private synchronized boolean transition(final State next)
    {
        final State before = state;
        final boolean isPossible = before.canBecome(next);
        assert isPossible || before == State.LOST : before + " to " + next;
        state = isPossible ? next : before;
        return isPossible;
    }

    private SendStatus trySendLong(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        if (!hasRoom(HEADER_LENGTH + length))
        {
            return noRoom();
        }
        final AtomicBuffer header = beside();
        header.putInt(0, IDENTITY);
        MessageHeader.write(header, 0, wordOne, extentWords, arguments01, arguments23);
        final long position = start.offer().tryOffer(publication, header, source, offset, length);
        if (position <= 0)
        {
            return refusal(position);
        }
        publishedCount += Hop.isCounted(extentWords) ? 1 : 0;
        return SendStatus.SENT;
    }

    /** Whether a message can be offered now, also if what is left of the term is too short for it. */
    private long unreadCount()
    {
        return Math.max(0, publishedCount - undeliveredCount - consumedCount);
    }

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

    private long claimInLog(final int length)
    {
        long position = publication.tryClaim(length, room);
        for (int i = 0; i < FrameOffer.ROTATION_COUNT_MAX && position == Publication.ADMIN_ACTION; i++)
        {
            position = publication.tryClaim(length, room);
        }
        return position;
    }

    /** Begins, if that has not happened. Returns {@link SendStatus#SENT}, or why nothing can be sent. */
    private SendStatus begin()
    {
        if (isPeerGone())
        {
            return SendStatus.PEER_GONE;
        }
        if (state.isClosed())
        {
            return SendStatus.CLOSED;
        }
        return state == State.OPEN || tryBegin() ? SendStatus.SENT :
            isPeerGone() ? SendStatus.PEER_GONE : SendStatus.BACK_PRESSURED;
    }

    private SendStatus noRoom()
    {
        return refusal(publication.isConnected() ? Publication.BACK_PRESSURED : Publication.NOT_CONNECTED);
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
