// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.crypto.Sealer;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.Hop;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import io.aeron.Image;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;

/**
 * The receiver's end of a hop: an image. Its word is the low half of the image's high-water mark, which changes when a
 * frame comes; the value for "nothing yet" is the low half of the position up to which the image was read.
 * <p>Thread: the loop's, but for what is said to be any. Owns: nothing; holds the session until {@link #end}.
 */
final class AeronQueue extends ArrivalQueue implements ControlledFragmentHandler
{
    /** Most bytes of one message of the format. */
    static final int MESSAGE_LENGTH_MAX = Hop.HEADER_LENGTH + Hop.PAYLOAD_LENGTH_MAX + Sealer.TAG_LENGTH;

    /** A word that never changes, for images that have ended. */
    private static final AtomicBuffer SILENCE = Buffers.allocate(Integer.BYTES);
    private static final int SILENT = 0;
    private static final int SETTLE_LIMIT = 64;
    private static final int ACTIVE_MESSAGE_CODE = MessageType.ACTIVE_MESSAGE.code();

    private final DriverSession session;
    private final Image image;
    private final Party source;
    private final int number;
    private final long wordAddress;
    private final FrameSeal seal;               // null without a key
    private final Operations operations;
    private MutableDirectBuffer opened;
    private MutableDirectBuffer assembly;
    private int assembledLength = -1;           // -1: no message is under way
    private MessageSink sink;
    private int handedCount;
    private long takenCount;
    private boolean isRejected;
    private boolean isHeldBack;                 // The next frame has come, and has to wait.
    private boolean isDry;                      // Frames have come, and none could be read.
    private long dryPosition = -1;
    private long dryDeadlineNs;
    private volatile boolean isEnded;
    private volatile long consumedCount;
    private volatile boolean hasLeft;           // After the last count.
    private long reported;                      // The transport's thread.

    /** Takes a hop's frames of remote memory: operations, or answers to them. Thread: the loop's. */
    interface Operations
    {
        /** Outcome of a frame. */
        enum Outcome
        {
            /** It was taken. */
            DONE,
            /** It has to wait, and so have those after it; nothing has happened. */
            LATER,
            /** It is nothing that can come over this hop; the hop goes on. */
            UNKNOWN_TYPE,
            /** It does not fit what came before: the hop ends. */
            BAD,
            /** It cannot be answered any more: the hop ends. */
            LOST
        }

        /**
         * Takes a frame.
         *
         * @param first  words 0 and 1 of its header, which has been judged.
         * @param second words 2 and 3.
         * @param buffer holding header and payload.
         * @param offset first byte of the header.
         * @return what became of it.
         */
        Outcome tryTake(long first, long second, MutableDirectBuffer buffer, int offset);

        /** Has the other side learn what it does not know yet. Returns false if it never will: the hop ends. */
        boolean tryRelease();

        /** {@return whether no answer is awaited} */
        boolean isSettled();

        /** The hop has ended. Called once. */
        void end();
    }

    AeronQueue(
        final DriverSession session, final Image image, final int channel, final Party source, final int number,
        final long wordAddress, final FrameSeal seal, final Operations operations)
    {
        super(channel, source.node());
        this.session = session;
        this.image = image;
        this.source = source;
        this.number = number;
        this.wordAddress = wordAddress;
        this.seal = seal;
        this.operations = operations;
        session.hold();
        rearm();
    }

    @Override
    public int drain(final MessageSink newSink, final int limit)
    {
        if (isOver())
        {
            expect(SILENCE.addressOffset(), SILENT);        // Until housekeeping removes this queue.
            return 0;
        }
        sink = newSink;
        handedCount = 0;
        isHeldBack = false;
        image.controlledPoll(this, limit);
        isDry = handedCount == 0 && !isHeldBack && !isSilent();
        assert takenCount >= consumedCount : takenCount;
        if (consumedCount != takenCount)
        {
            consumedCount = takenCount;
        }
        rearm();
        return handedCount;
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (isEnded || isRejected || hasLeft)
        {
            return Action.COMMIT;               // A handler closed what this came through.
        }
        final byte flags = header.flags();
        if ((flags & FrameDescriptor.UNFRAGMENTED) != FrameDescriptor.UNFRAGMENTED)
        {
            return assemble(buffer, offset, length, flags);
        }
        final long reservedValue = seal == null && length <= ShortFrame.PAYLOAD_LENGTH_MAX ? header.reservedValue() :
            ShortFrame.NONE;                    // Aeron's header is not sealed.
        if (reservedValue == ShortFrame.NONE)
        {
            return hand((MutableDirectBuffer)buffer, offset, length);
        }
        return dispatchShort(reservedValue, (MutableDirectBuffer)buffer, offset, length);
    }

