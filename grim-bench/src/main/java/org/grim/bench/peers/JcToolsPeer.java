// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.tools.pair.MessageReceiver;
import org.grim.tools.pair.Peer;
import org.jctools.queues.SpscArrayQueue;

/**
 * A limit: JCTools' queue for one producer and one consumer, between two threads of one process. Its elements are
 * buffers; the sender copies into one, the receiver reads in place, and a second queue brings it back.
 */
final class JcToolsPeer implements Peer
{
    private static final int BUFFER_COUNT = 64;

    private final SpscArrayQueue<Message> outbound;
    private final SpscArrayQueue<Message> outboundFree;
    private final SpscArrayQueue<Message> inbound;
    private final SpscArrayQueue<Message> inboundFree;
    private final MessageReceiver receiver;

    /** The near end. */
    JcToolsPeer(final int sizeMax, final MessageReceiver receiver)
    {
        this(new SpscArrayQueue<>(BUFFER_COUNT), filled(sizeMax), new SpscArrayQueue<>(BUFFER_COUNT), filled(sizeMax),
            receiver);
    }

    private JcToolsPeer(
        final SpscArrayQueue<Message> outbound, final SpscArrayQueue<Message> outboundFree,
        final SpscArrayQueue<Message> inbound, final SpscArrayQueue<Message> inboundFree,
        final MessageReceiver receiver)
    {
        this.outbound = outbound;
        this.outboundFree = outboundFree;
        this.inbound = inbound;
        this.inboundFree = inboundFree;
        this.receiver = receiver;
    }

    @Override
    public JcToolsPeer other(final MessageReceiver otherReceiver)
    {
        return new JcToolsPeer(inbound, inboundFree, outbound, outboundFree, otherReceiver);
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        final Message message = outboundFree.relaxedPoll();
        if (message == null)
        {
            return false;
        }
        message.buffer.putBytes(0, source, offset, length);
        message.length = length;
        outbound.relaxedOffer(message);             // As many buffers as room: it never fails.
        return true;
    }

    @Override
    public int poll()
    {
        final Message message = inbound.relaxedPoll();
        if (message == null)
        {
            return 0;
        }
        receiver.onMessage(message.buffer, 0, message.length);
        inboundFree.relaxedOffer(message);
        return 1;
    }

    private static SpscArrayQueue<Message> filled(final int sizeMax)
    {
        final SpscArrayQueue<Message> queue = new SpscArrayQueue<>(BUFFER_COUNT);
        for (int i = 0; i < BUFFER_COUNT; i++)
        {
            queue.offer(new Message(sizeMax));
        }
        return queue;
    }

    /** One element. */
    private static final class Message
    {
        private final AtomicBuffer buffer;
        private int length;

        Message(final int sizeMax)
        {
            buffer = Buffers.allocate(Math.max(Long.BYTES, sizeMax));
        }
    }
}
