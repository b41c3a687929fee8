// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.myrinet.memory.TranslationServer;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;

/**
 * The interrupt word of this process, as a queue of a message loop: so translation requests are answered in the duty
 * cycle, and cost a load while there are none.
 * <p>Thread: the loop's.
 */
final class TranslationWord implements ArrivalQueue
{
    private final TranslationServer server;
    private final long address;
    private final int channel;

    TranslationWord(final TranslationServer server, final long address, final int channel)
    {
        this.server = server;
        this.address = address;
        this.channel = channel;
    }

    @Override
    public long notificationAddress()
    {
        return address;
    }

    @Override
    public int notificationIdle()
    {
        return server.seenCount();
    }

    @Override
    public int drain(final MessageSink sink, final int limit)
    {
        server.poll();
        return 0;
    }

    @Override
    public void release()
    {
        // Requests take no room.
    }

    @Override
    public int channel()
    {
        return channel;
    }

    @Override
    public int sourceNode()
    {
        return -1;
    }
}
