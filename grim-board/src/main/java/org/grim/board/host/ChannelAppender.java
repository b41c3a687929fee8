// SPDX-License-Identifier: Apache-2.0
package org.grim.board.host;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;
import org.grim.board.QueueFormat;

import static org.agrona.BitUtil.align;
import static org.grim.board.ChannelRegisters.BACK_AND_FILLED;
import static org.grim.board.ChannelRegisters.FRONT;

/**
 * The host's end of a channel's queue in SRAM: claim room, write header and payload there, publish. Large messages can
 * be published as they are written (cut-through), so that the board begins to send before the last byte stands.
 * <p>Thread: one per channel. Owns: the queue from its back on. Never allocates after construction.
 */
public final class ChannelAppender
{
    /** Value of a claim when the queue has no room now. Nothing has happened; try again when the front has moved. */
    public static final int NO_ROOM = -1;

    private final AtomicBuffer sram;
    private final ChannelRegisters registers;
    private final Doorbell doorbell;
    private final int channel;
    private final int queueIndex;
    private final int queueLength;
    private final int messageLengthMax;
    private int back;
    private int front;
    private int position;
    private int claimedLength;
    private int filledLength;
    private boolean hasSegments;
    private boolean isCorrupt;

    /**
     * Begins at the channel's present back.
     *
     * @param sram     the board's memory.
     * @param geometry of the board.
     * @param channel  0 to one less than the geometry's count.
     * @throws IllegalStateException if an earlier appender left a message half written: reset the channel first.
     */
    public ChannelAppender(final AtomicBuffer sram, final BoardGeometry geometry, final int channel)
    {
        this.sram = sram;
        this.channel = channel;
        registers = new ChannelRegisters(sram, geometry, channel);
        doorbell = new Doorbell(sram, geometry);
        queueIndex = geometry.queueOffset(channel);
        queueLength = geometry.queueLength();
        // Half a queue: with the gap before it, a message then always fits once the queue is empty.
        messageLengthMax = Math.min(queueLength / 2, QueueFormat.MESSAGE_LENGTH_MAX);
        final long backAndFilled = registers.getAcquire(BACK_AND_FILLED);
        if (ChannelRegisters.filled(backAndFilled) != 0)
        {
            throw new IllegalStateException("channel=" + channel + " holds a message of which only " +
                ChannelRegisters.filled(backAndFilled) + " bytes were written");
        }
        back = ChannelRegisters.back(backAndFilled);
        front = registers.getAcquire(FRONT);
        isCorrupt = back - front < 0 || back - front > queueLength;
    }

    /**
     * Reserves room for a message, to be published when it is complete.
     *
     * @param messageLength bytes of header and payload.
     * @return index in SRAM of as many bytes, padded to whole words; or {@link #NO_ROOM}.
     * @throws IllegalArgumentException if no queue of this length can take it.
     */
    public int claim(final int messageLength)
    {
        if (claimedLength != 0)
        {
            throw new IllegalStateException("channel=" + channel + " has a claim of " + claimedLength + " bytes open");
        }
        if (messageLength < QueueFormat.MESSAGE_LENGTH_MIN)
        {
            throw new IllegalArgumentException(
                "message length=" + messageLength + " is below min=" + QueueFormat.MESSAGE_LENGTH_MIN);
        }
        if (messageLength > messageLengthMax)
        {
            throw new IllegalArgumentException("message length=" + messageLength + " exceeds max=" + messageLengthMax);
        }
        final int paddedLength = align(messageLength, QueueFormat.ALIGNMENT);
        final int gapLength = QueueFormat.gapLength(back, queueLength, paddedLength);
        if (!hasRoom(gapLength + paddedLength))
        {
            return NO_ROOM;
        }
        if (gapLength > 0)
        {
            QueueFormat.writeGap(sram, queueIndex, back, queueLength);
        }
        position = back + gapLength;
        claimedLength = paddedLength;
        assert position + claimedLength - front <= queueLength : position - front;
        return queueIndex + QueueFormat.offset(position, queueLength);
    }

    /**
     * Reserves room for a message, to be published piece by piece with {@link #fill}.
     *
     * @param messageLength bytes of header and payload.
     * @return index in SRAM of as many bytes, padded to whole words; or {@link #NO_ROOM}.
     * @throws IllegalArgumentException if no queue of this length can take it.
     */
    public int beginSegments(final int messageLength)
    {
        final int index = claim(messageLength);
        hasSegments = index != NO_ROOM;
        return index;
    }

    /**
     * Publishes the message's first bytes. From then on it must be completed: the board may be sending it.
     *
     * @param bytesSoFar bytes written, whole words, more than at the last call; the header at least.
     */
    public void fill(final int bytesSoFar)
    {
        if (!hasSegments)
        {
            throw new IllegalStateException("channel=" + channel + " has no message in segments open");
        }
        if (bytesSoFar < QueueFormat.MESSAGE_LENGTH_MIN || bytesSoFar <= filledLength || bytesSoFar > claimedLength ||
            bytesSoFar % QueueFormat.ALIGNMENT != 0)
        {
            throw new IllegalArgumentException("bytes so far=" + bytesSoFar + " is not a multiple of " +
                QueueFormat.ALIGNMENT + " from " + Math.max(filledLength + 1, QueueFormat.MESSAGE_LENGTH_MIN) +
                " to " + claimedLength);
        }
        filledLength = bytesSoFar;
        registers.backAndFilledRelease(position, bytesSoFar);       // Moves the back over a gap, too.
        doorbell.ring(channel);
    }

    /** Publishes the whole message that was claimed or begun, and rings. */
    public void publish()
    {
        requireClaim();
        back = position + claimedLength;
        assert isCorrupt || (back - front > 0 && back - front <= queueLength) : back - front;
        endClaim();
        registers.backAndFilledRelease(back, 0);         // partner: the firmware's acquire, after its take
        doorbell.ring(channel);
    }

    /** Gives the room back unused. */
    public void abort()
    {
        requireClaim();
        if (filledLength != 0)
        {
            throw new IllegalStateException("channel=" + channel + " has published " + filledLength +
                " bytes of its message: complete it");
        }
        endClaim();
    }

    /**
     * Whether the board may be sending the open message already. True after {@link #fill}: the message must be
     * completed.
     */
    public boolean isPartlyPublished()
    {
        return filledLength != 0;
    }

    /** {@return where the claimed message begins; bytes, free-running} */
    public int position()
    {
        requireClaim();
        return position;
    }

    /** {@return largest message that the channel takes; bytes of header and payload} */
    public int messageLengthMax()
    {
        return messageLengthMax;
    }

    /** Whether the board's front was found where it cannot be. Claims then find no room. True from then on. */
    public boolean isCorrupt()
    {
        return isCorrupt;
    }

    private boolean hasRoom(final int length)
    {
        if (isCorrupt || queueLength - (back - front) >= length)
        {
            return !isCorrupt;
        }
        // Read only when needed, since reading SRAM is slow. Partner: the firmware moves its front when it has read
        // what lies before; the acquire keeps this thread's stores behind it.
        final int newFront = registers.getAcquire(FRONT);
        final int usedLength = back - newFront;
        if (usedLength < 0 || usedLength > back - front)
        {
            isCorrupt = true;
            return false;
        }
        front = newFront;
        return queueLength - usedLength >= length;
    }

    private void requireClaim()
    {
        if (claimedLength == 0)
        {
            throw new IllegalStateException("channel=" + channel + " has no claim open");
        }
    }

    private void endClaim()
    {
        claimedLength = 0;
        filledLength = 0;
        hasSegments = false;
    }
}
