// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.peers.MappedPeer;

/** Agrona's ring buffer for one producer and one consumer, over a mapped file; one per direction. */
final class OneToOnePeer extends MappedPeer
{
    private static final int CAPACITY = 1 << 20;                // Messages may have an eighth of it.
    private static final int TYPE = 1;
    private static final int POLL_LIMIT = 64;

    private final OneToOneRingBuffer ringOut;
    private final OneToOneRingBuffer ringIn;
    private final MessageHandler handler;

    OneToOnePeer(final Path directory, final boolean isInitiator, final MessageReceiver receiver)
    {
        super(directory.resolve("one-to-one"), isInitiator,
            CAPACITY + RingBufferDescriptor.TRAILER_LENGTH, receiver);
        ringOut = new OneToOneRingBuffer(outbound);
        ringIn = new OneToOneRingBuffer(inbound);
        handler = (type, buffer, offset, length) -> receiver.onMessage(buffer, offset, length);
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        return ringOut.write(TYPE, source, offset, length);
    }

    @Override
    public int poll()
    {
        return ringIn.read(handler, POLL_LIMIT);
    }
}
