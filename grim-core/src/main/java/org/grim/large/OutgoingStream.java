// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.Objects;

import org.agrona.DirectBuffer;
import org.grim.MessageStream;
import org.grim.SendStatus;

/**
 * The state of a stream that is sent, and its checks; the pieces go through {@link PartSender}.
 * <p>Thread: the link's.
 */
public final class OutgoingStream implements MessageStream
{
    private PartSender sender;
    private long totalLength;
    private long position;
    private SendStatus status = SendStatus.CLOSED;
    private boolean isOpen;

    /** Makes a stream that is not open. */
    public OutgoingStream()
    {
        // opened() sets everything.
    }

    /** Begins, with the sender of the pieces. */
    void opened(final PartSender newSender, final long newTotalLength)
    {
        sender = newSender;
        totalLength = newTotalLength;
        position = 0;
        status = SendStatus.BACK_PRESSURED;
        isOpen = true;
    }

    /** The stream cannot go on. */
    void closed(final SendStatus reason)
    {
        status = reason;
        isOpen = false;
    }

    /** Notes the status of the last attempt: sent, or back-pressured. */
    void met(final SendStatus newStatus)
    {
        status = newStatus;
    }

    @Override
    public int add(final DirectBuffer source, final int offset, final int length)
    {
        if (length < 0 || length > totalLength - position)
        {
            throw new IllegalArgumentException("piece length=" + length + " exceeds what is left of the message=" +
                (totalLength - position) + " of total length=" + totalLength);
        }
        if (!isOpen)
        {
            return 0;
        }
        Objects.requireNonNull(source, "source").boundsCheck(offset, length);
        final int takenLength = sender.add(this, source, offset, length);
        position += takenLength;
        return takenLength;
    }

    @Override
    public SendStatus end()
    {
        if (!isOpen)
        {
            return status;
        }
        if (position < totalLength)
        {
            throw new IllegalStateException("stream ended at position=" + position + " of total length=" +
                totalLength + ": add the rest, or abort it");
        }
        final SendStatus met = sender.end(this);
        if (met == SendStatus.BACK_PRESSURED)
        {
            status = met;
        }
        else
        {
            closed(met);
        }
        return met;
    }

    @Override
    public void abort()
    {
        if (isOpen)
        {
            sender.abortOpen();
            closed(SendStatus.CLOSED);
        }
    }

    @Override
    public SendStatus status()
    {
        return status;
    }

    @Override
    public boolean isOpen()
    {
        return isOpen;
    }

    @Override
    public long totalLength()
    {
        return totalLength;
    }

    @Override
    public long position()
    {
        return position;
    }
}
