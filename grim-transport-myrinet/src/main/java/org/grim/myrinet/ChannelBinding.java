// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.myrinet.memory.DmaLayout;
import org.grim.myrinet.memory.TranslationServer;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Membership;
import org.grim.transport.MessageSink;

/**
 * One channel of this node in the loop that polls it: the driver's session to which it belongs, and its arrival queue
 * there. Messages that arrived in an old session are still handed over.
 * <p>Thread: the loop's.
 */
final class ChannelBinding
{
    private final Membership membership;
    private final int channel;
    private final ArrivalQueues queues;
    private volatile LanaiSession session;
    private ChannelArrivals arrivals;
    private TranslationWord translations;
    private volatile long lastEmptyNs = System.nanoTime();

    ChannelBinding(
        final Membership membership, final int channel, final ArrivalQueues queues, final LanaiSession session)
    {
        this.membership = membership;
        this.channel = channel;
        this.queues = queues;
        begin(session);
    }

    LanaiSession session()
    {
        return session;
    }

    void housekeep()
    {
        session.runner().housekeep(queues);
        if (arrivals.isEmpty())
        {
            lastEmptyNs = System.nanoTime();
        }
    }

    /** When the arrival queue was last seen empty. Thread: any. */
    long lastEmptyNs()
    {
        return lastEmptyNs;
    }

    /** Returns the arrival queue in the binding's session. */
    ChannelArrivals arrivals()
    {
        return arrivals;
    }

    /** Moves to a new session as soon as the old one's arrivals were handed over. */
    int follow(final LanaiSession next)
    {
        if (!arrivals.isEmpty())
        {
            return 0;
        }
        queues.remove(arrivals);
        if (translations != null)
        {
            queues.remove(translations);
        }
        final LanaiSession old = session;
        begin(next);
        old.unbind();
        return 1;
    }

    private void begin(final LanaiSession next)
    {
        next.bind();
        session = next;
        arrivals = new ChannelArrivals(next.attachment().region().buffer(),
            next.attachment().channelRegisters(channel), membership, channel);
        next.runner().attach(queues, arrivals);
        translations = null;
        if (channel == 0 && !next.translations().isRunning())
        {
            translations = new TranslationWord(next.translations(),
                next.attachment().region().address() + DmaLayout.INTERRUPT_OFFSET, channel);
            queues.add(translations);
        }
    }

    /**
     * The interrupt word of this process, as a queue of a message loop: so translation requests are answered in the
     * duty cycle, and cost a load while there are none.
     * <p>Thread: the loop's.
     */
    private static final class TranslationWord extends ArrivalQueue
    {
        private final TranslationServer server;
        private final long address;

        private TranslationWord(final TranslationServer server, final long address, final int channel)
        {
            super(channel, -1);
            this.server = server;
            this.address = address;
            expect(address, server.seenCount());
        }

        @Override
        public int drain(final MessageSink sink, final int limit)
        {
            server.poll();
            expect(address, server.seenCount());
            return 0;
        }
    }
}
