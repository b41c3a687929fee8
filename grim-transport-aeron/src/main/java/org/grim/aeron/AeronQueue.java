// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.aeron.HelloDescriptor.Party;
import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.Hop;
import org.grim.transport.MessageSink;

import io.aeron.Image;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;

/**
 * The receiver's end of a hop: an image. Its word is the low half of the image's high-water mark, which changes when a
 * frame comes; the value for "nothing yet" is the low half of the position up to which the image was read.
 * <p>Thread: the loop's, but for what is said to be any. Owns: nothing; holds the session until {@link #end}.
 */
final class AeronQueue extends ArrivalQueue implements FragmentHandler
{
    /** Most bytes of one message of the format. */
    static final int MESSAGE_LENGTH_MAX = Hop.HEADER_LENGTH + Hop.PAYLOAD_LENGTH_MAX;

    /** A word that never changes, for images that have ended. */
    private static final AtomicBuffer SILENCE = Buffers.allocate(Integer.BYTES);
    private static final int SILENT = 0;

    private final DriverSession session;
    private final Image image;
    private final Party source;
    private final int number;
    private final long wordAddress;
    private MutableDirectBuffer assembly;
    private int assembledLength = -1;           // -1: no message is under way
    private MessageSink sink;
    private int handedCount;
    private long takenCount;
    private volatile boolean isEnded;
    private volatile long consumedCount;
    private long reportedCount;                 // The transport's thread.

    AeronQueue(
        final DriverSession session, final Image image, final int channel, final Party source, final int number,
        final long wordAddress)
    {
        super(channel, source.node());
        this.session = session;
        this.image = image;
        this.source = source;
        this.number = number;
        this.wordAddress = wordAddress;
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
        image.poll(this, limit);
        if (consumedCount != takenCount)
        {
            consumedCount = takenCount;
        }
        rearm();
        return handedCount;
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (isEnded)
        {
            return;                             // A handler closed what this came through.
        }
        final int flags = header.flags() & FrameDescriptor.UNFRAGMENTED;
        if (flags == (FrameDescriptor.UNFRAGMENTED & 0xFF))
        {
            hand((MutableDirectBuffer)buffer, offset, length);
        }
        else
        {
            assemble(buffer, offset, length, (byte)flags);
        }
    }

    /** {@return whether nothing will come any more: the image has ended, or its session} */
    boolean isOver()
    {
        return isEnded || image.isClosed() || session.isLost();
    }

    /** Tells the sender that nothing of this hop is delivered any more. */
    void reject()
    {
        if (!isOver())
        {
            image.reject("another hop has taken its place");
        }
    }

    /** Delivers nothing any more. To be called once, when the loop polls this queue no longer. */
    void end()
    {
        isEnded = true;
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

    /** {@return messages of the application that were consumed. Thread: any} */
    long consumedCount()
    {
        return consumedCount;
    }

    /** {@return consumed messages that the sender was told of; -1: none. Thread: the transport's} */
    long reportedCount()
    {
        return reportedCount;
    }

    /** Notes what the sender knows. Thread: the transport's. */
    void reported(final long count)
    {
        reportedCount = count;
    }

    private void assemble(final DirectBuffer buffer, final int offset, final int length, final byte flags)
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
            return;                             // The rest of a message that was refused.
        }
        if (assembledLength + length > MESSAGE_LENGTH_MAX)
        {
            assembledLength = -1;
            handedCount++;
            sink.onReject(RejectReason.BAD_LENGTH, this);
            return;
        }
        assembly.putBytes(assembledLength, buffer, offset, length);
        assembledLength += length;
        if ((flags & FrameDescriptor.END_FRAG_FLAG) != 0)
        {
            final int messageLength = assembledLength;
            assembledLength = -1;
            hand(assembly, 0, messageLength);
        }
    }

    private void hand(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        handedCount++;
        if (length >= Hop.HEADER_LENGTH && Hop.isCounted(buffer, offset))
        {
            takenCount++;
        }
        sink.onMessage(buffer, offset, length, this);
    }

    private void rearm()
    {
        expect(wordAddress, (int)image.position());
    }
}
