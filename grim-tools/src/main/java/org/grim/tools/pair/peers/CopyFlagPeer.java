// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;

import org.agrona.DirectBuffer;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.MessageReceiver;

import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * A limit: one copy into a mapped buffer, then a flag; the receiver reads in place and frees nothing. A message that
 * fits stands in the flag's line. Ping-pong only: the reply says that the buffer is free.
 */
final class CopyFlagPeer extends MappedPeer
{
    private static final int FLAG_OFFSET = 0;                                   // u64, sender writes, receiver reads
    private static final int LENGTH_OFFSET = FLAG_OFFSET + SIZE_OF_LONG;        // u32 and padding, likewise
    private static final int LINE_PAYLOAD_OFFSET = LENGTH_OFFSET + SIZE_OF_LONG;
    private static final int LINE_PAYLOAD_LENGTH_MAX = Buffers.CACHE_LINE_LENGTH - LINE_PAYLOAD_OFFSET;
    private static final int PAYLOAD_OFFSET = Buffers.CACHE_LINE_LENGTH * 2;

    private long sentSequence;
    private long receivedSequence;

    CopyFlagPeer(
        final Path directory, final boolean isInitiator, final int sizeMax, final MessageReceiver receiver)
    {
        super(directory.resolve("copy-flag"), isInitiator, PAYLOAD_OFFSET + sizeMax, receiver);
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        outbound.putBytes(payloadOffset(length), source, offset, length);
        outbound.putInt(LENGTH_OFFSET, length);
        sentSequence++;
        outbound.putLongRelease(FLAG_OFFSET, sentSequence);     // partner: the volatile load in poll()
        return true;
    }

    @Override
    public int poll()
    {
        if (inbound.getLongVolatile(FLAG_OFFSET) == receivedSequence)
        {
            return 0;
        }
        receivedSequence++;
        final int length = inbound.getInt(LENGTH_OFFSET);
        receiver.onMessage(inbound, payloadOffset(length), length);
        return 1;
    }

    private static int payloadOffset(final int length)
    {
        return length <= LINE_PAYLOAD_LENGTH_MAX ? LINE_PAYLOAD_OFFSET : PAYLOAD_OFFSET;
    }
}
