// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.bench.compare.Cell;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;
import org.grim.bench.peers.pair.SharedFile;
import org.grim.buffer.Buffers;

/** The least that passes a word: one cache line each way. Words must differ from one to the next. Ping-pong only. */
final class RawPeer implements Peer
{
    private final SharedFile file;
    private final AtomicBuffer outbound;
    private final AtomicBuffer inbound;
    private final MessageReceiver receiver;
    private long last;

    RawPeer(final Path directory, final boolean isInitiator, final MessageReceiver receiver)
    {
        file = new SharedFile(directory.resolve("raw"), isInitiator, Buffers.CACHE_LINE_LENGTH);
        outbound = file.outbound();
        inbound = file.inbound();
        this.receiver = receiver;
    }

    @Override
    public void connect()
    {
        // The file is all there is.
    }

    @Override
    public void prepare(final Cell cell)
    {
        // The word is always the same.
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

    @Override
    public void idle()
    {
        // Nothing to keep alive.
    }

    @Override
    public void close()
    {
        file.close();
    }
}
