// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;

import org.agrona.DirectBuffer;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.MessageReceiver;

/**
 * The least that passes a word: one cache line in each direction. Words must differ from one to the next. Ping-pong
 * only.
 */
final class RawPeer extends MappedPeer
{
    private long last;

    RawPeer(final Path directory, final boolean isInitiator, final MessageReceiver receiver)
    {
        super(directory.resolve("raw"), isInitiator, Buffers.CACHE_LINE_LENGTH, receiver);
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        outbound.putLongRelease(0, source.getLong(offset));     // partner: the volatile load in poll()
        return true;
    }

    @Override
    public int poll()
    {
        final long word = inbound.getLongVolatile(0);
        if (word == last)
        {
            return 0;
        }
        last = word;
        receiver.onMessage(inbound, 0, Long.BYTES);
        return 1;
    }
}
