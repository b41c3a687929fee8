// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import org.grim.Endpoint;
import org.grim.Link;

/** Messages of one link: numbered without a gap but for messages that were given up. Thread: its sender's. */
final class Flow
{
    private static final long NOT_STUCK = -1;
    private static final int REFUSAL_COUNT_MIN = 20;

    final Endpoint.Sender link;
    final int stream;
    final int channel;
    /** Packed. */
    final int destination;

    private int sequence;
    private int refusalCount;
    private long stuckNs = NOT_STUCK;

    Flow(final Endpoint.Sender link, final int stream, final int channel, final int destination)
    {
        this.link = link;
        this.stream = stream;
        this.channel = channel;
        this.destination = destination;
    }

    /** The link, of one that has claims and streams. */
    Link exclusive()
    {
        return (Link)link;
    }

    /** The number of the next message, which no other one gets. */
    int next()
    {
        sequence++;
        return sequence;
    }

    void progressed()
    {
        stuckNs = NOT_STUCK;
        refusalCount = 0;
    }

    /**
     * No room.
     *
     * @param activeNs time in which this process was not stopped.
     * @param hungNs   too long.
     * @return nanoseconds for which there was none, each time that it has been far too long; else 0.
     */
    long refused(final long activeNs, final long hungNs)
    {
        refusalCount++;
        if (stuckNs == NOT_STUCK)
        {
            stuckNs = activeNs;
        }
        final long durationNs = activeNs - stuckNs;
        if (durationNs < hungNs || refusalCount < REFUSAL_COUNT_MIN)
        {
            return 0;
        }
        stuckNs = activeNs;
        return durationNs;
    }
}
