// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.FrameReceiver;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.remote.FrameWindowDescriptor.ANSWER_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.CLOSED;
import static org.grim.remote.FrameWindowDescriptor.COPY_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.CREDITS_LENGTH;
import static org.grim.remote.FrameWindowDescriptor.CREDITS_REGION_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.LIMIT_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.OPENED_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.PAYLOAD_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.SLOTS_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.TAKEN;
import static org.grim.remote.FrameWindowDescriptor.WORD_OFFSET;

/**
 * The slots of a frame window. A word to the sender that finds no room is sent by the next look: it has the count of
 * all.
 * <p>Thread: the endpoint's owner. Owns: the memory.
 */
final class WindowReceiver implements FrameReceiver
{
    private final RemoteMemory memory;
    private final MemoryRegion window;
    private final int slotCount;
    private final int frameLength;
    private final AtomicBuffer copy = Buffers.allocate(SIZE_OF_INT);
    private RemoteRegion credits;           // Of the sender; null until it has opened the window.
    private RemoteRegion limitWord;
    private RemoteLink sender;              // null if it has gone before it was met.
    private long takenCount;
    private long releasedCount;
    private long limitSent;                 // Frames that the sender knows it may send.
    private int offset;
    private int length;
    private String endReason;               // Of a window that a peer has spoiled; null otherwise.

    WindowReceiver(final RemoteMemory memory, final int slotCount, final int frameLength)
    {
        this.memory = memory;
        this.slotCount = slotCount;
        this.frameLength = frameLength;
        window = memory.register(FrameWindowDescriptor.length(slotCount, frameLength));
    }

    @Override
    public RemoteRegion remote()
    {
        return window.remote();
    }

    @Override
    public boolean next()
    {
        requireOpen();
        meetSender();
        sendLimit();
        final int slotOffset =
            SLOTS_OFFSET + (int)(takenCount % slotCount * FrameWindowDescriptor.stride(frameLength));
        final long word = window.buffer().getLongVolatile(slotOffset + WORD_OFFSET);
        if (FrameWindowDescriptor.sequence(word) != (int)(takenCount + 1))
        {
            return false;
        }
        final int newLength = (int)word;
        if (newLength < 0 || newLength > frameLength)
        {
            throw ended("frame=" + takenCount + " of a peer has length=" + newLength + ", which is outside 0 to " +
                frameLength);
        }
        offset = slotOffset + PAYLOAD_OFFSET;
        length = newLength;
        takenCount++;
        return true;
    }

    @Override
    public DirectBuffer buffer()
    {
        return window.buffer();
    }

    @Override
    public int offset()
    {
        return offset;
    }

    @Override
    public int length()
    {
        return length;
    }

    @Override
    public void release()
    {
        requireOpen();
        if (releasedCount == takenCount)
        {
            throw new IllegalStateException("all frames=" + takenCount + " were released");
        }
        releasedCount++;
        sendLimit();
    }

    @Override
    public void close()
    {
        if (!isClosed())
        {
            if (openedBadly() == null)
            {
                meetSender();
            }
            free();
        }
    }

    private void free()
    {
        if (credits != null)
        {
            tryAnswer(sender, credits, CLOSED);
        }
        window.close();
    }

    /** Closes the window, which a peer has spoiled: it says so once, and later writes are refused. */
    private GrimException ended(final String reason)
    {
        endReason = reason;
        free();
        return new GrimException(BAD_DATA, reason + "; the frame window is closed");
    }

    private boolean isClosed()
    {
        return window.buffer().capacity() == 0;
    }

    private void requireOpen()
    {
        if (isClosed())
        {
            throw new IllegalStateException("the frame window was closed" +
                (endReason == null ? "" : ": " + endReason));
        }
    }

    /** Takes the sender that has opened the window, or answers why it is not taken. */
    private void meetSender()
    {
        final int opened = window.buffer().getIntVolatile(OPENED_OFFSET);
        if (opened == 0)
        {
            return;
        }
        final String reason = openedBadly();
        if (reason != null)
        {
            throw ended(reason);
        }
        final RemoteRegion read = creditsOfSender();
        final boolean isTaken = credits != null && !credits.equals(read);
        if (isTaken || opened != frameLength)
        {
            if (!tryAnswer(linkTo(read), read, isTaken ? TAKEN : frameLength))
            {
                return;                         // There is no room: at the next look.
            }
        }
        else
        {
            credits = read;
            limitWord = read.slice(LIMIT_OFFSET, SIZE_OF_INT);
            sender = linkTo(read);
        }
        window.buffer().putIntRelease(OPENED_OFFSET, 0);
    }

    /** Returns why a peer has opened the window by a name of credits that is none; null if it has not. */
    private String openedBadly()
    {
        if (window.buffer().getIntVolatile(OPENED_OFFSET) == 0)
        {
            return null;
        }
        try
        {
            final RemoteRegion read = creditsOfSender();
            return read.isPhysical() || read.length() < CREDITS_LENGTH || read.rights() == MemoryRegion.Rights.READ ?
                "a peer names memory=" + read + " for credits, which it cannot be" : null;
        }
        catch (final GrimException ex)
        {
            return "a peer names no memory for credits: " + ex.getMessage();
        }
    }

    private RemoteRegion creditsOfSender()
    {
        return RemoteRegion.readFrom(window.buffer(), CREDITS_REGION_OFFSET, RemoteRegion.LENGTH);
    }

    private void sendLimit()
    {
        final long limit = releasedCount + slotCount;
        if (credits != null && limitSent < limit && tryWrite(sender, credits, limitWord, (int)limit))
        {
            limitSent = limit;
        }
    }

    private boolean tryAnswer(final RemoteLink link, final RemoteRegion to, final int answer)
    {
        return tryWrite(link, to, to.slice(ANSWER_OFFSET, SIZE_OF_INT), answer);
    }

    /** Returns null if a sender has gone: it needs no word any more; its frames stay readable. */
    private RemoteLink linkTo(final RemoteRegion region)
    {
        try
        {
            return memory.link(region);
        }
        catch (final GrimException ex)
        {
            return null;
        }
    }

    /** False if there is no room. */
    private boolean tryWrite(final RemoteLink link, final RemoteRegion to, final RemoteRegion word, final int value)
    {
        return link == null ||
            link.write(to, COPY_OFFSET, copy, 0, SIZE_OF_INT, word, value) != SendStatus.BACK_PRESSURED;
    }
}
