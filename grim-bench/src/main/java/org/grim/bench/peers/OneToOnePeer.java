// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.grim.bench.compare.Cell;
import org.grim.bench.peers.pair.MessageReceiver;
import org.grim.bench.peers.pair.Peer;
import org.grim.bench.peers.pair.SharedFile;

/** Agrona's ring buffer for one producer and one consumer, over a mapped file; one per direction. */
final class OneToOnePeer implements Peer
{
    private static final int CAPACITY = 1 << 20;                // Messages may have an eighth of it.
    private static final int TYPE = 1;
    private static final int POLL_LIMIT = 64;

    private final SharedFile file;
    private final OneToOneRingBuffer outbound;
    private final OneToOneRingBuffer inbound;
    private final MessageHandler handler;

    OneToOnePeer(final Path directory, final boolean isInitiator, final MessageReceiver receiver)
    {
        file = new SharedFile(directory.resolve("one-to-one"), isInitiator,
            CAPACITY + RingBufferDescriptor.TRAILER_LENGTH);
        outbound = new OneToOneRingBuffer(file.outbound());
        inbound = new OneToOneRingBuffer(file.inbound());
        handler = (type, buffer, offset, length) -> receiver.onMessage(buffer, offset, length);
    }

    @Override
    public void connect()
    {
        // The file is all there is.
    }

    @Override
    public void prepare(final Cell cell)
    {
        // Every size is treated alike.
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        return outbound.write(TYPE, source, offset, length);
    }

    @Override
    public int poll()
    {
        return inbound.read(handler, POLL_LIMIT);
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
