// SPDX-License-Identifier: Apache-2.0
package org.example.rings;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.Hop;
import org.grim.transport.MessageSink;

/** The receiver's end of a ring. */
final class RingQueue implements ArrivalQueue, MessageHandler
{
    private final Ring ring;
    private MessageSink sink;

    RingQueue(final Ring ring)
    {
        this.ring = ring;
    }

    @Override
    public long notificationAddress()
    {
        return ring.notificationAddress();
    }

    @Override
    public int notificationIdle()
    {
        return (int)ring.buffer.consumerPosition();
    }

    @Override
    public int drain(final MessageSink newSink, final int limit)
    {
        sink = newSink;
        return ring.buffer.read(this, limit);
    }

    @Override
    public void onMessage(final int type, final MutableDirectBuffer buffer, final int index, final int length)
    {
        ring.takenCount.lazySet(ring.takenCount.get() + 1);
        if (Hop.isCounted(buffer, index))
        {
            ring.handledCount.lazySet(ring.handledCount.get() + 1);
        }
        sink.onMessage(buffer, index, length, this);
    }

    @Override
    public void release()
    {
        // The ring gives room back after each drain.
    }

    @Override
    public int channel()
    {
        return ring.channel;
    }

    @Override
    public int sourceNode()
    {
        return ring.sourceNode;
    }

    Ring ring()
    {
        return ring;
    }
}
