// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import java.util.concurrent.TimeUnit;

/**
 * Notices that the sends of a channel stall: between two looks some found no room, and none was accepted. A stall ends
 * with the next that is accepted, or when nobody has tried for a while. Sends pay nothing for it.
 * <p>Thread: the channel's owner.
 */
public final class StallWatch
{
    private static final long GIVEN_UP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ChannelCounters counters;
    private final int node;
    private final int channel;
    private long acceptedSeen;
    private long refusedSeen;
    private long refusedBefore;
    private long refusedNs;
    private Object stall;                   // null while there is none.

    /**
     * Watches nothing yet.
     *
     * @param counters of the channel.
     * @param node     that it belongs to.
     * @param channel  -1 for shared links.
     */
    public StallWatch(final ChannelCounters counters, final int node, final int channel)
    {
        this.counters = counters;
        this.node = node;
        this.channel = channel;
    }

    /**
     * Looks; only while {@link FlightEvents#isOn()}.
     *
     * @param nowNs of {@link System#nanoTime()}.
     */
    public void look(final long nowNs)
    {
        final long accepted = counters.acceptedCount();
        final long refused = counters.backPressuredCount();
        final boolean hasMoved = accepted != acceptedSeen;
        if (refused != refusedSeen)
        {
            refusedNs = nowNs;
            if (stall == null && !hasMoved)
            {
                refusedBefore = refusedSeen;
                stall = RecordedEvents.beginStall(node, channel);
            }
        }
        if (stall != null && (hasMoved || nowNs - refusedNs > GIVEN_UP_NS))
        {
            end();
        }
        acceptedSeen = accepted;
        refusedSeen = refused;
    }

    /** A stall that is open ends, as its channel does. */
    public void end()
    {
        if (stall != null)
        {
            RecordedEvents.endStall(stall, counters.backPressuredCount() - refusedBefore);
            stall = null;
        }
    }
}