    @Override
    public void release()
    {
        if (!isOver() && !operations.tryRelease())
        {
            reject("remote memory cannot be answered");
        }
    }

    /**
     * Ends the hop if frames have come, and what is missing before them has not for too long: datagrams that were
     * forged or changed can leave such gaps.
     */
    void rejectIfStuck(final long nowNs, final long timeoutNs)
    {
        final long position = image.position();
        if (!isDry || position != dryPosition)
        {
            dryPosition = position;
            dryDeadlineNs = nowNs + timeoutNs;
        }
        else if (dryDeadlineNs - nowNs < 0)
        {
            reject("what is missing does not come");
        }
    }

    /** Takes answers that have come, when no loop does any more. */
    void settle()
    {
        if (!operations.isSettled() && sink != null)
        {
            drain(sink, SETTLE_LIMIT);
        }
    }

    /** {@return whether nothing will come any more: the image was rejected, or has ended, or its session} */
    boolean isOver()
    {
        return isRejected || isEnded || image.isClosed() || session.isLost();
    }

    /** {@return up to which position of Aeron it was delivered} */
    long position()
    {
        return image.position();
    }

    /** Reports to the sender that no more messages of this hop are delivered. */
    void reject(final String why)
    {
        if (!isOver())
        {
            isRejected = true;
            session.reject(image, why);
        }
    }

    /** Delivers nothing any more. To be called once, when the loop polls this queue no longer. */
    void end()
    {
        assert !isEnded;
        isEnded = true;
        operations.end();
        session.release();
    }

    /** Whether something has come that was not read. Thread: any, while the session is held. */
    boolean isSilent()
    {
        return image.isClosed() || Buffers.intVolatile(wordAddress) == (int)image.position();
    }

    /** {@return whether the loop polls this queue no longer: nothing more is consumed. Thread: any} */
    boolean isEnded()
    {
        return isEnded;
    }

    /** {@return node at the other end. Thread: any} */
    Party source()
    {
        return source;
    }

    /** {@return number that the sender has for this hop. Thread: any} */
    int number()
    {
        return number;
    }

    /** The node leaves: nothing more is handed over, also if a handler of this drain leaves. */
    void leave()
    {
        consumedCount = takenCount;
        hasLeft = true;
    }

    /** {@return messages of the application that were consumed, as a report says it. Thread: any} */
    long consumed()
    {
        final boolean isLast = hasLeft;         // Before the count is read.
        return isLast ? ReportDescriptor.last(consumedCount) : consumedCount;
    }

    /** {@return count that was reported to the sender; 0 before the first report. Thread: the transport's} */
    long reported()
    {
        return reported;
    }

    /** Notes what the sender knows. Thread: the transport's. */
    void reported(final long consumed)
    {
        reported = consumed;
    }

    private Action assemble(final DirectBuffer buffer, final int offset, final int length, final byte flags)
    {
        if ((flags & FrameDescriptor.BEGIN_FRAG_FLAG) != 0)
        {
            assembledLength = 0;
            if (assembly == null)
            {
                assembly = Buffers.allocate(MESSAGE_LENGTH_MAX);
            }
        }
        if (assembledLength < 0)
        {
            return Action.CONTINUE;             // The rest of a message that was refused.
        }
        if (assembledLength + length > MESSAGE_LENGTH_MAX)
        {
            assembledLength = -1;
            handedCount++;
            sink.onReject(RejectReason.BAD_LENGTH, this);
            return Action.CONTINUE;
        }
        assembly.putBytes(assembledLength, buffer, offset, length);
        if ((flags & FrameDescriptor.END_FRAG_FLAG) == 0)
        {
            assembledLength += length;
            return Action.CONTINUE;
        }
        assert assembledLength >= 0 && assembledLength + length <= MESSAGE_LENGTH_MAX : assembledLength;
        final Action action = hand(assembly, 0, assembledLength + length);
        assembledLength = action == Action.ABORT ? assembledLength : -1;        // The last fragment comes again.
        return action;
    }

