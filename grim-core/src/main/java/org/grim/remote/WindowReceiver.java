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
import org.grim.buffer.Buffers;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.remote.FrameWindowDescriptor.COPY_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.CREDITS_REGION_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.OPENED_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.PAYLOAD_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.RELEASED_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.SLOTS_OFFSET;
import static org.grim.remote.FrameWindowDescriptor.WORD_OFFSET;

/**
 * The slots of a frame window. A credit that finds no room is sent with the next one, or by the next look: it has the
 * count of all.
 * <p>Thread: the endpoint's owner. Owns: the memory.
 */
final class WindowReceiver implements FrameReceiver
{
    private final RemoteMemory memory;
    private final MemoryRegion window;
    private final int slotCount;
    private final int frameLength;
    private final AtomicBuffer credit = Buffers.allocate(SIZE_OF_INT);
    private RemoteLink sender;              // null until the sender has opened the window, and if it has gone since.
    private RemoteRegion credits;
    private RemoteRegion creditsWord;
    private long takenCount;
    private long releasedCount;
    private long creditedCount;
    private int offset;
    private int length;

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
        sendCredits();
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
            throw new GrimException(BAD_DATA, "frame=" + takenCount + " of a peer has length=" + newLength +
                ", which is outside 0 to " + frameLength);
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
        if (releasedCount == takenCount)
        {
            throw new IllegalStateException("all frames=" + takenCount + " were released");
        }
        releasedCount++;
        sendCredits();
    }

    @Override
    public void close()
    {
        window.close();
    }

    private void sendCredits()
    {
        if (creditedCount < releasedCount && (sender != null || tryMeetSender()))
        {
            credit.putInt(0, (int)releasedCount);
            if (sender.write(credits, COPY_OFFSET, credit, 0, SIZE_OF_INT, creditsWord, (int)releasedCount)
                .isAccepted())
            {
                creditedCount = releasedCount;
            }
        }
    }

    /** False if the sender has gone: its successor opens a window of its own. */
    private boolean tryMeetSender()
    {
        if (window.buffer().getIntVolatile(OPENED_OFFSET) == 0)
        {
            throw new GrimException(BAD_DATA, "a peer sent frames into a window that it did not open");
        }
        final RemoteRegion read =
            RemoteRegion.readFrom(window.buffer(), CREDITS_REGION_OFFSET, RemoteRegion.LENGTH);
        try
        {
            sender = memory.link(read);
            credits = read;
            creditsWord = read.slice(RELEASED_OFFSET, SIZE_OF_INT);
            return true;
        }
        catch (final GrimException ex)
        {
            creditedCount = releasedCount;      // It needs no credits any more; its frames stay readable.
            return false;
        }
    }
}
