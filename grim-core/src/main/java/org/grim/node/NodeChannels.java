// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

import org.grim.loop.ChannelQueues;
import org.grim.loop.NotificationTable;
import org.grim.transport.Transport;

/**
 * The channels of a node: which of them belong to endpoints, and the arrival queues of those that do not any more.
 * <p>Thread: any.
 */
final class NodeChannels
{
    private final ChannelQueues[] queues;           // null where no endpoint was ever opened, but for the host's
    private final BitSet inUse = new BitSet();

    /** Free ones, from 0 on. */
    NodeChannels(final int count)
    {
        queues = new ChannelQueues[count];
    }

    /**
     * Gives channels to an endpoint.
     *
     * @throws IllegalArgumentException if one does not exist, is another endpoint's, or is named twice.
     */
    synchronized void take(final int... channels)
    {
        if (channels.length == 0)
        {
            throw new IllegalArgumentException("an endpoint needs at least one channel");
        }
        for (final int channel : channels)
        {
            requireFree(channel);
            if (IntStream.of(channels).filter(other -> other == channel).count() > 1)
            {
                throw new IllegalArgumentException("channel=" + channel + " is named twice");
            }
        }
        IntStream.of(channels).forEach(inUse::set);
    }

    /** Has an endpoint's loop poll a channel; transports attach once. */
    synchronized void attach(final int channel, final NotificationTable table, final List<Transport> transports)
    {
        if (queues[channel] != null)
        {
            queues[channel].open(table);
            return;
        }
        final ChannelQueues attached = new ChannelQueues();
        attached.open(table);
        for (final Transport transport : transports)
        {
            transport.attach(channel, attached);
        }
        queues[channel] = attached;
    }

    /** An endpoint is closed: others may have its channels, and what has come for it. */
    synchronized void giveBack(final int... channels)
    {
        for (final int channel : channels)
        {
            if (queues[channel] != null)        // Else opening the endpoint failed.
            {
                queues[channel].close();
            }
            inUse.clear(channel);
        }
    }

    /** Returns channels that belong to no endpoint now. */
    synchronized IntStream free()
    {
        return IntStream.range(0, queues.length).filter(channel -> !inUse.get(channel));
    }

    private void requireFree(final int channel)
    {
        if (channel < 0 || channel >= queues.length)
        {
            throw new IllegalArgumentException("channel=" + channel + " is outside 0 to " + (queues.length - 1));
        }
        if (inUse.get(channel))
        {
            throw new IllegalArgumentException("channel=" + channel + " belongs to another endpoint");
        }
    }
}
