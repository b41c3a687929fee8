// SPDX-License-Identifier: Apache-2.0
package org.example.rings;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.Hop;
import org.grim.transport.MessageSink;

/** The receiver's end of a ring. */
final class RingQueue extends ArrivalQueue implements ControlledMessageHandler
{
    private final Ring ring;
    private MessageSink sink;

    RingQueue(final Ring ring)
    {
        super(ring.channel, ring.sourceNode);
        this.ring = ring;
        rearm();
    }

    @Override
    public int drain(final MessageSink newSink, final int limit)
    {
        sink = newSink;
        final int count = ring.buffer.controlledRead(this, limit);
        rearm();
        return count;
    }

    @Override
    public Action onMessage(final int type, final MutableDirectBuffer buffer, final int index, final int length)
    {
        ring.takenCount.lazySet(ring.takenCount.get() + 1);
        if (Hop.isCounted(buffer, index))
        {
            ring.handledCount.lazySet(ring.handledCount.get() + 1);
        }
        sink.onMessage(buffer, index, length, this);
        return sink.isLastOfPoll() ? Action.BREAK : Action.CONTINUE;
    }

    Ring ring()
    {
        return ring;
    }

    private void rearm()
    {
        expect(ring.notificationAddress(), (int)ring.buffer.consumerPosition());
    }
}