    private Action hand(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        return seal == null ? dispatch(buffer, offset, length) : open(buffer, offset, length);
    }

    /** One that does not open is not passed over: those behind it would be delivered without it. The hop ends. */
    private Action open(final DirectBuffer buffer, final int offset, final int length)
    {
        final int openedLength = seal.open(buffer, offset, length, opened());
        if (openedLength == Sealer.REFUSED)
        {
            handedCount++;
            sink.onReject(RejectReason.BAD_SEAL, this);
            reject("a message does not open");
            return Action.CONTINUE;
        }
        final Action action = dispatch(opened, 0, openedLength);
        if (action != Action.ABORT)
        {
            seal.advance();
        }
        return action;
    }

    private MutableDirectBuffer opened()
    {
        if (opened == null)
        {
            opened = Buffers.allocate(MESSAGE_LENGTH_MAX);
        }
        return opened;
    }

    /** Hands over a message of which the payload alone stands in the log. */
    private Action dispatchShort(
        final long reservedValue, final MutableDirectBuffer buffer, final int offset, final int length)
    {
        final long first = ShortFrame.first(reservedValue, length);
        final long second = ShortFrame.second(reservedValue, length);
        final RejectReason reason = MessageHeader.invalid(first, second, length, sourceNode(), channel());
        takenCount += Hop.isCounted(second) ? 1 : 0;
        handedCount++;
        if (reason == null)
        {
            sink.onMessage(first, second, buffer, MessageHeader.NO_HEADER, offset, length);
        }
        else
        {
            sink.onReject(reason, this);
        }
        return sink.isLastOfPoll() ? Action.BREAK : Action.CONTINUE;
    }

    private Action dispatch(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        if (length >= Hop.HEADER_LENGTH)
        {
            final long first = MessageHeader.first(
                MessageHeader.identityWord(0), buffer.getInt(offset + MessageHeader.TYPE_OFFSET));
            if (MessageHeader.typeCode(first) != ACTIVE_MESSAGE_CODE)
            {
                return take(first, buffer, offset, length);
            }
            if (Hop.isCounted(buffer, offset))
            {
                takenCount++;
            }
        }
        handedCount++;
        sink.onMessage(buffer, offset, length, this);
        return sink.isLastOfPoll() ? Action.BREAK : Action.CONTINUE;
    }

    /** Has a frame of remote memory executed, or refuses it. */
    private Action take(final long first, final MutableDirectBuffer buffer, final int offset, final int length)
    {
        final long second = MessageHeader.second(buffer.getLong(offset + MessageHeader.EXTENT_OFFSET));
        final RejectReason reason =
            MessageHeader.invalid(first, second, length - Hop.HEADER_LENGTH, sourceNode(), channel());
        final Operations.Outcome outcome =
            reason != null ? Operations.Outcome.BAD : operations.tryTake(first, second, buffer, offset);
        switch (outcome)
        {
            case LATER ->
            {
                isHeldBack = true;
                return Action.ABORT;
            }
            case UNKNOWN_TYPE -> sink.onReject(RejectReason.UNKNOWN_TYPE, this);
            case BAD ->
            {
                sink.onReject(reason == null ? RejectReason.BAD_LENGTH : reason, this);
                reject("remote memory: bad frame");
            }
            case LOST -> reject("remote memory cannot be answered");
            case DONE ->
            {
                // It was executed, or answered.
            }
        }
        handedCount++;
        return Action.CONTINUE;
    }

    private void rearm()
    {
        expect(wordAddress, (int)image.position());
    }
}
