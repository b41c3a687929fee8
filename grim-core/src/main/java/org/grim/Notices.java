// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.collections.IntArrayList;
import org.agrona.collections.LongArrayList;
import org.grim.wire.MessageHeader;

/**
 * Answers to parts of long messages that could not be sent yet. They go past the overflow queues: what waits there may
 * wait for such an answer of the peer, which may wait for ours.
 * <p>Thread: the endpoint's owner. Bounds: {@value #COUNT_MAX}; what peers ask beyond is not answered.
 */
final class Notices
{
    private static final int COUNT_MAX = 4096;

    private final Endpoint endpoint;
    private final LinkTable links;
    private final IntArrayList ids = new IntArrayList();
    private final LongArrayList ways = new LongArrayList();
    private final LongArrayList arguments = new LongArrayList();

    Notices(final Endpoint endpoint, final LinkTable links)
    {
        this.endpoint = endpoint;
        this.links = links;
    }

    /** Answers, now or later, the endpoint that a way begins at. */
    void add(final int id, final long way, final int a0, final int a1)
    {
        final long both = MessageHeader.pair(a0, a1);
        if (ways.size() < COUNT_MAX && !trySend(id, way, both))
        {
            ids.addInt(id);
            ways.addLong(way);
            arguments.addLong(both);
            endpoint.work().noticesOwed(1);
        }
    }

    /** Sends what there is room for. */
    int flush()
    {
        int count = 0;
        for (int i = ways.size() - 1; i >= 0; i--)
        {
            if (trySend(ids.getInt(i), ways.getLong(i), arguments.getLong(i)))
            {
                ids.fastUnorderedRemove(i);
                ways.fastUnorderedRemove(i);
                arguments.fastUnorderedRemove(i);
                endpoint.work().noticesOwed(-1);
                count++;
            }
        }
        return count;
    }

    int count()
    {
        return ways.size();
    }

    /** False if there is no room now; true also if nobody is there to be answered. */
    private boolean trySend(final int id, final long way, final long both)
    {
        try
        {
            return links.get((int)way & EndpointId.CHANNEL_MAX, (int)(way >>> Integer.SIZE))
                .trySendNotice(id, (int)(both >>> Integer.SIZE), (int)both) != SendStatus.BACK_PRESSURED;
        }
        catch (final GrimException ex)
        {
            endpoint.arrivals().onUnanswerable(way, ex);
            return true;
        }
    }
}
