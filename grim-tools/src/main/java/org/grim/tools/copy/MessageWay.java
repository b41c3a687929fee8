// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

import org.grim.FrameClaim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.tools.memory.MemoryView;

/** Active messages: the file is read straight into room claimed at the receiver. */
final class MessageWay implements ChunkWay
{
    private static final int CHUNK_LENGTH = 1 << 15;

    private final CopySender sender;
    private final Link link;
    private final HandlerId chunkHandler;
    private final FrameClaim claim = new FrameClaim();
    private final MemoryView view = new MemoryView();

    MessageWay(final CopySender sender, final Link link, final HandlerId chunkHandler)
    {
        this.sender = sender;
        this.link = link;
        this.chunkHandler = chunkHandler;
    }

    @Override
    public int chunkLengthMax()
    {
        return Math.min(CHUNK_LENGTH, link.payloadLengthMax());
    }

    @Override
    public void send(final FileChannel source, final long position, final int length) throws IOException
    {
        sender.claim(link, chunkHandler, position, length, claim);
        try
        {
            final ByteBuffer room = view.roomFor(claim.buffer(), claim.offset(), length);
            sender.readAndDigest(source, room, length);
            view.put(claim.buffer(), claim.offset(), length);
            claim.publish();
        }
        finally
        {
            if (claim.isOpen())
            {
                claim.abort();
            }
        }
    }
}
