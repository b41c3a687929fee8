// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;

/**
 * A message that is sent piece by piece, after the manner of Fast Messages 2: begun with its total length, gathered
 * from as many buffers as there are, ended. The application makes one, hands it to {@link Link#tryOpenStream}, and can
 * use it again when it has been ended. Nothing of it waits in this process: what the next hop does not take is not
 * taken.
 * <p>The receiver first has to agree, and has to have room if it takes the message as a whole; until then {@link #add}
 * takes nothing. While the stream is open, other messages of the link wait behind it.
 * <p>Thread: the link's. Owns: the link's turn, until it is ended, aborted, or the peer is gone.
 */
public final class MessageStream
{
    private Sender sender;
    private long totalLength;
    private long position;
    private SendStatus status = SendStatus.CLOSED;
    private boolean isOpen;

    /** Makes a stream that is not open. */
    public MessageStream()
    {
        // opened() sets everything.
    }

    /** Sender of the pieces: the link. */
    public interface Sender
    {
        /**
         * Sends as much as there is room for.
         *
         * @param stream that is open.
         * @param source holding the bytes.
         * @param offset first byte.
         * @param length bytes, at most what is left of the message.
         * @return bytes that were taken.
         */
        int add(MessageStream stream, DirectBuffer source, int offset, int length);

        /**
         * Sends the end.
         *
         * @param stream that is open and complete.
         * @return {@link SendStatus#SENT}, or why not.
         */
        SendStatus end(MessageStream stream);

        /**
         * Gives the message up.
         *
         * @param stream that is open.
         */
        void abort(MessageStream stream);
    }

    /**
     * For links: begins.
     *
     * @param newSender      that sends the pieces.
     * @param newTotalLength bytes.
     */
    public void opened(final Sender newSender, final long newTotalLength)
    {
        sender = newSender;
        totalLength = newTotalLength;
        position = 0;
        status = SendStatus.BACK_PRESSURED;
        isOpen = true;
    }

    /**
     * For links: the stream cannot go on.
     *
     * @param reason as {@link #status()} says.
     */
    public void closed(final SendStatus reason)
    {
        status = reason;
        isOpen = false;
    }

    /**
     * For links: what the last attempt met.
     *
     * @param newStatus sent, or back-pressured.
     */
    public void met(final SendStatus newStatus)
    {
        status = newStatus;
    }

    /**
     * Adds the next bytes, as many as there is room for now.
     *
     * @param source holding them; free for reuse on return, as far as they were taken.
     * @param offset first byte.
     * @param length bytes.
     * @return bytes that were taken, 0 to {@code length}; if less than all, {@link #status()} says why.
     * @throws IllegalArgumentException if the message would become longer than it was begun with.
     */
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
        source.boundsCheck(offset, length);
        final int takenLength = sender.add(this, source, offset, length);
        position += takenLength;
        return takenLength;
    }

    /**
     * Ends the message: the receiver handles it.
     *
     * @return {@link SendStatus#SENT}; {@link SendStatus#BACK_PRESSURED}: poll, and end it again;
     *     {@link SendStatus#PEER_GONE} or {@link SendStatus#CLOSED}: there is no message.
     * @throws IllegalStateException if bytes are missing.
     */
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

    /** Gives the message up: a handler that takes pieces learns of it, any other one does not run. */
    public void abort()
    {
        if (isOpen)
        {
            sender.abort(this);
            closed(SendStatus.CLOSED);
        }
    }

    /**
     * Returns the status of the last {@link #add} or {@link #end}: {@link SendStatus#SENT} if everything was taken,
     * {@link SendStatus#BACK_PRESSURED} if the receiver has not agreed yet or there is no room,
     * {@link SendStatus#PEER_GONE}, or {@link SendStatus#CLOSED} if this side or the receiver gave the message up.
     *
     * @return the status.
     */
    public SendStatus status()
    {
        return status;
    }

    /** {@return whether pieces may be added; false before it is opened, and after its end for any reason} */
    public boolean isOpen()
    {
        return isOpen;
    }

    /** {@return bytes of the message; as begun} */
    public long totalLength()
    {
        return totalLength;
    }

    /** {@return bytes that were taken; 0 to {@link #totalLength()}} */
    public long position()
    {
        return position;
    }
}
