// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.tools.memory.MemoryView;

/**
 * Remote memory: parts are written into the receiver's window, each with a notification word; the receiver says by a
 * word in this side's memory how many it has taken. No handler runs for either.
 */
final class WindowWay implements ChunkWay
{
    private final CopySender sender;
    private final RemoteLink link;
    private final AtomicBuffer credit;
    private final long windowAddress;
    private final AtomicBuffer chunk = Buffers.allocate(CopyWindow.SLOT_LENGTH);
    private final MemoryView view = new MemoryView();
    private int number;

    /** A way into a window at a virtual address of the receiver. */
    WindowWay(final CopySender sender, final RemoteLink link, final MemoryRegion credit, final long windowAddress)
    {
        this.sender = sender;
        this.link = link;
        this.credit = credit.buffer();
        this.windowAddress = windowAddress;
    }

    @Override
    public int chunkLengthMax()
    {
        return CopyWindow.SLOT_LENGTH;
    }

    @Override
    public void send(final FileChannel source, final long position, final int length) throws IOException
    {
        number++;
        final ByteBuffer room = view.roomFor(chunk, 0, length);
        sender.readAndDigest(source, room, length);
        view.put(chunk, 0, length);
        // Partner: the transport's release store of the receiver's write, after it has read the slot.
        while (number - credit.getIntVolatile(CopyWindow.CREDIT_OFFSET) > CopyWindow.SLOT_COUNT)
        {
            sender.await(position);
        }
        SendStatus status = tryWrite(length);
        while (status == SendStatus.BACK_PRESSURED)
        {
            sender.await(position);
            status = tryWrite(length);
        }
        sender.requireAccepted(status, position);
    }

    private SendStatus tryWrite(final int length)
    {
        return link.write(windowAddress + CopyWindow.dataOffset(number), chunk, 0, length,
            windowAddress + CopyWindow.wordOffset(number), number);
    }
}
